// How the metadata routes answer: with an entity tag, `304` where the caller has it already, and HTML beside JSON.
import { snapshotHeader } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import { passAsBody } from '../http/contract.ts'
import { entityTag, findEntityTag } from '../http/entity-tag.ts'
import { addVary, type VaryingReply } from '../http/vary.ts'

/** What answering needs of a request. ts-rest types Fastify's own request and reply by the order of Fastify 4's parameters. */
type ConditionalRequest = { readonly headers: { readonly 'if-none-match'?: string | undefined } }

/** One request and its reply. */
export type Exchange = { readonly request: ConditionalRequest; readonly reply: VaryingReply }

/** What an answer about a snapshot is known by. */
type Version = { readonly tag: string; readonly snapshotId: SnapshotId }

type Answer<Body> = { status: 200; body: Body } | { status: 304; body: undefined }

/**
 * An answer about one snapshot. Its headers are set last, because a build that fails (an object is gone, the group does not exist)
 * must not leave the tag of this snapshot on another answer.
 */
export async function answerSnapshot<Body>(
  { request, reply }: Exchange,
  { tag, snapshotId }: Version,
  build: () => Promise<Body>,
): Promise<Answer<Body>> {
  const known = findKnownTag(request, tag)
  const answer: Answer<Body> =
    known === undefined ? { status: 200, body: await build() } : { status: 304, body: undefined }
  setTag(reply, known ?? tag)
  reply.header(snapshotHeader, snapshotId)
  return answer
}

/** A small JSON answer, tagged with a hash of itself. */
export function answerTagged<Body>({ request, reply }: Exchange, body: Body): Answer<Body> {
  const tag = entityTag(JSON.stringify(body))
  const known = findKnownTag(request, tag)
  setTag(reply, known ?? tag)
  return known === undefined ? { status: 200, body } : { status: 304, body: undefined }
}

/**
 * A page at an address whose contract has JSON as its first representation (`html: true` in the route's metadata).
 */
export function answerPage(reply: VaryingReply, page: string): { status: 200; body: never } {
  reply.header('content-type', 'text/html; charset=utf-8')
  setCacheHeaders(reply)
  return { status: 200, body: passAsBody(page) }
}

function findKnownTag({ headers }: ConditionalRequest, tag: string): string | undefined {
  return findEntityTag(headers['if-none-match'], tag)
}

function setTag(reply: VaryingReply, tag: string): void {
  reply.header('etag', tag)
  setCacheHeaders(reply)
}

/** Answers depend on who asks, and names move, so every use asks again: a `304` costs one look at the ref. */
export function setCacheHeaders(reply: VaryingReply): void {
  reply.header('cache-control', 'private, no-cache')
  addVary(reply, 'accept', 'authorization')
}
