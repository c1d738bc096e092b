// Sends cached answers before the router, whose hooks and routing take longer than the rest. Checks everything that can
// change: the caller's key, the caller's limit, and the sources of the answer. If a check fails, the request goes on to
// its route, which answers or refuses it.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { rateLimitHeaders, responseHeaders } from '@floe/contract'
import type { Authenticator } from '../../http/access/authenticate.ts'
import type { Caller } from '../../http/access/caller.ts'
import type { CallerLimit } from '../../http/access/rate-limits.ts'
import { limitReading } from '../../http/connections/limit-connections.ts'
import type { UnsentAnswers } from '../../http/connections/unsent-answers.ts'
import type { AnswerFromCache, ReceivedRequest } from '../../http/open-server.ts'
import type { RequestRecords } from '../../observation/request-records.ts'
import { hasOneHost } from '../../http/errors/malformed-request.ts'
import { encodeBody, tagForm } from '../../http/representation/content-encoding.ts'
import { findEntityTag } from '../../http/representation/entity-tag.ts'
import { isNeeded } from '../../http/security-headers.ts'
import type { RequestKey, AnswerCache, CachedAnswer, SentAnswer } from './answer-cache.ts'
import type { Timing } from '../../timing.ts'

type Parts = {
  readonly cache: AnswerCache
  readonly authenticator: Pick<Authenticator, 'findCached'>
  readonly limit: Pick<CallerLimit, 'countCached'>
  readonly requests: RequestRecords
  readonly unsent: Pick<UnsentAnswers, 'makeRoom' | 'count'>
  readonly timing: Pick<Timing, 'after' | 'elapsed'>
}

/** Makes the function that sends cached answers, with the headers that the hooks of routes would set. */
export function makeAnswerFromCache(parts: Parts): AnswerFromCache {
  return (request, response) => sendCached(parts, request, response)
}

/**
 * Sends the cached answer to a request. Returns false, without any effect, if there is none that the caller may have.
 */
function sendCached(
  { cache, authenticator, limit, requests, unsent, timing }: Parts,
  request: ReceivedRequest,
  response: ServerResponse,
): boolean {
  const { method, headers } = request
  const { socket } = response
  // Without a socket, the caller has disconnected, or earlier answers on the connection are not sent yet.
  if ((method !== 'GET' && method !== 'HEAD') || socket === null || !hasOneHost(request.raw)) return false
  const startedAt = timing.elapsed()
  const find = (caller: Caller | null) => {
    const requestKey = makeRequestKey(request, caller)
    const cached = requestKey && cache.findSent(requestKey)
    return cached && { caller, cached }
  }
  const known = authenticator.findCached(headers)?.[0]
  // Answers of public deployments are cached without a caller, and are for anyone.
  const found = (known && find(known)) ?? find(null)
  if (found === undefined) return false
  const { caller, cached } = found
  const answer = encodeAnswer(cached, headers)
  if (answer === undefined) return false
  const { status, body } = answer
  // Every check comes before the request is counted, because otherwise its route counts it.
  const bytes = body?.length ?? 0
  const counted = unsent.makeRoom(request, bytes) ? limit.countCached(caller, request) : undefined
  if (counted === undefined) return false
  unsent.count(request, response, bytes)
  cache.countHit()
  response.writeHead(status, [...answer.headers, ...counted])
  // Node.js sends a short text and its headers in one write; for a buffer it needs two.
  if (body !== undefined && body.length < shortBytes) response.end(body.toString('latin1'), 'latin1')
  else response.end(body)
  requests.record(request, { route: cached.sent.route, status, startedAt, caller, refusal: null })
  // Most answers are already written, and need no time limit.
  if (socket.writableLength > 0) limitReading(response, timing.after)
  return true
}

/** Bodies below this size are short, in bytes. */
const shortBytes = 8_192

/** The status, headers and body for a caller; undefined if the body is missing or has to be compressed first. */
function encodeAnswer({ sent: { etag, type, headers: sent }, body }: CachedAnswer, headers: IncomingHttpHeaders) {
  const matched = findEntityTag(headers['if-none-match'], etag)
  if (matched !== undefined) {
    return { status: 304, headers: [...sent.unchanged, responseHeaders.etag.name, matched], body: undefined }
  }
  const form = body && encodeBody(body, headers['accept-encoding'])
  if (body === undefined || form instanceof Promise) return undefined
  const { bytes, encoding } = form ?? { bytes: body, encoding: undefined }
  const tag = encoding === undefined ? etag : tagForm(etag, encoding)
  const described = [...sent.whole, responseHeaders.etag.name, tag]
  described.push('content-type', type, 'content-length', String(bytes.length))
  if (encoding !== undefined) described.push('content-encoding', encoding)
  return { status: 200, headers: described, body: bytes }
}

/** The parts of a request, besides its caller, that the answer depends on. */
export type RequestParts = {
  /** The address as the caller sent it; undefined for a call of a tool. */
  readonly originalUrl?: string
  readonly routeOptions?: { readonly url?: string | undefined }
  readonly headers: Pick<IncomingHttpHeaders, 'accept' | 'origin' | 'if-none-match'>
}

/** Stands for a header that is missing. No header can have this value. */
const missing = '\0'

/**
 * Makes the key of a request: its address, and the scope of its caller, on which access and pages depend. No part can
 * contain a line break, so requests with different answers never have the same key. `If-None-Match` and
 * `Accept-Encoding` are applied to the cached answer.
 */
export function makeRequestKey(
  { originalUrl, headers: { accept = missing, origin = missing } }: RequestParts,
  caller: Pick<Caller, 'scope'> | null,
): RequestKey | undefined {
  if (originalUrl === undefined) return undefined
  const scope = caller?.scope ?? missing
  return `${originalUrl}\n${scope}\n${accept}\n${origin}` as RequestKey // only this function makes one
}

/** Headers that are not cached, because they differ between answers. */
const uncached: ReadonlySet<string> = new Set([
  ...rateLimitHeaders.map((key) => responseHeaders[key].name),
  responseHeaders.etag.name,
  'content-type',
])

/** Lists the headers that are the same in every answer at an address: names and values alternate. */
export function listCachedHeaders(headers: Readonly<Record<string, unknown>>, type: string): SentAnswer['headers'] {
  const list = (status: number) =>
    Object.entries(headers)
      .filter(([name]) => !uncached.has(name) && isNeeded(name, status, type))
      .flatMap(([name, value]) => [name, String(value)])
  return { whole: list(200), unchanged: list(304) }
}
