// Sends the exact bytes we rendered. Routes return plain objects; the serializer looks up the bytes rendered for that object,
// because `JSON.stringify` would turn `2.0` into `2`. These bytes never change, so their compressed forms are kept too.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { chooseEncoding, encodeBody } from './content-encoding.ts'
import { addVary } from './vary.ts'

const renderedBytes = new WeakMap<object, Buffer>()
const kept = new WeakSet<Buffer>()

/**
 * Makes a body of the contract's type that is sent as exactly `text`.
 *
 * @throws z.ZodError when `text` does not match the schema
 */
export function makeKeptBody<Schema extends z.ZodType<object>>(schema: Schema, text: string): z.output<Schema> {
  const body = schema.parse(JSON.parse(text))
  renderedBytes.set(body, makeKeptBytes(text))
  return body
}

/** Makes the bytes of a text that is sent more than once. {@link compressKeptBody} compresses them once and keeps the result. */
export function makeKeptBytes(text: string): Buffer {
  const bytes = Buffer.from(text)
  kept.add(bytes)
  return bytes
}

/** Returns the bytes rendered for a body, or else its JSON. */
export function serializeBody(body: unknown): string | Buffer {
  return (typeof body === 'object' && body !== null ? renderedBytes.get(body) : undefined) ?? JSON.stringify(body)
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
