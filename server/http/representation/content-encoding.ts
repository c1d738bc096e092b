// Compresses bodies that are sent many times and never change, on Node's thread pool. Each form is made once and lives as long as the body.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { responseHeaders } from '@floe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import pLimit from 'p-limit'
import { addVary } from './vary.ts'

/** What an encodable answer varies with. The 304 in its place names it too (RFC 9110, section 15.4.5). */
export const variesWith = ['accept', 'authorization', 'accept-encoding'] as const

/** From 0 to 11. Higher levels take seconds for a page of 1.4 MB and save a few percent. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** Takes a tenth of Brotli's time, for a form that is a tenth to a fifth larger. */
const zstdParams = { [constants.ZSTD_c_compressionLevel]: 1 }

/** Large bodies keep a thread for half a second, and files are read by the same threads. */
const oneAtATime = pLimit(1)

const compressors = {
  br: (body: Buffer) => oneAtATime(() => promisify(brotliCompress)(body, { params: brotliParams })),
  zstd: (body: Buffer) => promisify(zstdCompress)(body, { params: zstdParams }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 1 }),
} as const

/** A content coding that we can produce. */
type Encoding = keyof typeof compressors

const smallestFirst = ['br', 'zstd', 'gzip'] as const
const quickestFirst = ['zstd', 'gzip', 'br'] as const

/** Smaller bodies are not compressed, in bytes: they fit into one network packet anyway. */
const worthwhileBytes = 1_400

/** A body in one coding. */
export type EncodedBody = { readonly encoding: Encoding; readonly bytes: Buffer }

type Forms = { readonly made: Map<Encoding, Buffer>; readonly pending: Map<Encoding, Promise<EncodedBody>> }

/** The forms of the bodies that may be encoded. */
const formsByBody = new WeakMap<Buffer, Forms>()

/** Lets {@link compressBody} encode bytes that are sent more than once and never change. Returns them. */
export function registerEncodableBody<Bytes extends Buffer>(body: Bytes): Bytes {
  formsByBody.set(body, { made: new Map(), pending: new Map() })
  return body
}

/** Share of its size that a body's three forms may take; each is rarely above a sixth. */
const formsShare = 0.5

/** Memory of a body with its forms, in bytes. */
export function measureEncodable({ length }: Buffer): number {
  return Math.ceil(length * (1 + formsShare))
}

/** What each `Accept-Encoding` accepts. Callers send a few dozen different ones; longer ones are read each time. */
const acceptedByHeader = new LRUCache<string, readonly Encoding[]>({ max: 500 })
const maxRememberedHeader = 200

/**
 * Encodes a body for a caller who sent this `Accept-Encoding`. If the smallest form that the caller accepts is not there yet, it is made
 * meanwhile, and the caller gets the one that is made first. Returns a promise only if the caller has to wait for that.
 *
 * @returns undefined when the body is to be sent as it is
 */
export function encodeBody(body: Buffer, header: string | undefined): EncodedBody | Promise<EncodedBody> | undefined {
  if (header === undefined || body.length < worthwhileBytes) return undefined
  const accepted = readAcceptedEncodings(header)
  const [smallest] = accepted
  if (smallest === undefined) return undefined
  const forms = formsByBody.get(body)
  if (forms === undefined) return undefined
  const encoding = accepted.find((candidate) => forms.made.has(candidate))
  const bytes = encoding && forms.made.get(encoding)
  // Callers who wait for this form get the error, if it cannot be made; later ones try again.
  if (encoding !== smallest) makeForm(body, forms, smallest).catch(() => {})
  if (encoding !== undefined && bytes !== undefined) return { encoding, bytes }
  return makeForm(body, forms, quickestFirst.find((candidate) => accepted.includes(candidate)) ?? smallest)
}

/** Adds a form of an encodable body that was made elsewhere. */
export function addForm(body: Buffer, { encoding, bytes }: EncodedBody): void {
  formsByBody.get(body)?.made.set(encoding, bytes)
}

/** The codings that a caller accepts and we can produce, the smallest form first: most callers list them without a preference. */
function readAcceptedEncodings(header: string): readonly Encoding[] {
  const known = acceptedByHeader.get(header)
  if (known !== undefined) return known
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const accepted = smallestFirst.filter((encoding) => negotiator.encodings([encoding]).length > 0)
  if (header.length <= maxRememberedHeader) acceptedByHeader.set(header, accepted)
  return accepted
}

function makeForm(body: Buffer, { made, pending }: Forms, encoding: Encoding): Promise<EncodedBody> {
  const known = pending.get(encoding)
  if (known !== undefined) return known
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
 * An `onSend` hook that compresses encodable bodies for callers that accept it. It calls `done`, or returns a promise if the form has to be made:
 * Fastify takes either, and most callers get a form that is there.
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

/** Compresses an encodable body, and sets the headers of the answer. Returns a promise if the form has to be made. */
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
  if (typeof etag === 'string') reply.header(responseHeaders.etag.name, tagForm(etag, encoding))
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return bytes
}

/** The entity tag of a form. Other bytes need another strong tag, but not another weak one (RFC 9110, section 8.8.3). */
export function tagForm(etag: string, encoding: Encoding): string {
  return etag.startsWith('W/') ? etag : etag.replace(/"$/, `-${encoding}"`)
}
