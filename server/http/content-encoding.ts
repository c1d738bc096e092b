// Compressed forms of bodies that do not change: made once, on first demand, and kept as long as the body itself.
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import accepts from 'accepts'

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const

/** A content coding that we make. */
export type Encoding = keyof typeof compressors

/** Of eleven. Above it, a page of 1.4 MB takes seconds to make for a few percent. */
const brotliQuality = 5

/** Below this many bytes a body fits into one packet anyway. */
const worthwhileBytes = 1_400

const encoded = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/** The coding in which a caller would best get a body of this size; undefined for none. */
export function chooseEncoding(request: IncomingMessage, size: number): Encoding | undefined {
  if (size < worthwhileBytes || request.headers['accept-encoding'] === undefined) return undefined
  const accepted = accepts(request)
  // Callers list what they can read, seldom what they prefer, so the smaller form comes first.
  return (['br', 'gzip'] as const).find((encoding) => accepted.encodings([encoding]) === encoding)
}

/** A body in one coding. `bytes` must never change. */
export function encodeBody(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const forms = encoded.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  encoded.set(bytes, forms)
  const form = forms.get(encoding) ?? compressors[encoding](bytes)
  forms.set(encoding, form)
  return form
}
