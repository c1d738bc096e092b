import { addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import { toRequestFault, RequestFault } from './request-fault.ts'

/** Which bytes of a body are wanted. */
export type BodyPart = {
  /** Bytes before the first that is wanted. */
  readonly skip: number
  /** Bytes wanted after that, as far as there are; Infinity for all. */
  readonly take: number
  /** Length that the server announced for the whole body. */
  readonly length: number | undefined
  /** Most bytes that may be held. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * The wanted part of a body, `too large` when it exceeds `maxBytes`, which the announced length may show before anything
 * is read. The body is always closed. Throws {@link RequestFault} when it breaks off, and the signal's reason.
 */
export async function readBody(body: Readable, part: BodyPart): Promise<Uint8Array | 'too large'> {
  addAbortSignal(part.signal, body)
  try {
    if (Math.min((part.length ?? 0) - part.skip, part.take) > part.maxBytes) return 'too large'
    if (part.take === 0) return new Uint8Array()
    return await collect(body, part)
  } catch (error) {
    part.signal.throwIfAborted()
    const { code } = toRequestFault(error)
    throw new RequestFault({ code: code === 'ECONNRESET' ? code : 'ENDED_EARLY' })
  } finally {
    body.destroy()
  }
}

async function collect(body: Readable, { skip, take, length, maxBytes }: BodyPart): Promise<Uint8Array | 'too large'> {
  let bytes = new Uint8Array(length === undefined ? 0 : Math.max(0, Math.min(length - skip, take)))
  let received = 0
  let held = 0
  for await (const data of body) {
    // The streams of fetch, node:http and the SDKs give bytes.
    const chunk = data as Uint8Array
    const wanted = chunk.subarray(Math.max(0, skip - received)).subarray(0, take - held)
    received += chunk.byteLength
    if (held + wanted.byteLength > maxBytes) return 'too large'
    if (held + wanted.byteLength > bytes.byteLength) bytes = grown(bytes, held + wanted.byteLength)
    bytes.set(wanted, held)
    held += wanted.byteLength
    if (held === take) break
  }
  if (length !== undefined && received !== length && held !== take) throw new RequestFault({ code: 'ENDED_EARLY' })
  return held === bytes.byteLength ? bytes : bytes.slice(0, held)
}

/** Twice as long, or as long as needed, so that copying stays cheap. */
function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(Math.max(needed, 2 * bytes.byteLength))
  longer.set(bytes)
  return longer
}
