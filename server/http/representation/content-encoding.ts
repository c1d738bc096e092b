// Compresses bodies that are sent many times and never change, on the thread pool of Node.js. Each compressed form is
// made once and cached with the body.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { responseHeaders } from '@floe/contract'
import { FairQueue } from '@floe/storage/waiting'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { addVary } from './negotiation.ts'

/** `Vary` of an encodable answer that depends on its caller, and of its 304 (RFC 9110, section 15.4.5). */
export const variesWith = ['accept', 'authorization', 'accept-encoding'] as const

/** Quality 5 of 0 to 11. Higher ones take seconds for a page of 1.4 MB, and save only a few percent. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** This level takes a tenth of the time that Brotli takes; the result is a tenth to a fifth larger. */
const zstdParams = { [constants.ZSTD_c_compressionLevel]: 1 }

/** For Brotli, which occupies a thread for half a second with a large body. The same threads read files. */
const oneAtATime = new FairQueue()

const compressors = {
  br: (body: Buffer) => oneAtATime.run('brotli', () => promisify(brotliCompress)(body, { params: brotliParams })),
  zstd: (body: Buffer) => promisify(zstdCompress)(body, { params: zstdParams }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 1 }),
} as const

type Encoding = keyof typeof compressors

const smallestFirst = ['br', 'zstd', 'gzip'] as const
const quickestFirst = ['zstd', 'gzip', 'br'] as const

/** Smaller bodies, in bytes, are not compressed, because they fit into one network packet anyway. */
const minCompressedBytes = 1_400

/** A body in one coding. */
export type EncodedBody = { readonly encoding: Encoding; readonly bytes: Buffer }

type Forms = { readonly made: Map<Encoding, Buffer>; readonly pending: Map<Encoding, Promise<EncodedBody>> }

const formsByBody = new WeakMap<Buffer, Forms>()

/** Lets {@link compressBody} encode bytes that are sent more than once and never change. Returns the bytes. */
export function registerEncodableBody<Bytes extends Buffer>(body: Bytes): Bytes {
  formsByBody.set(body, { made: new Map(), pending: new Map() })
  return body
}

/** Size that is counted for the three forms of a body, relative to the body. Each is rarely above a sixth. */
const formsShare = 0.5

/** Memory of a body with its forms, in bytes. */
export function measureEncodable({ length }: Buffer): number {
  return Math.ceil(length * (1 + formsShare))
}

/** Accepted encodings, by `Accept-Encoding`. Callers send only a few dozen different headers. */
const acceptedByHeader = new LRUCache<string, readonly Encoding[]>({ max: 500 })

/** Longer headers, in characters, are not cached. */
const maxCachedHeader = 200

/**
 * Encodes a body for a caller who sent this `Accept-Encoding`. If the smallest accepted form does not exist yet, makes
 * it in the background; this caller then gets another cached form, or the form that is quickest to make.
 *
 * @returns a promise if the form must be made first; undefined if the body is sent without an encoding
 */
export function encodeBody(body: Buffer, header: string | undefined): EncodedBody | Promise<EncodedBody> | undefined {
  if (header === undefined || body.length < minCompressedBytes) return undefined
  const accepted = readAcceptedEncodings(header)
  const [smallest] = accepted
  if (smallest === undefined) return undefined
  const forms = formsByBody.get(body)
  if (forms === undefined) return undefined
  const encoding = accepted.find((candidate) => forms.made.has(candidate))
  const bytes = encoding && forms.made.get(encoding)
  // Callers who wait for this form get the error; later callers try again.
  if (encoding !== smallest) makeForm(body, forms, smallest).catch(() => {})
  if (encoding !== undefined && bytes !== undefined) return { encoding, bytes }
  return makeForm(body, forms, quickestFirst.find((candidate) => accepted.includes(candidate)) ?? smallest)
}

/** Adds a form of an encodable body that was made elsewhere, such as by a build. */
export function addForm(body: Buffer, { encoding, bytes }: EncodedBody): void {
  formsByBody.get(body)?.made.set(encoding, bytes)
}

/** Returns the accepted encodings, smallest form first. Preferences are ignored, because most callers state none. */
function readAcceptedEncodings(header: string): readonly Encoding[] {
  const cached = acceptedByHeader.get(header)
  if (cached !== undefined) return cached
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const accepted = smallestFirst.filter((encoding) => negotiator.encodings([encoding]).length > 0)
  if (header.length <= maxCachedHeader) acceptedByHeader.set(header, accepted)
  return accepted
}

function makeForm(body: Buffer, { made, pending }: Forms, encoding: Encoding): Promise<EncodedBody> {
  const running = pending.get(encoding)
  if (running !== undefined) return running
  const form = compressors[encoding](body)
    .then((bytes) => {
      made.set(encoding, bytes)
      return { encoding, bytes }
    })
    .finally(() => pending.delete(encoding))
  pending.set(encoding, form)
  return form
}

/**
 * An `onSend` hook that compresses encodable bodies. Returns a promise only if the form must be made first, and
 * otherwise calls `done`, which is faster. Fastify takes either.
 */
export function compressBody(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void | Promise<Buffer> {
  if (!(payload instanceof Buffer) || !formsByBody.has(payload)) return done(null, payload)
  const sent = compressFor(headers['accept-encoding'], reply, payload)
  return sent instanceof Promise ? sent : done(null, sent)
}

/**
 * Compresses an encodable body and sets the headers of the answer. Returns a promise if the form must be made first.
 */
export function compressFor(
  acceptEncoding: string | undefined,
  reply: FastifyReply,
  bytes: Buffer,
): Buffer | Promise<Buffer> {
  addVary(reply, 'accept-encoding')
  const encoded = encodeBody(bytes, acceptEncoding)
  if (encoded === undefined) return bytes
  if (!(encoded instanceof Promise)) return sendEncoded(reply, encoded)
  return encoded.then((form) => sendEncoded(reply, form))
}

/** Sets the headers of an encoded body and returns its bytes. */
function sendEncoded(reply: FastifyReply, { encoding, bytes }: EncodedBody): Buffer {
  const etag = reply.getHeader(responseHeaders.etag.name)
  if (typeof etag === 'string') reply.header(responseHeaders.etag.name, tagForm(etag, encoding))
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return bytes
}

/**
 * Makes the entity tag of a form. Other bytes need another strong tag, but not another weak tag (RFC 9110, section
 * 8.8.3).
 */
export function tagForm(etag: string, encoding: Encoding): string {
  return etag.startsWith('W/') ? etag : etag.replace(/"$/, `-${encoding}"`)
}
