// Builds the answers of the metadata routes: an entity tag, `304` if the caller has that version, and HTML beside JSON. Answers that can be
// checked are cached by address.
import { setImmediate } from 'node:timers/promises'
import { contentTypes, responseHeaders } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'
import type { SnapshotId } from '@floe/storage/icechunk'
import { type Encodable, JsonWriter, type Written } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { variesWith } from '../http/representation/content-encoding.ts'
import { findEntityTag, tagBody } from '../http/representation/entity-tag.ts'
import { addVary, type VaryingReply } from '../http/representation/negotiation.ts'
import type { AnswerCache } from '../reading/answer-cache.ts'
import { addressAnswer, type Addressed, listCachedHeaders } from './cached-answers.ts'

/** The part of a request that answering needs. ts-rest's type of the whole request does not fit Fastify 5's. */
type AnsweredRequest = Addressed & { readonly signal: AbortSignal; readonly apiKey: ApiKey | null }

/** One request and its reply. */
export type RequestAndReply = {
  readonly request: AnsweredRequest
  readonly reply: VaryingReply & { getHeaders(): Readonly<Record<string, unknown>> }
}

/** How an answer is sent. */
type Sending = {
  readonly cache: AnswerCache
  readonly format?: BodyFormat
  /** Whether a new answer would be the same; undefined for an answer that is not cached. Reads nothing and does not throw. */
  readonly isCurrent?: (() => boolean) | undefined
}

/** An answer with its bytes, or `304`. */
type Answer<Bytes> = { status: 200; body: Bytes } | { status: 304; body: undefined }

type BodyFormat = 'json' | 'html'

/**
 * Answers about one snapshot. The headers are set last, so that a failed `build` (an object is gone, the group
 * does not exist) does not leave the snapshot's tag on the error.
 */
export async function answerSnapshot<Bytes extends Buffer>(
  call: RequestAndReply,
  { tag, snapshotId, ...sending }: Sending & { readonly tag: string; readonly snapshotId: SnapshotId },
  build: () => Promise<Bytes>,
): Promise<Answer<Bytes>> {
  const known = findEntityTag(call.request.headers['if-none-match'], tag)
  const body = known === undefined ? await build() : undefined
  call.reply.header(responseHeaders.snapshot.name, snapshotId)
  return send(call, { tag, known, body, ...sending })
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
  { cache, tag, known, body, format = 'json', isCurrent }: Sending & Tagged & { readonly body: Bytes | undefined },
): Answer<Bytes> {
  reply.header(responseHeaders.etag.name, known ?? tag)
  setCacheHeaders(reply)
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

/** Makes HTTP caches revalidate before each use, because answers depend on the caller and refs move. A `304` costs one read of the ref. */
export function setCacheHeaders(reply: VaryingReply): void {
  reply.header('cache-control', 'private, no-cache')
  addVary(reply, ...variesWith)
}
