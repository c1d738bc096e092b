// Compresses the files that @fastify/static sends, which it does not do itself.
import { ReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressFor, registerEncodableBody, variesWith } from './representation/content-encoding.ts'
import { addVary } from './representation/vary.ts'

/**
 * Makes an `onSend` hook that reads each file when it is first asked for, and keeps it with its compressed forms. It is for files that do
 * not change while the process runs.
 */
export function keepFiles() {
  const kept = new Map<string, Buffer>()
  return async ({ method, headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    addVary(reply, ...variesWith)
    // The length of the file, where the answer to GET may have that of a compressed form.
    if (method === 'HEAD') reply.removeHeader('content-length')
    // A part of a file, which a caller asked for with `Range`, is sent as it is.
    if (!(payload instanceof ReadStream) || reply.statusCode !== 200) return payload
    const path = String(payload.path)
    const bytes = kept.get(path) ?? registerEncodableBody(await buffer(payload))
    kept.set(path, bytes)
    payload.destroy()
    return compressFor(headers['accept-encoding'], reply, bytes)
  }
}
