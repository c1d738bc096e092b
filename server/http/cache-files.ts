// Compresses the files that @fastify/static sends, which it does not do itself.
import { ReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressFor, registerEncodableBody, variesWith } from './representation/content-encoding.ts'
import { addVary } from './representation/negotiation.ts'

/**
 * Makes an `onSend` hook that reads each file at its first request and caches it with its compressed forms. The files
 * must not change while the process runs.
 */
export function cacheFiles() {
  const cached = new Map<string, Buffer>()
  return async ({ method, headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    addVary(reply, ...variesWith)
    // The length of the file; a compressed answer to GET is shorter.
    if (method === 'HEAD') reply.removeHeader('content-length')
    // Part of a file (`Range`), or another status: send it unchanged.
    if (!(payload instanceof ReadStream) || reply.statusCode !== 200) return payload
    const path = String(payload.path)
    const bytes = cached.get(path) ?? registerEncodableBody(await buffer(payload))
    cached.set(path, bytes)
    payload.destroy()
    return compressFor(headers['accept-encoding'], reply, bytes)
  }
}
