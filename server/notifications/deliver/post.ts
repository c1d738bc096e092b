// One POST over HTTPS to an address that the rules allow. The name is resolved once, every address is judged, and the connection goes to
// one of the judged addresses; a kept connection was judged when it was made. Nothing is followed, inflated or sent through a proxy.
import type { LookupAddress } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { callbackify } from 'node:util'
import type { AddressRules } from './address-rules.ts'
import { hostOf } from './receiver-url.ts'
import type { ResolveHost } from './resolve-host.ts'

/** What is sent. */
export type PostRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came back. */
export type PostResponse = {
  readonly status: number
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
  /** The first 16 KB of the body as it came. */
  readonly start: Buffer
}

/** No full response came; the message says what went wrong, for the person who set the receiver up. */
export class PostError extends Error {
  override name = 'PostError'
  /** The status, when it came before the failure. */
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** A way out of the house for notifications. */
export type Poster = {
  /**
   * @param signal bounds the whole exchange, from the look-up of the name to the end of the body
   * @throws {@link PostError}
   */
  readonly post: (request: PostRequest, signal: AbortSignal) => Promise<PostResponse>
  /** Closes the connections that are kept open. */
  readonly close: () => void
}

/** How a {@link Poster} finds and judges receivers. */
export type PosterOptions = {
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** Certificates in PEM form that are trusted besides the usual ones. */
  readonly extraCa?: string | undefined
}

/** Of a longer body no more is read, and the status decides. */
const maxBodyBytes = 256_000
const startBytes = 16_384
const maxHeaderBytes = 16_384

/** Less than the five seconds for which Node.js servers keep idle connections, so that few are found closed. */
const idleTimeoutMs = 4_000

/** Opens a {@link Poster}; close it when it is no longer needed. */
export function openPoster({ rules, resolveHost, extraCa }: PosterOptions): Poster {
  const ca = extraCa === undefined ? undefined : [...getCACertificates(), extraCa]
  const agent = new Agent({
    keepAlive: true,
    timeout: idleTimeoutMs,
    // Made once: reading all the usual certificates takes longer than an exchange.
    secureContext: createSecureContext({ ca }),
    // Said here because NODE_TLS_REJECT_UNAUTHORIZED could say otherwise.
    rejectUnauthorized: true,
  })
  return {
    async post(message, signal) {
      const host = hostOf(message.url)
      if (isIP(host) !== 0) refuseAddresses([host], rules)
      const lookup = lookupWith(rules, (host) => resolveHost(host, signal))
      for (;;) {
        const response = await exchange(message, { agent, lookup, signal })
        if (response !== 'stale') return response
      }
    },
    close: () => agent.destroy(),
  }
}

/** The look-up of one connection. A host that is written as an address is connected to without it. */
function lookupWith(rules: AddressRules, resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  const judge = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(host)
    refuseAddresses(addresses, rules)
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return (host, _options, callback) => callbackify(judge)(host, callback)
}

/** One refused address refuses the host: which of several is connected to must not be left to chance. */
function refuseAddresses(addresses: readonly string[], rules: AddressRules): void {
  for (const address of addresses) {
    const refusal = rules(address)
    // The address itself is not named: it could tell of a network that the reader of the message cannot see.
    if (refusal !== undefined) throw new PostError(`refused: its host leads to an address that is ${refusal}`)
  }
}

type Connection = { readonly agent: Agent; readonly lookup: LookupFunction; readonly signal: AbortSignal }

/** One exchange; `stale` when it met a kept connection that the receiver had closed before it saw the request. */
async function exchange({ url, headers, body }: PostRequest, connection: Connection): Promise<PostResponse | 'stale'> {
  const sent = request(url, { method: 'POST', headers, maxHeaderSize: maxHeaderBytes, ...connection })
  const stage = stageOf(sent, url)
  let status: number | undefined
  try {
    const response = await send(sent, body)
    status = response.statusCode ?? 0
    return { status, retryAfter: response.headers['retry-after'], start: await readStart(response) }
  } catch (cause) {
    sent.destroy()
    if (status === undefined && sent.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(codeOf(cause))) return 'stale'
    throw explain(cause, status === undefined ? stage() : 'reading the body of the response', status, connection.signal)
  }
}

function send(sent: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    // Kept after the response: what then fails is an error of the response too, and is handled there.
    sent.on('error', reject)
    // Without an error when the response asks to change the protocol.
    sent.on('close', () => reject(new Error('the connection was closed')))
    sent.end(body)
  })
}

/** Reads up to the limit; leaving earlier closes the connection. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  for await (const chunk of response) {
    // No encoding is set, so that chunks are bytes.
    const bytes = chunk as Buffer
    if (keptBytes < startBytes) kept.push(bytes.subarray(0, startBytes - keptBytes))
    keptBytes = Math.min(keptBytes + bytes.length, startBytes)
    readBytes += bytes.length
    if (readBytes >= maxBodyBytes) break
  }
  return Buffer.concat(kept)
}

/** What an exchange that has no response yet is waiting for. */
function stageOf(sent: ClientRequest, url: URL): () => string {
  let stage = 'waiting for the response'
  sent.once('socket', (socket) => {
    // A kept connection is past all this.
    if (!socket.connecting) return
    const enter = (next: string) => () => {
      stage = next
    }
    stage = isIP(hostOf(url)) === 0 ? 'looking up the name of the host' : 'connecting'
    socket.once('lookup', (error: Error | null) => {
      if (!error) stage = 'connecting'
    })
    socket.once('connect', enter('agreeing on encryption'))
    socket.once('secureConnect', enter('waiting for the response'))
  })
  return () => stage
}

function explain(cause: unknown, stage: string, status: number | undefined, signal: AbortSignal): PostError {
  if (cause instanceof PostError) return cause
  if (signal.aborted) return new PostError(`took too long, ended while ${stage}`, status, { cause })
  // The error of several refused connections has a code, and no message.
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : codeOf(cause)
  return new PostError(`failed while ${stage}: ${reason}`, status, { cause })
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
