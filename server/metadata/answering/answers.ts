// Builds the answers of the metadata routes: JSON or HTML, with an entity tag, or `304` if the caller has that version.
// Answers for which `isCurrent` can be checked are cached by request.
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { contentTypes, responseHeaders } from '@floe/contract'
import { type Encodable, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { ResolvedAddress } from '../../catalog/cached-refs.ts'
import { immutable, setCacheHeaders, shareFor } from '../../http/representation/cache-control.ts'
import { findEntityTag, matchesAny, tagBody } from '../../http/representation/entity-tag.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import type { Caller } from '../../http/access/caller.ts'
import { makeRequestKey, type RequestParts, listCachedHeaders } from './cached-answers.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** The part of a request that an answer needs. ts-rest's type of the whole request does not fit Fastify 5's. */
type AnsweredRequest = RequestParts & {
  readonly raw: IncomingMessage
  readonly signal: AbortSignal
  readonly caller: Caller | null
}

/** One request and its reply. */
export type RequestAndReply = {
  readonly request: AnsweredRequest
  readonly reply: VaryingReply & { getHeaders(): Readonly<Record<string, unknown>> }
}

type NamedSnapshot = Pick<ResolvedAddress, 'snapshotId' | 'behind'>

/** How an answer is sent. */
type Sending = {
  readonly context: Pick<MetadataContext, 'cache' | 'cachedRefs'>
  readonly format?: BodyFormat
  /** The snapshot that the answer describes; undefined for an answer about more than one. */
  readonly resolved?: NamedSnapshot
  /**
   * Whether a new answer would be the same; undefined for an answer that is not cached. Reads nothing from a store and
   * does not throw.
   */
  readonly isCurrent?: (() => boolean) | undefined
  /** Whether the address names snapshots by id, so that the answer never changes. Default: false. */
  readonly isImmutable?: boolean
}

/** With the strong entity tag of the answer. */
type TaggedSending = Sending & { readonly tag: string }

type NotModified = { status: 304; body: undefined }

/** An answer with its bytes, or `304`. */
type Answer<Bytes> = { status: 200; body: Bytes } | NotModified

export type BodyFormat = 'json' | 'html' | 'atom' | 'xml' | 'jsonLd'

/**
 * Answers `304` if the caller has the version with this tag; returns undefined if it needs the body. `If-None-Match: *`
 * matches any answer, so it is decided by {@link answerWith}, when it is certain that there is one.
 */
export function answerUnchanged(call: RequestAndReply, sending: TaggedSending): NotModified | undefined {
  return matchesAny(call.request.headers['if-none-match']) ? undefined : answerNotModified(call, sending)
}

function answerNotModified(call: RequestAndReply, sending: TaggedSending): NotModified | undefined {
  const tag = findEntityTag(call.request.headers['if-none-match'], sending.tag)
  if (tag === undefined) return undefined
  setHeaders(call, { ...sending, tag })
  cacheSent(call, sending, undefined)
  return { status: 304, body: undefined }
}

/**
 * Answers with a body, and caches it by its request; with `304` if the caller has it. Call it last, because an error
 * must not have these headers.
 */
export function answerWith<Bytes extends Buffer>(
  call: RequestAndReply,
  sending: TaggedSending,
  body: Bytes,
): Answer<Bytes> {
  const unchanged = answerNotModified(call, sending)
  if (unchanged !== undefined) return unchanged
  setHeaders(call, sending)
  call.reply.header('content-type', contentTypes[sending.format ?? 'json'])
  cacheSent(call, sending, body)
  return { status: 200, body }
}

/** Caches an answer by its request. */
function cacheSent({ request, reply }: RequestAndReply, sending: TaggedSending, body: Buffer | undefined): void {
  const { context, tag, format = 'json', isCurrent } = sending
  const requestKey = isCurrent && makeRequestKey(request, request.caller)
  if (requestKey === undefined || isCurrent?.() !== true) return
  const type = contentTypes[format]
  const headers = listCachedHeaders(reply.getHeaders(), type)
  context.cache.setSent(requestKey, body, { etag: tag, type, route: request.routeOptions?.url, headers, isCurrent })
}

/** Answers with JSON, as {@link answerTagged}. Writes it in slices, because a list of names can have megabytes. */
export async function answerJson<Body>(
  call: RequestAndReply,
  sending: Sending,
  body: Encodable<NoInfer<Body>>,
): Promise<Answer<JsonBytes<Body>>> {
  return answerTagged(call, sending, await new JsonWriter().writeInSlices<Body>(body, new Slices(call.request.signal)))
}

/** Answers with JSON, or with a page at an address that also has JSON. The entity tag is a hash of the body. */
export async function answerTagged<Bytes extends Buffer>(
  call: RequestAndReply,
  sending: Sending,
  body: Bytes,
): Promise<Answer<Bytes>> {
  const tagged = { ...sending, tag: tagBody(body) }
  // Hashing a large body takes milliseconds.
  await setImmediate()
  return answerWith(call, tagged, body)
}

function setHeaders(call: RequestAndReply, sending: TaggedSending): void {
  const { context, tag, resolved, isImmutable } = sending
  const { reply } = call
  if (resolved !== undefined) nameSnapshot(reply, resolved)
  reply.header(responseHeaders.etag.name, tag)
  permitCaching(call, context, isImmutable)
}

/** Sets the headers that name the snapshot that an answer describes. */
export function nameSnapshot(reply: VaryingReply, { snapshotId, behind }: NamedSnapshot): void {
  reply.header(responseHeaders.snapshot.name, snapshotId)
  if (behind !== undefined) reply.header(responseHeaders.behind.name, String(behind))
}

/**
 * Says which caches may keep an answer: shared ones only that of a public deployment, for the age of a ref unless the
 * answer never changes.
 */
export function permitCaching(
  { request, reply }: { readonly request: Pick<AnsweredRequest, 'caller'>; readonly reply: VaryingReply },
  { cachedRefs }: Pick<MetadataContext, 'cachedRefs'>,
  isImmutable = false,
): void {
  // Without a key the deployment is public, so shared caches may store the answer.
  if (request.caller === null) setCacheHeaders(reply, isImmutable ? immutable : shareFor(cachedRefs.refMaxAgeMs))
  else setCacheHeaders(reply)
}
