// Sends requests, retries them where that is safe, and converts every failure to an error of this package.
import ky, { type HTTPError, isHTTPError, isNetworkError, isTimeoutError, type Options } from 'ky'
import { isValid } from '../check-value.ts'
import { type FloeError, NetworkError, ProblemResponseError, TimeoutError, UnexpectedResponseError } from '../errors.ts'
import { Problem } from '../generated/schemas.ts'

/** The options of a transport, the same for all its requests. */
export type TransportOptions = {
  /** Returns the value of the `Authorization` header of a request; undefined sends none. */
  readonly authorize: () => Promise<string | undefined>
  readonly timeoutMs: number
  readonly retries: number
  /** The methods that are retried. After others, the service may have made a change although its answer was lost. */
  readonly retriedMethods: readonly ('get' | 'post')[]
  readonly fetch: typeof globalThis.fetch
}

type TransportRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; undefined sends no body. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/**
 * Sends a request. Resolves with a 2xx answer whose body has arrived, or with a 304 when the request has
 * `if-none-match`. Rejects with a FloeError or the signal's reason.
 */
export type Transport = (url: URL, request: TransportRequest) => Promise<Response>

/** Opens a stream. Resolves before its body is read; `timeoutMs` limits only the time until then. */
export type OpenStream = (url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>

/** Statuses of temporary failures: time-outs, rate limits and restarts of the service or of a proxy. */
export const transientStatuses: readonly number[] = [408, 429, 502, 503, 504]

export function createTransport(options: TransportOptions): Transport {
  const { authorize, timeoutMs, retries, retriedMethods, fetch } = options
  const http = ky.create({
    ...createRequestOptions(authorize),
    timeout: timeoutMs,
    retry: {
      limit: retries,
      methods: [...retriedMethods],
      statusCodes: [...transientStatuses],
      afterStatusCodes: [...transientStatuses],
      jitter: true,
      maxRetryAfter: timeoutMs,
      shouldRetry: ({ error }) => {
        // Without an answer, always. ky itself knows only some runtimes' messages of network errors.
        if (!isHTTPError(error)) return true
        // When the service asks for a longer wait than a request may take, the caller gets the error and decides.
        return (readRetryAfter(error.response) ?? 0) > timeoutMs ? false : undefined
      },
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

/** Creates the function that opens streams. It does not retry. */
export function createStreamOpener({
  authorize,
  timeoutMs,
  fetch,
}: Omit<TransportOptions, 'retries' | 'retriedMethods'>): OpenStream {
  const http = ky.create({ ...createRequestOptions(authorize), timeout: timeoutMs, retry: 0, fetch })
  return async (url, headers, signal) => {
    try {
      return await http.get(url, { headers, signal, cache: 'no-store' })
    } catch (error) {
      signal.throwIfAborted()
      throw toFloeError(error, url.href, timeoutMs)
    }
  }
}

function createRequestOptions(authorize: TransportOptions['authorize']): Options {
  return {
    hooks: {
      beforeRequest: [
        async ({ request }) => {
          const authorization = await authorize()
          if (authorization !== undefined) request.headers.set('authorization', authorization)
        },
      ],
    },
    // Only the API key or the token identifies the caller. Without this, browsers send cookies and open a log-in window
    // after a 401.
    credentials: 'omit',
    // No route redirects. Following a redirect could send the key to another server.
    redirect: 'manual',
  }
}

/** Whether the answer is a 304 to a conditional request; the service sends no other 304. */
function isNotModified({ status }: Response, headers: TransportRequest['headers']): boolean {
  return status === 304 && headers['if-none-match'] !== undefined
}

/**
 * Reads the whole body during the attempt, so that the time limit and the retries also cover a body that breaks off.
 */
async function readBody(response: Response): Promise<Response> {
  if (!response.ok || response.body === null) return response
  const body = await response.arrayBuffer()
  // In browsers a 204 has an empty body instead of none, and `new Response` throws when it gets one.
  return new Response(body.byteLength === 0 ? null : body, response)
}

// ky's errors contain the request with the API key, so none of them may become a `cause`.
function toFloeError(error: unknown, url: string, timeoutMs: number): FloeError {
  if (isHTTPError(error)) return toResponseError(error, url)
  if (isTimeoutError(error)) return new TimeoutError(url, timeoutMs)
  return new NetworkError(url, isNetworkError(error) ? error.cause : error)
}

function toResponseError({ response, data }: HTTPError, url: string): FloeError {
  const { status, headers } = response
  if (isValid(Problem, data)) {
    return new ProblemResponseError(url, { problem: data, status, retryAfterMs: readRetryAfter(response) })
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

/**
 * The wait that the `Retry-After` header asks for, in milliseconds
 * (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after).
 */
function readRetryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
