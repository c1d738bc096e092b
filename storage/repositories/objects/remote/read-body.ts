import { addAbortSignal, type Readable } from 'node:stream'
import { toRequestFault, RequestFault } from './request-fault.ts'

export type BodyPart = {
  /** Number of bytes to leave out at the start. */
  readonly skip: number
  /** Maximum number of bytes to return after these; Infinity for all. */
  readonly take: number
  /** Length of the whole body as announced by the server; undefined when it announced none. */
  readonly length: number | undefined
  readonly maxBytes: number
  /** Longest time without bytes, in milliseconds, default none. */
  readonly maxPauseMs?: number
  readonly signal: AbortSignal
}

/** Maximum length of a listing or an error of a store, in bytes. A page of 1,000 names of 1,024 bytes is shorter. */
const maxTextBytes = 8_000_000

/**
 * Reads the requested part of a body. Returns `too large` when the part exceeds `maxBytes`, without reading anything if
 * the announced length shows it. Always closes the body. Throws {@link RequestFault} when the body ends early or pauses
 * for too long, and the reason of the signal when it aborts.
 */
export async function readBody(body: Readable, part: BodyPart): Promise<Uint8Array | 'too large'> {
  addAbortSignal(part.signal, body)
  const pause = limitPause(body, part.maxPauseMs)
  try {
    if (Math.min((part.length ?? 0) - part.skip, part.take) > part.maxBytes) return 'too large'
    if (part.take === 0) return new Uint8Array()
    return await collect(body, part, pause)
  } catch (error) {
    part.signal.throwIfAborted()
    const { code, isTimeout } = toRequestFault(error)
    throw new RequestFault({ code: isTimeout || code === 'ECONNRESET' ? code : 'ENDED_EARLY' })
  } finally {
    clearTimeout(pause)
    body.destroy()
  }
}

/** Reads the text of a listing or an error. Throws {@link RequestFault} when it is too long. */
export async function readTextBody(body: Readable, status: number | undefined, signal: AbortSignal): Promise<string> {
  const bytes = await readBody(body, { skip: 0, take: Infinity, length: undefined, maxBytes: maxTextBytes, signal })
  if (bytes !== 'too large') return Buffer.from(bytes).toString()
  throw new RequestFault({ status, advice: `the answer has more than ${maxTextBytes} bytes` })
}

/** Starts a timer that ends the body with a timeout unless it is refreshed. */
function limitPause(body: Readable, maxPauseMs: number | undefined): NodeJS.Timeout | undefined {
  if (maxPauseMs === undefined) return undefined
  return setTimeout(() => body.destroy(new RequestFault({ code: 'TIMEOUT' })), maxPauseMs)
}

async function collect(
  body: Readable,
  { skip, take, length, maxBytes }: BodyPart,
  pause: NodeJS.Timeout | undefined,
): Promise<Uint8Array | 'too large'> {
  let bytes = new Uint8Array(length === undefined ? 0 : Math.max(0, Math.min(length - skip, take)))
  let received = 0
  let collected = 0
  for await (const data of body) {
    pause?.refresh()
    // The streams of node:http and the SDKs yield bytes.
    const chunk = data as Uint8Array
    const wanted = chunk.subarray(Math.max(0, skip - received)).subarray(0, take - collected)
    received += chunk.byteLength
    if (collected + wanted.byteLength > maxBytes) return 'too large'
    if (collected + wanted.byteLength > bytes.byteLength) bytes = grow(bytes, collected + wanted.byteLength)
    bytes.set(wanted, collected)
    collected += wanted.byteLength
    // The connection can be used again only if the body is read to its end.
    if (collected === take && received !== length) break
  }
  if (length !== undefined && received !== length && collected !== take) throw new RequestFault({ code: 'ENDED_EARLY' })
  return collected === bytes.byteLength ? bytes : bytes.slice(0, collected)
}

/** Copies the bytes to an array at least twice as long, so that copies are rare. */
function grow(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(Math.max(needed, 2 * bytes.byteLength))
  longer.set(bytes)
  return longer
}
