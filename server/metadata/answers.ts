// Builds the answers of the metadata routes: an entity tag, `304` if the caller has that version, and HTML beside JSON. Answers that can be
// checked are cached by address.
import { setImmediate } from 'node:timers/promises'
import { contentTypes, responseHeaders } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'
import type { SnapshotId } from '@floe/storage/icechunk'
import { type Encodable, JsonWriter, type Written } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { forEver, setCacheHeaders, shareFor } from '../http/representation/cache-control.ts'
import { findEntityTag, tagBody } from '../http/representation/entity-tag.ts'
import type { VaryingReply } from '../http/representation/negotiation.ts'
import { addressAnswer, type Addressed, listCachedHeaders } from './cached-answers.ts'
import type { MetadataContext } from './metadata-context.ts'

/** The part of a request that answering needs. ts-rest's type of the whole request does not fit Fastify 5's. */
type AnsweredRequest = Addressed & { readonly signal: AbortSignal; readonly apiKey: ApiKey | null }

/** One request and its reply. */
export type RequestAndReply = {
  readonly request: AnsweredRequest
  readonly reply: VaryingReply & { getHeaders(): Readonly<Record<string, unknown>> }
}

/** How an answer is sent. */
type Sending = {
  readonly context: Pick<MetadataContext, 'cache' | 'reading'>
  readonly format?: BodyFormat
  /** The snapshot that the answer describes; undefined for an answer about more than one. */
  readonly snapshotId?: SnapshotId
  /** Whether a new answer would be the same; undefined for an answer that is not cached. Reads nothing and does not throw. */
  readonly isCurrent?: (() => boolean) | undefined
  /** Whether nothing but snapshots, named by their ids, decides the answer. Default: false. */
  readonly isForEver?: boolean
}

/** An answer with its bytes, or `304`. */
type Answer<Bytes> = { status: 200; body: Bytes } | { status: 304; body: undefined }

type BodyFormat = 'json' | 'html'

/**
 * Answers with what `build` returns, unless the caller has the version with this tag. The headers are set last, so that a failed `build` (an
 * object is gone, the group does not exist) does not leave the tag on the error.
 */
export async function answerSnapshot<Bytes extends Buffer>(
  call: RequestAndReply,
  { tag, ...sending }: Sending & { readonly tag: string },
  build: () => Promise<Bytes>,
): Promise<Answer<Bytes>> {
  const known = findEntityTag(call.request.headers['if-none-match'], tag)
  return send(call, { tag, known, body: known === undefined ? await build() : undefined, ...sending })
}

/** Writes JSON and answers with it, as {@link answerTagged}. Writes in slices, because a list of names can have megabytes. */
export async function answerJson<Body>(
  call: RequestAndReply,
  sending: Sending,
  body: Encodable<NoInfer<Body>>,
): Promise<Answer<Written<Body>>> {
  return answerTagged(call, sending, await new JsonWriter().writeInSlices<Body>(body, new Slices(call.request.signal)))
}

/** Answers with JSON, or with a page at an address that also has JSON. The entity tag is a hash of the body. */
export async function answerTagged<Bytes extends Buffer>(
  call: RequestAndReply,
  sending: Sending,
  body: Bytes,
): Promise<Answer<Bytes>> {
  const tag = tagBody(body)
  await setImmediate()
  const known = findEntityTag(call.request.headers['if-none-match'], tag)
  return send(call, { tag, known, body: known === undefined ? body : undefined, ...sending })
}

function send<Bytes extends Buffer>(
  { request, reply }: RequestAndReply,
  {
    context: { cache, reading },
    tag,
    known,
    body,
    format = 'json',
    snapshotId,
    isCurrent,
    isForEver = false,
  }: Sending & Tagged & { readonly body: Bytes | undefined },
): Answer<Bytes> {
  if (snapshotId !== undefined) reply.header(responseHeaders.snapshot.name, snapshotId)
  reply.header(responseHeaders.etag.name, known ?? tag)
  // Only a public deployment admits callers without a key, and it looks at nobody's key.
  if (request.apiKey === null) setCacheHeaders(reply, isForEver ? forEver : shareFor(reading.refMaxAgeMs))
  else setCacheHeaders(reply)
  if (body === undefined) return { status: 304, body: undefined }
  reply.header('content-type', contentTypes[format])
  const address = isCurrent && addressAnswer(request, request.apiKey)
  if (address !== undefined && isCurrent?.() === true) {
    const headers = listCachedHeaders(reply.getHeaders())
    const route = request.routeOptions?.url
    cache.setSent(address, body, { etag: tag, type: contentTypes[format], route, headers, isCurrent })
  }
  return { status: 200, body }
}

/** An entity tag, and the one that the caller sent if they match. */
type Tagged = { readonly tag: string; readonly known: string | undefined }
