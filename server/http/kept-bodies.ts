// Bodies whose bytes are known before they are sent. A route hands on a body of the contract's type; the bytes that were written for
// it (with number spellings that JavaScript would lose) are looked up when it is sent. They never change, so neither do their
// compressed forms.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { chooseEncoding, encodeBody } from './content-encoding.ts'
import { addVary } from './vary.ts'

const renderedBytes = new WeakMap<object, Buffer>()
const kept = new WeakSet<Buffer>()

/**
 * A body of the contract's type that will be sent as exactly `text`.
 *
 * @throws z.ZodError when `text` is not what the contract says
 */
export function serializedBody<Schema extends z.ZodType<object>>(schema: Schema, text: string): z.output<Schema> {
  const body = schema.parse(JSON.parse(text))
  renderedBytes.set(body, keptBytes(text))
  return body
}

/** The bytes of a text that is sent more than once. */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.from(text)
  kept.add(bytes)
  return bytes
}

/** What to send for a body: the bytes it was made with, else its JSON. */
export function serializeBody(body: unknown): string | Buffer {
  return (typeof body === 'object' && body !== null ? renderedBytes.get(body) : undefined) ?? JSON.stringify(body)
}

/** Sends kept bytes compressed to callers who can read that. An `onSend` hook. */
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
