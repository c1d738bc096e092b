// Builds the answers of the metadata routes: an entity tag, `304` if the caller has that version, and HTML beside JSON.
import { setImmediate } from 'node:timers/promises'
import { contentTypes, responseHeaders } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'
import type { SnapshotId } from '@floe/storage/icechunk'
import { type Encodable, JsonWriter, type Written } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { findEntityTag, tagBody } from '../http/representation/entity-tag.ts'
import { variesWith } from '../http/representation/kept-bodies.ts'
import { addVary, type VaryingReply } from '../http/representation/vary.ts'

/** The part of a request that answering needs. ts-rest's type of the whole request does not fit Fastify 5's. */
type AnsweredRequest = {
  readonly headers: { readonly 'if-none-match'?: string | undefined }
  readonly signal: AbortSignal
  readonly apiKey: ApiKey | null
  /** See `server/http/remembered/remember-answer.ts`. */
  isAnswerCurrent: (() => boolean) | null
}

/** One request and its reply. */
export type RequestAndReply = { readonly request: AnsweredRequest; readonly reply: VaryingReply }

/** Identifies an answer about a snapshot. */
type Version = { readonly tag: string; readonly snapshotId: SnapshotId; readonly format: BodyFormat }

/** An answer with bytes, or the word that the caller has them. */
type Answer<Bytes> = { status: 200; body: Bytes } | { status: 304; body: undefined }

type BodyFormat = 'json' | 'html'

/**
 * Answers about one snapshot. The headers are set last, so that a failed `build` (an object is gone, the group
 * does not exist) does not leave the snapshot's tag on the error.
 */
export async function answerSnapshot<Bytes>(
  { request, reply }: RequestAndReply,
  { tag, snapshotId, format }: Version,
  build: () => Promise<Bytes>,
): Promise<Answer<Bytes>> {
  const known = findKnownTag(request, tag)
  const body = known === undefined ? await build() : undefined
  setTag(reply, known ?? tag)
  reply.header(responseHeaders.snapshot.name, snapshotId)
  if (body === undefined) return { status: 304, body: undefined }
  reply.header('content-type', contentTypes[format])
  return { status: 200, body }
}

/** Writes JSON and answers with it, as {@link answerTagged}. A list of names can have megabytes, so others are answered meanwhile. */
export async function answerJson<Body>(
  call: RequestAndReply,
  body: Encodable<NoInfer<Body>>,
): Promise<Answer<Written<Body>>> {
  return answerTagged(call, await new JsonWriter().writeInSlices<Body>(body, new Slices(call.request.signal)))
}

/** Answers with JSON, or with a page at an address that also has JSON. The entity tag is a hash of it. */
export async function answerTagged<Bytes extends Buffer>(
  { request, reply }: RequestAndReply,
  body: Bytes,
  format: BodyFormat = 'json',
): Promise<Answer<Bytes>> {
  const tag = tagBody(body)
  await setImmediate()
  const known = findKnownTag(request, tag)
  setTag(reply, known ?? tag)
  if (known !== undefined) return { status: 304, body: undefined }
  reply.header('content-type', contentTypes[format])
  return { status: 200, body }
}

function findKnownTag({ headers }: AnsweredRequest, tag: string): string | undefined {
  return findEntityTag(headers['if-none-match'], tag)
}

function setTag(reply: VaryingReply, tag: string): void {
  reply.header(responseHeaders.etag.name, tag)
  setCacheHeaders(reply)
}

/** Makes caches ask before each use, because answers depend on the caller and refs move. A `304` costs one read of the ref. */
export function setCacheHeaders(reply: VaryingReply): void {
  reply.header('cache-control', 'private, no-cache')
  addVary(reply, ...variesWith)
}
