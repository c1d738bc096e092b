// Sends GET requests for the stores that do not use an SDK for them, follows their redirects, and interprets the
// responses.
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type AddressRules, checkAddresses, makeAddressRules } from '../../../addresses/address-rules.ts'
import { makeLookup, readHost } from '../../../addresses/checked-lookup.ts'
import { type ResolveHost, resolveHost } from '../../../addresses/resolve-host.ts'
import type { Answer } from './remote-store.ts'
import { toRequestFault, RequestFault } from './request-fault.ts'

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const maxRedirects = 3

const generalHeaders: ReadonlySet<string> = new Set(['accept-encoding', 'if-none-match', 'range', 'user-agent'])

/** The options of Node.js's global agents. */
const agentOptions = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const

type HttpTarget = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/** Sends a GET and returns the answer, whose body the caller must read or destroy. Throws {@link RequestFault}. */
export type SendGet = (target: HttpTarget, signal: AbortSignal) => Promise<IncomingMessage>

/** Which addresses redirects may lead to. */
type RedirectRules = { readonly rules: AddressRules; readonly resolveHost: ResolveHost }

/**
 * Makes a function that sends a GET and follows up to 3 redirects. A redirect must keep the scheme and lead to an
 * address that the rules allow. A store at an address that the rules refuse may redirect only to its own host and port.
 * Credentials and other headers of the store go only to the first origin. Compressed answers are refused, because a
 * small body could decompress to a huge one.
 */
export function makeSendGet({ rules, resolveHost }: RedirectRules): SendGet {
  const checkRedirect = makeRedirectCheck({ rules, resolveHost })
  return async (target, signal) => {
    let { url } = target
    let headers: Record<string, string> = { ...target.headers, 'accept-encoding': 'identity', 'user-agent': 'floe' }
    let response = await sendOnce(url, { headers, signal })
    // The address of this connection, because another DNS query could return another one. A broken connection has none.
    const { remoteAddress } = response.socket
    const isInternal = remoteAddress !== undefined && rules(remoteAddress) !== undefined
    for (let hops = 0; redirects.has(response.statusCode); hops++) {
      drop(response)
      const { statusCode: status } = response
      if (hops === maxRedirects) throw new RequestFault({ status, advice: `redirected more than ${hops} times` })
      const next = readLocation(response, url)
      if (next.origin !== url.origin) {
        const advice = 'a store at an internal address may redirect only to its own host and port'
        if (isInternal) throw new RequestFault({ status, advice })
        headers = keepGeneralHeaders(headers)
      }
      response = await sendOnce(next, { headers, signal, ...(!isInternal && checkRedirect(next, status, signal)) })
      url = next
    }
    return refuseCompressed(response)
  }
}

/** Sends a GET; redirects may lead to public addresses. */
export const sendGet = makeSendGet({ rules: makeAddressRules([]), resolveHost })

/**
 * Makes a function that checks the target of a redirect and returns how to connect to it. The addresses of a name are
 * checked when the connection is opened. Redirects have agents of their own, so that they never reuse a connection that
 * was opened without this check.
 */
function makeRedirectCheck({ rules, resolveHost }: RedirectRules) {
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }
  return (url: URL, status: number | undefined, signal: AbortSignal): RequestOptions => {
    const check = (host: string, addresses: readonly string[]) => {
      const { allowed, refusal } = checkAddresses(host, addresses, rules)
      if (refusal === undefined) return allowed
      throw new RequestFault({ status, advice: `the redirect leads to an address that is ${refusal}` })
    }
    const host = readHost(url)
    if (isIP(host) !== 0) check(host, [host])
    return {
      agent: url.protocol === 'https:' ? agents.https : agents.http,
      lookup: makeLookup(async (name) => check(name, await resolveHost(name, signal))),
    }
  }
}

/** Sends a GET, and follows no redirect. Throws {@link RequestFault}. */
export function sendOnce(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    request(url, options)
      .on('response', resolve)
      .on('error', (error) => reject(toRequestFault(error)))
      .end()
  })
}

function readLocation({ statusCode: status, headers: { location } }: IncomingMessage, base: URL): URL {
  const url = location === undefined ? null : URL.parse(location, base)
  if (url?.protocol === base.protocol && url.username === '' && url.password === '') return url
  throw new RequestFault({ status, advice: 'the redirect does not lead to an address of the same scheme' })
}

/**
 * Interprets the response to a GET of an object. `etag` is the version of the object in the response.
 *
 * Throws {@link RequestFault} for every status except 200, 206, 304, 404, 410 and 416.
 */
export function toAnswer(response: IncomingMessage, etag: string | undefined): Answer {
  const { statusCode: status, headers } = response
  if (status === 200 || status === 206) {
    const contentRange = status === 206 ? (headers['content-range'] ?? '') : undefined
    return { state: 'found', body: response, length: readLength(response), contentRange, etag }
  }
  drop(response)
  if (status === 304) return { state: 'unchanged' }
  if (status === 404 || status === 410) return { state: 'absent' }
  if (status === 416) return { state: 'beyond' }
  throw new RequestFault({ status })
}

function readLength({ headers }: IncomingMessage): number | undefined {
  const text = headers['content-length'] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/**
 * Discards an answer without reading its body. The connection can be used again only if the whole answer has arrived.
 */
export function drop(response: IncomingMessage): void {
  if (response.complete) response.resume()
  else response.destroy()
}

function refuseCompressed(response: IncomingMessage): IncomingMessage {
  const encoding = response.headers['content-encoding'] ?? ''
  if (encoding === '' || encoding.toLowerCase() === 'identity') return response
  drop(response)
  throw new RequestFault({
    status: response.statusCode,
    advice: 'the answer is compressed, although the request did not allow it',
  })
}

/** Returns the headers that contain nothing about the caller. Any other one may be a credential. */
function keepGeneralHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => generalHeaders.has(name)))
}
