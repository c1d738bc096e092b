// Bodies whose bytes are built once and sent many times: answers about snapshots, documents, assets. The bytes never change, so their
// compressed forms are kept too.
import { responseHeaders } from '@floe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodeBody, type EncodedBody } from './content-encoding.ts'
import { addVary } from './vary.ts'

/** What an answer that may be sent from kept bytes varies with. The 304 in its place names it too (RFC 9110, section 15.4.5). */
export const variesWith = ['accept', 'authorization', 'accept-encoding'] as const

const kept = new WeakSet<Buffer>()

/** Marks bytes that are sent more than once and never change; {@link compressKeptBody} compresses them. Returns them. */
export function registerEncodableBody<Bytes extends Buffer>(bytes: Bytes): Bytes {
  kept.add(bytes)
  return bytes
}

/** Share of their size that kept bytes may take in addition: three compressed forms, each rarely above a sixth. */
const formsShare = 0.5

/** The memory that so many kept bytes may take together with their compressed forms, in bytes. */
export function measureKept(length: number): number {
  return Math.ceil(length * (1 + formsShare))
}

/**
 * An `onSend` hook that compresses kept bytes for callers that accept it. It calls `done`, or returns a promise if the form has to be made:
 * Fastify takes either, and most callers get a form that is there.
 */
export function compressKeptBody(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void | Promise<Buffer> {
  if (!(payload instanceof Buffer) || !kept.has(payload)) return done(null, payload)
  const sent = compressFor(headers['accept-encoding'], reply, payload)
  return sent instanceof Promise ? sent : done(null, sent)
}

/**
 * Compresses kept bytes for a caller who sent this `Accept-Encoding`, and sets the headers of the answer. Returns a promise if the form has
 * to be made.
 */
export function compressFor(
  acceptEncoding: string | undefined,
  reply: FastifyReply,
  bytes: Buffer,
): Buffer | Promise<Buffer> {
  addVary(reply, ...variesWith)
  const encoded = encodeBody(bytes, acceptEncoding)
  if (encoded === undefined) return bytes
  if (!(encoded instanceof Promise)) return sendEncoded(reply, encoded)
  return encoded.then((form) => sendEncoded(reply, form))
}

/** Sets the headers of an encoded body and returns its bytes. */
function sendEncoded(reply: FastifyReply, { encoding, bytes }: EncodedBody): Buffer {
  const etag = reply.getHeader(responseHeaders.etag.name)
  // Other bytes need another strong tag, but not another weak one (RFC 9110, section 8.8.3).
  if (typeof etag === 'string' && !etag.startsWith('W/'))
    reply.header(responseHeaders.etag.name, etag.replace(/"$/, `-${encoding}"`))
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return bytes
}
