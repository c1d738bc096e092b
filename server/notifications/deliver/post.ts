// Sends one POST over HTTPS to an address that the rules allow. The name is resolved once, every address is judged, and the connection
// goes to one of the judged addresses; a reused connection was judged when it was opened. We follow no redirect, decompress nothing and
// use no proxy.
import type { LookupAddress } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type PeerCertificate, TLSSocket } from 'node:tls'
import { constants } from 'node:crypto'
import { callbackify } from 'node:util'
import type { AddressRules } from '../../receivers/address-rules.ts'
import { readErrorCode, explainExchange, type ExchangeStage } from './explain-exchange.ts'
import { type AnswerLimit, limitAnswer } from './limit-answer.ts'
import type { Budget } from './start-budget.ts'
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

/** No complete response arrived. The message explains what went wrong to the person who set the receiver up. */
export class PostError extends Error {
  override name = 'PostError'
  /** The status, if it arrived before the failure. */
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Sends requests to receivers. */
export type Poster = {
  /** @throws {@link PostError} */
  readonly post: (request: PostRequest, budget: Pick<Budget, 'signal' | 'ms'>) => Promise<PostResponse>
  /** Closes the idle connections. */
  readonly close: () => void
}

/** How a {@link Poster} finds and judges receivers. */
export type PosterOptions = {
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** Certificates in PEM form that are trusted besides the usual ones. */
  readonly extraCa?: string | undefined
}

/** We read at most this much of a body, in bytes, and keep its start; a longer body is no failure. */
const maxBodyBytes = 256_000
const startBytes = 16_384
const maxHeaderBytes = 16_384

/** Node.js servers close idle connections after five seconds. We close them earlier, so that few requests meet a closed one. */
const idleTimeoutMs = 4_000

/** Opens a {@link Poster}; close it when it is no longer needed. */
export function openPoster({ rules, resolveHost, extraCa }: PosterOptions): Poster {
  const ca = extraCa === undefined ? undefined : [...getCACertificates(), extraCa]
  const agent = new Agent({
    keepAlive: true,
    timeout: idleTimeoutMs,
    // Made once: reading all the usual certificates takes longer than an exchange.
    // In TLS 1.2 a receiver could ask for one handshake after another, each of which takes milliseconds.
    secureContext: createSecureContext({ ca, secureOptions: constants.SSL_OP_NO_RENEGOTIATION }),
    // Set here because the variable NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
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

/** Makes the look-up function for one connection. Node.js does not call it for a host that is written as an address. */
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

/** Makes one exchange; `stale` when it reused a connection that the receiver had closed before it saw the request. */
async function exchange(
  { url, headers, body }: PostRequest,
  connection: Connection,
  { signal, ms }: Pick<Budget, 'signal' | 'ms'>,
): Promise<PostResponse | 'stale'> {
  const sent = request(url, { method: 'POST', headers, maxHeaderSize: maxHeaderBytes, signal, ...connection })
  const progress = trackProgress(sent, url)
  const limit = limitAnswer(sent)
  let status: number | undefined
  try {
    const response = await send(sent, body)
    status = response.statusCode ?? 0
    return { status, retryAfter: response.headers['retry-after'], start: await readStart(response, limit) }
  } catch (cause) {
    sent.destroy()
    if (status === undefined && sent.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(readErrorCode(cause) ?? ''))
      return 'stale'
    if (cause instanceof PostError) throw cause
    if (limit.exceeded !== undefined) throw new PostError(`${url.hostname} ${limit.exceeded}`, status, { cause })
    const stage = status === undefined ? progress.stage : 'body'
    const timedOutAfterMs = signal.aborted ? ms : undefined
    const { certificate } = progress
    throw new PostError(explainExchange({ url, cause, stage, timedOutAfterMs, certificate }), status, { cause })
  }
}

function send(sent: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    // This stays after the response, when rejecting has no effect: the response reports the same error, and it is handled there.
    sent.on('error', reject)
    // When the response asks to change the protocol, the connection closes without an error.
    sent.on('close', () => reject(new Error('the connection was closed')))
    sent.end(body)
  })
}

/** Reads the body up to the limits. Stopping before the end closes the connection. */
async function readStart(response: IncomingMessage, limit: AnswerLimit): Promise<Buffer> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  try {
    for await (const chunk of response) {
      // No encoding is set, so chunks are bytes.
      const bytes = chunk as Buffer
      if (keptBytes < startBytes) kept.push(bytes.subarray(0, startBytes - keptBytes))
      keptBytes = Math.min(keptBytes + bytes.length, startBytes)
      readBytes += bytes.length
      if (readBytes >= maxBodyBytes) break
    }
  } catch (cause) {
    if (limit.exceeded === undefined) throw cause
  }
  return Buffer.concat(kept)
}

/** The stage of an exchange that has no response yet. */
type Progress = { stage: ExchangeStage; certificate: PeerCertificate | undefined }

/** Keeps track of the stage of an exchange. */
function trackProgress(sent: ClientRequest, url: URL): Progress {
  const progress: Progress = { stage: 'response', certificate: undefined }
  const enter = (stage: ExchangeStage) => () => {
    progress.stage = stage
  }
  sent.once('socket', (socket) => {
    // A reused connection has passed these stages.
    if (!socket.connecting || !(socket instanceof TLSSocket)) return
    progress.stage = isIP(readHost(url)) === 0 ? 'look-up' : 'connection'
    socket.once('lookup', (error: Error | null) => {
      if (!error) progress.stage = 'connection'
    })
    socket.once('connect', enter('encryption'))
    // This event comes before the certificate is judged. Once it is refused, the socket no longer shows it.
    socket.prependOnceListener('secure', () => {
      progress.certificate = socket.getPeerCertificate()
    })
    socket.once('secureConnect', enter('response'))
  })
  return progress
}
