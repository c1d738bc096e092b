// Sends answers again that were sent before at the same address, as the first hook of each request. What can change is checked for each:
// the caller's key, the caller's limit, and what the answer was made from. Otherwise the request goes on to its route, which also refuses.
import type { IncomingHttpHeaders } from 'node:http'
import { rateLimitHeaders, responseHeaders } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Authenticator } from '../http/access/authenticate.ts'
import type { CallerLimit } from '../http/access/rate-limits.ts'
import { limitReading } from '../http/connections/limit-connections.ts'
import type { RequestRecords } from '../http/observation/request-records.ts'
import { encodeBody, tagForm } from '../http/representation/content-encoding.ts'
import { findEntityTag } from '../http/representation/entity-tag.ts'
import type { AnswerAddress, AnswerCache, CachedAnswer } from '../reading/answer-cache.ts'
import type { Timing } from '../timing.ts'

/** What cached answers are checked and counted with. */
type Parts = {
  readonly cache: AnswerCache
  readonly authenticator: Pick<Authenticator, 'findCached'>
  readonly limit: Pick<CallerLimit, 'countAtOnce'>
  readonly requests: RequestRecords
  readonly timing: Pick<Timing, 'after' | 'elapsed'>
}

/** Makes an `onRequest` hook that sends cached answers. Add it before all others, whose work is in the cached headers. */
export function makeCachedAnswerHook(parts: Parts): onRequestHookHandler {
  return (request, reply, done) => {
    if (!sendCached(parts, request, reply)) done()
  }
}

/** Sends the cached answer to a request; returns false, and has done nothing, if there is none or the caller must not have it. */
function sendCached(
  { cache, authenticator, limit, requests, timing }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { method, headers } = request
  const { raw } = reply
  const { socket } = raw
  // Without a socket, the caller has left, or the answer waits for others on its connection.
  if ((method !== 'GET' && method !== 'HEAD') || socket === null) return false
  const startedAt = timing.elapsed()
  const caller = headers.authorization === undefined ? null : authenticator.findCached(headers.authorization)
  const address = caller === undefined ? undefined : addressAnswer(request, caller)
  const found = address && cache.findSent(address)
  if (caller === undefined || found === undefined) return false
  const answer = encodeAnswer(found, headers)
  const counted = answer && limit.countAtOnce(caller, request)
  if (answer === undefined || counted === undefined) return false
  const { status, body } = answer
  reply.hijack()
  raw.writeHead(status, [...found.sent.headers, ...answer.headers, ...counted])
  // Node.js sends a short text with its headers in one write, where a buffer takes two.
  if (body !== undefined && body.length < shortBytes) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
  request.apiKey = caller
  requests.record(request, found.sent.route, status, startedAt)
  // The system has taken most answers whole, and nothing is left to wait for.
  if (socket.writableLength > 0) limitReading(raw, timing.after)
  return true
}

/** Bodies below this size are short, in bytes. */
const shortBytes = 8_192

/** The status, body and remaining headers for a caller; undefined if the body has to be compressed first. */
function encodeAnswer({ sent: { etag, type }, body }: CachedAnswer, headers: IncomingHttpHeaders) {
  const known = findEntityTag(headers['if-none-match'], etag)
  if (known !== undefined) return { status: 304, headers: [responseHeaders.etag.name, known], body: undefined }
  const form = encodeBody(body, headers['accept-encoding'])
  if (form instanceof Promise) return undefined
  const { bytes, encoding } = form ?? { bytes: body, encoding: undefined }
  const tag = encoding === undefined ? etag : tagForm(etag, encoding)
  const described = [responseHeaders.etag.name, tag, 'content-type', type, 'content-length', String(bytes.length)]
  if (encoding !== undefined) described.push('content-encoding', encoding)
  return { status: 200, headers: described, body: bytes }
}

/** The parts of a request from which an answer follows besides its caller. */
export type Addressed = {
  /** The address as the caller sent it; undefined for a question that did not come by HTTP. */
  readonly originalUrl?: string
  readonly routeOptions?: { readonly url?: string | undefined }
  readonly headers: Pick<IncomingHttpHeaders, 'accept' | 'origin' | 'if-none-match'>
}

/** Stands for a header that is missing. No header can have this value. */
const missing = '\0'

/**
 * The address of an answer. No part can hold a line break, so that two requests with different answers never have the same one. Of the caller
 * it holds what decides about access and about what pages show. The entity tags and codings that a caller takes are applied to what is cached.
 */
export function addressAnswer(
  { originalUrl, headers: { accept = missing, origin = missing } }: Addressed,
  caller: ApiKey | null,
): AnswerAddress | undefined {
  if (originalUrl === undefined) return undefined
  const scope = caller === null ? missing : `${caller.org} ${caller.role} ${JSON.stringify(caller.repos)}`
  return `${originalUrl}\n${scope}\n${accept}\n${origin}` as AnswerAddress // the only place that makes one
}

/** Headers that differ from answer to answer. */
const uncached: ReadonlySet<string> = new Set([
  ...rateLimitHeaders.map((key) => responseHeaders[key].name),
  responseHeaders.etag.name,
  'content-type',
])

/** Lists the headers of an answer that every caller gets who asks at its address. */
export function listCachedHeaders(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !uncached.has(name))
    .flatMap(([name, value]) => [name, String(value)])
}
