// How a client reaches the service: the options that all clients have, checked.
import { OrgName } from '@floe/contract'
import { createTransport, type Transport } from './transport.ts'

/** How to reach the service, and as whom. */
export type ConnectionOptions = {
  /** Address of the service, ending in `/v1`, such as `https://floe.example.org/v1`. */
  readonly baseUrl: string
  /** Name of the organisation. */
  readonly org: string
  /** API key of the organisation. A public deployment needs none, nor does a `fetch` that brings credentials of its own. */
  readonly apiKey?: string | undefined
  /** Milliseconds that one request may take until its body has arrived; each retry has as many again. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a GET that failed in passing (no answer; 408, 429, 502, 503 or 504) is sent again. Default 2. Requests that
   * change something are sent once.
   */
  readonly retries?: number | undefined
  /**
   * Sends the requests instead of the global `fetch`. They have `credentials: 'omit'`, which the second argument of `fetch` can
   * change: `(request, init) => fetch(request, { ...init, credentials: 'same-origin' })`.
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** A way to the service. */
export type Connection = {
  /** Address below which the contract's paths lie, without a trailing slash. */
  readonly root: string
  readonly transport: Transport
}

/**
 * Makes the connection of one client.
 *
 * @throws TypeError for options that cannot be meant
 */
export function openConnection({
  baseUrl,
  org,
  apiKey,
  timeoutMs = 30_000,
  retries = 2,
  fetch = globalThis.fetch,
}: ConnectionOptions): Connection {
  if (!OrgName.safeParse(org).success) throw new TypeError('org is not the name of an organisation')
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs) {
    throw new TypeError(`timeoutMs must be a whole number from 1 to ${maxTimeoutMs}`)
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be a whole number, 0 or more')
  const authorization = apiKey === undefined ? undefined : `Basic ${base64(`${org}:${apiKey}`)}`
  return { root: parseBaseUrl(baseUrl), transport: createTransport({ authorization, timeoutMs, retries, fetch }) }
}

const maxTimeoutMs = 2 ** 31 - 1

function parseBaseUrl(baseUrl: string): string {
  const { protocol, origin, pathname, username, password, search, hash } = URL.parse(baseUrl) ?? {}
  const path = /^(.*)\/v1\/?$/.exec(pathname ?? '')
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!path || !isWeb || username || password || search || hash) {
    // The value itself stays out of the message, since it may hold a password.
    throw new TypeError('baseUrl must be an http(s) address that ends in /v1, without credentials, query or fragment')
  }
  return `${origin}${path[1]}`
}

/** Base64 of the UTF-8 bytes; `btoa` takes one character for each byte. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
