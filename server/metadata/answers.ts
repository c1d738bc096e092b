// How the metadata routes answer: with an entity tag, `304` where the caller has it already, and HTML beside JSON.
import { entityTag, matchesEntityTag } from '../entity-tag.ts'

/** What answering needs of a request. ts-rest types Fastify's own request and reply by the order of Fastify 4's parameters. */
export type ConditionalRequest = { readonly headers: { readonly 'if-none-match'?: string | undefined } }

/** What answering needs of a reply. */
export type ReplyHeaders = { header(name: string, value: string): unknown }

type NotModified = { status: 304; body: undefined }

/**
 * Sets the headers of a cacheable answer; true when the caller's copy is still good. Answers depend on who asks, and names move,
 * so that every use asks again: a `304` costs one look at the ref.
 */
export function isNotModified(request: ConditionalRequest, reply: ReplyHeaders, tag: string): boolean {
  reply.header('etag', tag)
  setCacheHeaders(reply)
  return matchesEntityTag(request.headers['if-none-match'], tag)
}

/** A small JSON answer, tagged with a hash of itself. */
export function answerTagged<Body>(
  request: ConditionalRequest,
  reply: ReplyHeaders,
  body: Body,
): { status: 200; body: Body } | NotModified {
  const tag = entityTag(JSON.stringify(body))
  return isNotModified(request, reply, tag) ? { status: 304, body: undefined } : { status: 200, body }
}

/**
 * A page at an address whose contract has JSON as its first representation (`html: true` in the route's metadata).
 */
export function answerPage(reply: ReplyHeaders, page: string): { status: 200; body: never } {
  reply.header('content-type', 'text/html; charset=utf-8')
  setCacheHeaders(reply)
  // ts-rest types one body a status; the contract lists the other one in the route's metadata.
  return { status: 200, body: page as never }
}

function setCacheHeaders(reply: ReplyHeaders): void {
  reply.header('cache-control', 'private, no-cache')
  reply.header('vary', 'accept, authorization')
}
