// One POST over HTTPS to an address that the rules allow. The name is resolved once, every address is judged, and the connection goes to
// one of the judged addresses; a kept connection was judged when it was made. Nothing is followed, inflated or sent through a proxy.
import type { LookupAddress } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type PeerCertificate, TLSSocket } from 'node:tls'
import { callbackify } from 'node:util'
import type { AddressRules } from '../../receivers/address-rules.ts'
import { readErrorCode, explainExchange, type ExchangeStage } from './explain-exchange.ts'
import { judgeHost } from '../../receivers/judge-host.ts'
import { readHost } from '../../receivers/receiver-url.ts'
import type { ResolveHost } from '../../receivers/resolve-host.ts'

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

/** How long a whole exchange may take, from the look-up of the name to the end of the body. */
export type Budget = {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** The time as messages tell it, in milliseconds. */
  readonly ms: number
}

/** A budget that begins now. */
export function startBudget(ms: number): Budget {
  return { signal: AbortSignal.timeout(ms), ms }
}

/** A way out of the house for notifications. */
export type Poster = {
  /** @throws {@link PostError} */
  readonly post: (request: PostRequest, budget: Budget) => Promise<PostResponse>
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
    async post(message, budget) {
      const host = readHost(message.url)
      if (isIP(host) !== 0) judgeAddresses(host, [host], rules)
      const lookup = makeLookup(rules, (host) => resolveHost(host, budget.signal))
      for (;;) {
        const response = await exchange(message, { agent, lookup }, budget)
        if (response !== 'stale') return response
      }
    },
    close: () => agent.destroy(),
  }
}

/** The look-up of one connection. A host that is written as an address is connected to without it. */
function makeLookup(rules: AddressRules, resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  const judge = async (host: string): Promise<LookupAddress[]> =>
    judgeAddresses(host, await resolve(host), rules).map((address) => ({ address, family: isIP(address) }))
  return (host, _options, callback) => callbackify(judge)(host, callback)
}

function judgeAddresses(host: string, addresses: readonly string[], rules: AddressRules): readonly string[] {
  const { allowed, refusal } = judgeHost(host, addresses, rules)
  if (refusal !== undefined) throw new PostError(`refused: its host leads to an address that is ${refusal}`)
  return allowed
}

type Connection = { readonly agent: Agent; readonly lookup: LookupFunction }

/** One exchange; `stale` when it met a kept connection that the receiver had closed before it saw the request. */
async function exchange(
  { url, headers, body }: PostRequest,
  connection: Connection,
  { signal, ms }: Budget,
): Promise<PostResponse | 'stale'> {
  const sent = request(url, { method: 'POST', headers, maxHeaderSize: maxHeaderBytes, signal, ...connection })
  const progress = trackProgress(sent, url)
  let status: number | undefined
  try {
    const response = await send(sent, body)
    status = response.statusCode ?? 0
    return { status, retryAfter: response.headers['retry-after'], start: await readStart(response) }
  } catch (cause) {
    sent.destroy()
    if (status === undefined && sent.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(readErrorCode(cause) ?? ''))
      return 'stale'
    if (cause instanceof PostError) throw cause
    const stage = status === undefined ? progress.stage : 'body'
    const timedOutAfterMs = signal.aborted ? ms : undefined
    const { certificate } = progress
    throw new PostError(explainExchange({ url, cause, stage, timedOutAfterMs, certificate }), status, { cause })
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

/** How far an exchange that has no response yet has come. */
type Progress = { stage: ExchangeStage; certificate: PeerCertificate | undefined }

/** Notes how far an exchange comes. */
function trackProgress(sent: ClientRequest, url: URL): Progress {
  const progress: Progress = { stage: 'response', certificate: undefined }
  const enter = (stage: ExchangeStage) => () => {
    progress.stage = stage
  }
  sent.once('socket', (socket) => {
    // A kept connection is past all this.
    if (!socket.connecting || !(socket instanceof TLSSocket)) return
    progress.stage = isIP(readHost(url)) === 0 ? 'look-up' : 'connection'
    socket.once('lookup', (error: Error | null) => {
      if (!error) progress.stage = 'connection'
    })
    socket.once('connect', enter('encryption'))
    // Comes before the certificate is judged; a connection whose certificate is refused shows it no more.
    socket.prependOnceListener('secure', () => {
      progress.certificate = socket.getPeerCertificate()
    })
    socket.once('secureConnect', enter('response'))
  })
  return progress
}
