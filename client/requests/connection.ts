import { isValid } from '../check-value.ts'
import { OrgName } from '../generated/schemas.ts'
import {
  createStreamOpener,
  createTransport,
  type OpenStream,
  type Transport,
  type TransportOptions,
} from './transport.ts'

/** How to reach the service, and the credentials. */
export type ConnectionOptions = {
  /** Address of the service, ending in `/v1`, such as `https://floe.example.org/v1`. */
  readonly baseUrl: string
  /** Name of the organisation. */
  readonly org: string
  /**
   * API key of the organisation. Not needed for a public deployment, or with a `fetch` that adds its own credentials.
   */
  readonly apiKey?: string | undefined
  /**
   * In place of `apiKey`: a token of an issuer that the service takes, or a function that returns one. The function is
   * called for each request, so it can renew a token that expires.
   */
  readonly auth?: string | (() => string | Promise<string>) | undefined
  /** Time limit for one request and its answer, in milliseconds. Each retry has the same limit. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum number of retries of a request that changes nothing, after a temporary failure (no answer; 408, 429, 502,
   * 503 or 504). Default 2. Changes are never retried. The client waits as long as `Retry-After` says; if that is
   * longer than `timeoutMs`, the call rejects at once.
   */
  readonly retries?: number | undefined
  /**
   * Used instead of the global `fetch`, which is looked up at each call. Requests have `credentials: 'omit'`, which the
   * second argument of `fetch` can change: `(request, init) => fetch(request, { ...init, credentials: 'same-origin'
   * })`.
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** A connection to the service. */
export type Connection = {
  /** URL to which the contract's paths are appended, without a trailing slash. */
  readonly root: string
  readonly transport: Transport
  readonly openStream: OpenStream
}

/**
 * Checks the options of a client and creates its connection.
 *
 * @param retriedMethods - methods of HTTP whose requests change nothing
 * @throws TypeError for an invalid option
 */
export function openConnection(
  { baseUrl, org, apiKey, auth, timeoutMs = 30_000, retries = 2, fetch }: ConnectionOptions,
  retriedMethods: TransportOptions['retriedMethods'] = ['get'],
): Connection {
  if (!isValid(OrgName, org)) throw new TypeError('org is not the name of an organisation')
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs) {
    throw new TypeError(`timeoutMs must be a whole number from 1 to ${maxTimeoutMs}`)
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be a whole number, 0 or more')
  if (apiKey !== undefined && auth !== undefined) throw new TypeError('apiKey and auth cannot be used together')
  const password = apiKey === undefined ? undefined : `Basic ${encodeBase64(`${org}:${apiKey}`)}`
  const authorize = async () => {
    if (auth === undefined) return password
    return `Bearer ${typeof auth === 'string' ? auth : await auth()}`
  }
  const common = {
    authorize,
    timeoutMs,
    // Reads the global `fetch` at each call, because tests replace it after they have created the client. Calls it as a
    // function, because browsers throw when it is called as a method of another object.
    fetch: (...call: Parameters<typeof globalThis.fetch>) => (fetch ?? globalThis.fetch)(...call),
  }
  return {
    root: parseBaseUrl(baseUrl),
    transport: createTransport({ ...common, retries, retriedMethods }),
    openStream: createStreamOpener(common),
  }
}

const maxTimeoutMs = 2 ** 31 - 1

/** Returns the address to which the paths of the contract are appended. Throws a TypeError for an invalid one. */
export function parseBaseUrl(baseUrl: string): string {
  const { protocol, origin, pathname, username, password, search, hash } = URL.parse(baseUrl) ?? {}
  const path = /^(.*)\/v1\/?$/.exec(pathname ?? '')
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!path || !isWeb || username || password || search || hash) {
    // The message leaves the value out, because it may hold a password.
    throw new TypeError('baseUrl must be an http(s) address that ends in /v1, without credentials, query or fragment')
  }
  return `${origin}${path[1]}`
}

/** Encodes the UTF-8 bytes of a text in base64. `btoa` expects one character for each byte. */
function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
