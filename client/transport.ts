// Sends one request, again where that is safe and promising, and turns every failure into an error of this package.
import { Problem } from '@floe/contract'
import ky, { type HTTPError, isHTTPError, isNetworkError, isTimeoutError } from 'ky'
import { type FloeError, NetworkError, ProblemResponseError, TimeoutError, UnexpectedResponseError } from './errors.ts'

/** What stays the same from request to request. */
export type TransportOptions = {
  /** Value of the `Authorization` header; undefined sends none. */
  readonly authorization: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly fetch: typeof globalThis.fetch
}

/** One request. */
type TransportRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; undefined sends no body. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/**
 * Sends a request: resolves with a 2xx answer whose body has arrived, or with a 304 where the request names a tag; rejects with a
 * FloeError or the signal's reason.
 */
export type Transport = (url: URL, request: TransportRequest) => Promise<Response>

/** Failures that pass by themselves: time-outs, limits and restarts on the way or of the service. */
const passingStatuses = [408, 429, 502, 503, 504]

/** Makes the transport of one client. */
export function createTransport({ authorization, timeoutMs, retries, fetch }: TransportOptions): Transport {
  const http = ky.create({
    ...(authorization !== undefined && { headers: { authorization } }),
    // The key alone says who calls: no cookies, and no log-in window of the browser's after a refusal.
    credentials: 'omit',
    // No route redirects. Whatever does might lead the key elsewhere.
    redirect: 'manual',
    timeout: timeoutMs,
    retry: {
      limit: retries,
      // A change whose answer was lost may have been made.
      methods: ['get'],
      statusCodes: passingStatuses,
      afterStatusCodes: passingStatuses,
      jitter: true,
      maxRetryAfter: timeoutMs,
      // Coming back earlier than asked would be rude, sleeping longer than a request may take surprising: the caller decides.
      shouldRetry: ({ error }) =>
        isHTTPError(error) && (readRetryAfter(error.response) ?? 0) > timeoutMs ? false : undefined,
    },
    fetch: async (input, init) => readBody(await fetch(input, init)),
  })
  return async (url, { method, headers, body, signal }) => {
    try {
      return await http(url, { method, headers, ...(body !== undefined && { json: body }), ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      if (isHTTPError(error) && isNotModified(error.response, headers)) return error.response
      throw toFloeError(error, url.href, timeoutMs)
    }
  }
}

/** A 304 that was not asked for is none of the service's: there is nothing that it could stand for. */
function isNotModified({ status }: Response, headers: TransportRequest['headers']): boolean {
  return status === 304 && headers['if-none-match'] !== undefined
}

/** Reads the body as a part of the attempt, so that its time-out and retries cover an answer that breaks off. */
async function readBody(response: Response): Promise<Response> {
  if (!response.ok || response.body === null) return response
  const body = await response.arrayBuffer()
  // In browsers even a 204 has a body, an empty one, and no `Response` can be made with it.
  return new Response(body.byteLength === 0 ? null : body, response)
}

// ky's errors hold the request with its headers, so none of them becomes a `cause`.
function toFloeError(error: unknown, url: string, timeoutMs: number): FloeError {
  if (isHTTPError(error)) return toRefusalError(error, url)
  if (isTimeoutError(error)) return new TimeoutError(url, timeoutMs)
  return new NetworkError(url, isNetworkError(error) ? error.cause : error)
}

function toRefusalError({ response, data }: HTTPError, url: string): FloeError {
  const { status, headers } = response
  const problem = Problem.safeParse(data)
  if (problem.success) {
    return new ProblemResponseError(url, { problem: problem.data, status, retryAfterMs: readRetryAfter(response) })
  }
  const isRedirect = response.type === 'opaqueredirect' || headers.has('location')
  return new UnexpectedResponseError(url, {
    status,
    reason: isRedirect
      ? `redirects${headers.has('location') ? ` (to ${headers.get('location')})` : ''} are not followed`
      : 'the body is not a problem of the contract',
    body: typeof data === 'string' ? data : (JSON.stringify(data) ?? ''),
  })
}

/** What the `Retry-After` header asks for, in milliseconds (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after). */
function readRetryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
