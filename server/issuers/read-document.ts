// The way to an issuer: reads its discovery document and its keys, and sends what sign-in needs. The addresses at the
// origin of the issuer may be anywhere, because the operator has named it. Those at other origins were chosen by the
// issuer, and must be public, as those of receivers.
import { isIP } from 'node:net'
import { checkAddresses, makeAddressRules, readHost, type ResolveHost } from '@floe/storage/addresses'
import { PostError } from '../notifications/post/explain-exchange.ts'
import type { ReceiverProxy } from '../notifications/receivers/receiver-proxy.ts'
import type { Timing } from '../timing.ts'

/** An issuer does not answer, or with something else than what it should. The message is for operators. */
export class IssuerError extends Error {
  override name = 'IssuerError'
}

export type IssuerConnection = {
  /** Undefined for documents of anyone, whose addresses must all be public. */
  readonly issuer?: string
  /** Certificates in PEM form, trusted in addition to those of Node.js. */
  readonly extraCa: string | undefined
  readonly resolveHost: ResolveHost
  /** Default: none. */
  readonly proxy?: ReceiverProxy | undefined
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
}

/** Sends a request to an address of an issuer. @throws {@link IssuerError} if there is no whole answer */
export type AskIssuer = (
  address: string,
  request: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string | null },
) => Promise<Response>

/** Returns the JSON at an address. @throws {@link IssuerError} */
export type ReadDocument = (address: string) => Promise<unknown>

/** Longest reading of a document, in milliseconds. */
const readLimitMs = 5_000

/** Makes the function that reads documents. */
export function makeDocumentReader(connection: IssuerConnection): ReadDocument {
  const ask = makeIssuerCalls(connection)
  return async (address) => {
    const answer = await ask(address, { method: 'GET', headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw new IssuerError(`${address} answers with status ${answer.status}`)
    try {
      return await answer.json()
    } catch (cause) {
      throw new IssuerError(`${address} cannot be read: it is not JSON`, { cause })
    }
  }
}

/** Makes the function that sends requests. An answer of more than 512 kB is refused while it arrives. */
export function makeIssuerCalls(connection: IssuerConnection): AskIssuer {
  const { issuer, resolveHost, timing } = connection
  const origin = issuer === undefined ? undefined : new URL(issuer).origin
  const rules = makeAddressRules([])
  const requirePublic = (host: string, addresses: readonly string[]) => {
    const { allowed, refusal } = checkAddresses(host, addresses, rules)
    if (refusal === undefined) return allowed
    const stranger = issuer === undefined ? '' : `is not the host of ${issuer}, and `
    throw new PostError(`${host} ${stranger}leads to an address that is ${refusal}`)
  }
  const resolvePublic: ResolveHost = async (host, signal) => requirePublic(host, await resolveHost(host, signal))
  let agents: ReturnType<typeof openAgents> | undefined
  return async (address, { method, headers, body: sent = null }) => {
    const url = URL.parse(address)
    const isOwn = url?.origin === origin
    if (url === null || !(isOwn || url.protocol === 'https:'))
      throw new IssuerError(`${issuer ?? address} names no https address`)
    const { own, foreign } = await (agents ??= openAgents(connection, resolvePublic))
    const host = readHost(url)
    const limit = new AbortController()
    const cancelLimit = timing.after(readLimitMs, () => limit.abort(new PostError('took too long')))
    try {
      // Node.js does not look addresses up.
      if (!isOwn && isIP(host) !== 0) requirePublic(host, [host])
      const answer = await (isOwn ? own : foreign).request({
        origin: url.origin,
        method,
        path: url.pathname + url.search,
        headers,
        body: sent,
        // There is nothing to ask for minutes.
        reset: true,
        signal: limit.signal,
      })
      const type = String(answer.headers['content-type'] ?? '')
      return new Response(await answer.body.arrayBuffer(), {
        status: answer.statusCode,
        headers: { 'content-type': type },
      })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new IssuerError(`${url.origin}${url.pathname} cannot be read: ${reason}`, { cause })
    } finally {
      cancelLimit()
    }
  }
}

/** Opens connections to the origin of the issuer, and to others. */
async function openAgents(connection: IssuerConnection, resolvePublic: ResolveHost) {
  // Loaded with the first request, because undici and certificates take 40 ms and 10 MB.
  const { ReceiverAgent } = await import('../notifications/post/receiver-agent.ts')
  const { resolveHost, proxy, extraCa, timing } = connection
  const authoritySetting = 'caFile of this issuer'
  const options = { resolveHost, proxy, extraCa, clientCertificates: [], authoritySetting, timing }
  const open = (resolve: ResolveHost) => new ReceiverAgent({ ...options, resolve })
  return { own: open(resolveHost), foreign: open(resolvePublic) }
}
