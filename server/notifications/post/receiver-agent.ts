// Connects to receivers over TLS, only at judged addresses, or without TLS to this machine, and keeps each connection open for a short while after an exchange.
import { constants } from 'node:crypto'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect, createSecureContext, getCACertificates, type PeerCertificate, type TLSSocket } from 'node:tls'
import { makeLookup, readHost } from '@floe/storage/addresses'
import { LRUCache } from 'lru-cache'
import { Agent, type buildConnector } from 'undici'
import { type ExchangeStage, explainExchange, PostError } from './explain-exchange.ts'
import { limitAnswers } from './limit-answers.ts'

type AgentOptions = {
  /** Returns the addresses of a host that may be connected to. Rejects when the host is refused or cannot be resolved. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Certificates in PEM form, trusted in addition to those of Node.js. */
  readonly extraCa: string | undefined
}

type Opening = { readonly url: URL; stage: ExchangeStage; certificate: PeerCertificate | undefined }

/** Most connections to one origin (host and port): as many as it can have attempts in flight. */
const maxConnections = 256

/** Successive deliveries share a connection. An idle one takes about 50 KB, a handshake half as long as a delivery. */
const idleMs = 2_000

const maxHeaderBytes = 16_384

/** Longest opening of a connection, in milliseconds. An exchange that waits for it ends at about the same time. */
const openMs = 5_000

/** TLS sessions to resume, of about 1 KB each. A handshake without one takes twice as long. */
const maxSessions = 4_000

/** The addresses of this machine. */
const loopback = ['127.0.0.1', '::1']

/** Idle time before the first TCP keep-alive probe, in milliseconds. */
const keepAliveDelayMs = 1_000

export class ReceiverAgent extends Agent {
  /** The newest by origin. */
  readonly #openings: ReadonlyMap<string, Opening>

  constructor(options: AgentOptions) {
    const openings = new Map<string, Opening>()
    super({
      connect: makeConnector(options, openings),
      connections: maxConnections,
      allowH2: false,
      // The environment variable UNDICI_USE_MILO would choose another parser, which refuses HTTP/1.0.
      useMilo: false,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // Each exchange limits its time itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.#openings = openings
  }

  /** Returns what a request to an origin waits for before it is sent. */
  findStage(origin: string): ExchangeStage {
    return this.#openings.get(origin)?.stage ?? 'connection'
  }
}

/** Makes the function that calls back with a connection whose certificate is verified, or with a {@link PostError}. */
function makeConnector(options: AgentOptions, openings: Map<string, Opening>): buildConnector.connector {
  const openSocket = makeSocketOpener(options)
  return ({ protocol, host = '' }, callback) => {
    const url = new URL(`${protocol}//${host}`)
    const stage = isIP(readHost(url)) === 0 && protocol === 'https:' ? 'look-up' : 'connection'
    const opening: Opening = { url, stage, certificate: undefined }
    openings.set(url.origin, opening)
    const signal = AbortSignal.timeout(openMs)
    const socket = openSocket(opening, signal)
    const endTime = () => socket.destroy(new Error('the time is over'))
    const settle = () => {
      signal.removeEventListener('abort', endTime)
      if (openings.get(url.origin) === opening) openings.delete(url.origin)
    }
    const fail = (cause: Error) => {
      settle()
      callback(explainFailure(opening, cause, signal), null)
    }
    signal.addEventListener('abort', endTime)
    socket.once('error', fail)
    socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', () => {
      settle()
      socket.off('error', fail)
      // Some errors of TLS do not close the connection.
      socket.on('error', () => socket.destroy())
      callback(null, socket)
    })
  }
}

function makeSocketOpener({ resolve, extraCa }: AgentOptions): (opening: Opening, signal: AbortSignal) => Socket {
  const sessions = new LRUCache<string, Buffer>({ max: maxSessions })
  const ca = extraCa === undefined ? undefined : [...getCACertificates(), extraCa]
  // Made once, because reading all certificates takes longer than an exchange. Renegotiation is off, because in TLS 1.2 a receiver could
  // request one handshake after another, and each takes milliseconds.
  const secureContext = createSecureContext({ ca, secureOptions: constants.SSL_OP_NO_RENEGOTIATION })
  return (opening, signal) => {
    const { url, stage } = opening
    const host = readHost(url)
    if (url.protocol === 'http:') return openPlainSocket(opening)
    const socket = connect({
      secureContext,
      // The environment variable NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      host,
      port: url.port === '' ? 443 : Number(url.port),
      // A server name is never an address (RFC 6066, section 3). The certificate is compared with the host in both cases.
      servername: stage === 'look-up' ? host : '',
      session: sessions.get(url.origin),
      lookup: makeLookup((name) => resolve(name, signal)),
    })
    socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
    socket.on('session', (session) => sessions.set(url.origin, session))
    // After the handshake, undici also closes idle connections like broken ones.
    const forget = () => void sessions.delete(url.origin)
    socket.once('error', forget)
    socket.once('secureConnect', () => socket.off('error', forget))
    trackOpening(socket, opening)
    limitAnswers(socket, url)
    return socket
  }
}

/** Connects to this machine, also if a hosts file has another address for `localhost`. */
function openPlainSocket({ url }: Opening): Socket {
  const host = readHost(url)
  const socket = connectPlain({ host, port: Number(url.port || 80), lookup: makeLookup(async () => loopback) })
  socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
  limitAnswers(socket, url)
  return socket
}

function explainFailure({ url, stage, certificate }: Opening, cause: Error, signal: AbortSignal): PostError {
  if (cause instanceof PostError) return cause
  const timedOutAfterMs = signal.aborted ? openMs : undefined
  return new PostError(explainExchange({ url, cause, stage, certificate, timedOutAfterMs }), undefined, { cause })
}

function trackOpening(socket: TLSSocket, opening: Opening): void {
  socket.once('lookup', (error: Error | null) => {
    if (!error) opening.stage = 'connection'
  })
  socket.once('connect', () => (opening.stage = 'encryption'))
  // This event precedes the check of the certificate. The socket does not show a refused certificate.
  // Its certificate takes a tenth of a delivery, and is not checked again in a resumed session.
  socket.prependOnceListener('secure', () => {
    if (!socket.isSessionReused()) opening.certificate = socket.getPeerCertificate()
  })
}
