// Bodies whose bytes are known before they are sent. A route hands on an object that has the contract's type; the bytes that were
// written for it (with number spellings that JavaScript would lose) are looked up when it is sent.
import type { z } from 'zod'

const bytesOf = new WeakMap<object, Buffer>()

/**
 * A body of the contract's type that will be sent as exactly `text`.
 *
 * @throws z.ZodError when `text` is not what the contract says
 */
export function serializedBody<Schema extends z.ZodType<object>>(schema: Schema, text: string): z.output<Schema> {
  const body = schema.parse(JSON.parse(text))
  bytesOf.set(body, Buffer.from(text))
  return body
}

/** What to send for a body: the bytes it was made with, else its JSON. */
export function serializeBody(body: unknown): string | Buffer {
  return (typeof body === 'object' && body !== null ? bytesOf.get(body) : undefined) ?? JSON.stringify(body)
}
