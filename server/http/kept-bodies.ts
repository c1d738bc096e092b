// Bodies whose bytes are built once and sent many times: answers about snapshots, documents, assets. The bytes never change, so their
// compressed forms are kept too.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, encodeBody } from './content-encoding.ts'
import { addVary } from './vary.ts'

const kept = new WeakSet<Buffer>()

/** Marks bytes that are sent more than once and never change; {@link compressKeptBody} compresses them. Returns them. */
export function keepBytes(bytes: Buffer): Buffer {
  kept.add(bytes)
  return bytes
}

/** An `onSend` hook that compresses kept bytes for callers that accept it. */
export async function compressKeptBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!(payload instanceof Buffer) || !kept.has(payload)) return payload
  addVary(reply, 'accept', 'accept-encoding', 'authorization')
  const encoding = chooseEncoding(request.raw, payload.length)
  if (encoding === undefined) return payload
  const etag = reply.getHeader('etag')
  // Other bytes need another strong tag (RFC 9110, section 8.8.3).
  if (typeof etag === 'string') reply.header('etag', etag.replace(/"$/, `-${encoding}"`))
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return encodeBody(payload, encoding)
}
