// Compresses bodies that do not change, on Node's thread pool. Each form is made once and lives as long as the body.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import pLimit from 'p-limit'

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

const formsByBody = new WeakMap<Buffer, Forms>()

/** What each `Accept-Encoding` accepts. Callers send a few dozen different ones; longer ones are read each time. */
const acceptedByHeader = new LRUCache<string, readonly Encoding[]>({ max: 500 })
const maxRememberedHeader = 200

/**
 * Encodes a body for a caller who sent this `Accept-Encoding`. If the smallest form that the caller accepts is not there yet, it is made
 * meanwhile, and the caller gets the one that is made first. Returns a promise only if the caller has to wait for that.
 *
 * @param body must never change
 * @returns undefined when the body is to be sent as it is
 */
export function encodeBody(body: Buffer, header: string | undefined): EncodedBody | Promise<EncodedBody> | undefined {
  if (header === undefined || body.length < worthwhileBytes) return undefined
  const accepted = readAcceptedEncodings(header)
  const [smallest] = accepted
  if (smallest === undefined) return undefined
  const forms = findForms(body)
  const encoding = accepted.find((candidate) => forms.made.has(candidate))
  const bytes = encoding && forms.made.get(encoding)
  // Callers who wait for this form get the error, if it cannot be made; later ones try again.
  if (encoding !== smallest) makeForm(body, forms, smallest).catch(() => {})
  if (encoding !== undefined && bytes !== undefined) return { encoding, bytes }
  return makeForm(body, forms, quickestFirst.find((candidate) => accepted.includes(candidate)) ?? smallest)
}

/** Keeps a form of a body that was made elsewhere, so that it need not be made here. */
export function keepForm(body: Buffer, { encoding, bytes }: EncodedBody): void {
  findForms(body).made.set(encoding, bytes)
}

/** Whether a body in this coding is what a caller gets from now on. If not, a smaller form is being made. */
export function isBestEncoding(encoding: unknown, header: string | undefined): boolean {
  return header !== undefined && readAcceptedEncodings(header)[0] === encoding
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

function findForms(body: Buffer): Forms {
  const known = formsByBody.get(body)
  if (known !== undefined) return known
  const forms: Forms = { made: new Map(), pending: new Map() }
  formsByBody.set(body, forms)
  return forms
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
