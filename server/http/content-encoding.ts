// Compresses bodies that do not change. Each form is made on first request and lives as long as the body.
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import accepts from 'accepts'

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const

/** A content coding that we can produce. */
export type Encoding = keyof typeof compressors

/** From 0 to 11. Higher levels take seconds for a page of 1.4 MB and save a few percent. */
const brotliQuality = 5

/** Smaller bodies are not compressed, in bytes: they fit into one network packet anyway. */
const worthwhileBytes = 1_400

const encoded = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/** Chooses the coding for a caller and a body of `size` bytes; undefined for no compression. */
export function chooseEncoding(request: IncomingMessage, size: number): Encoding | undefined {
  if (size < worthwhileBytes || request.headers['accept-encoding'] === undefined) return undefined
  const accepted = accepts(request)
  // Most callers list codings without a preference, so we offer the smaller form first.
  return (['br', 'gzip'] as const).find((encoding) => accepted.encodings([encoding]) === encoding)
}

/** Compresses a body, or returns the form that an earlier call made. `bytes` must never change. */
export function encodeBody(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const forms = encoded.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  encoded.set(bytes, forms)
  const form = forms.get(encoding) ?? compressors[encoding](bytes)
  forms.set(encoding, form)
  return form
}
