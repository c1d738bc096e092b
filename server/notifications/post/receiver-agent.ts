// Opens connections to receivers: TLS to checked addresses or through a proxy, or plain HTTP to this machine if that is
// allowed. A connection stays open for two seconds after an exchange, and for five minutes at most.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect, type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls'
import { makeLookup, readHost, type ResolveHost } from '@floe/storage/addresses'
import { Agent, type buildConnector } from 'undici'
import type { Timing } from '../../timing.ts'
import { findProxy, type ReceiverProxy } from '../receivers/receiver-proxy.ts'
import { type ExchangeStage, explainExchange, PostError } from './explain-exchange.ts'
import { limitAnswers } from './limit-answers.ts'
import { makeContexts, type TlsOptions } from './tls-contexts.ts'
import { TlsSessions } from './tls-sessions.ts'
import { judgeHere, Tunnels } from './tunnels.ts'

type AgentOptions = TlsOptions & {
  /**
   * Returns the addresses of a host that may be connected to. Rejects when the host is refused or cannot be resolved.
   */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Looks up the proxy. */
  readonly resolveHost: ResolveHost
  readonly proxy: ReceiverProxy | undefined
  /** The setting that names further authorities, for messages. */
  readonly authoritySetting?: string | undefined
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
}

/** A connection that is being opened. */
type Opening = Pick<AgentOptions, 'authoritySetting'> & {
  readonly url: URL
  stage: ExchangeStage
  certificate: PeerCertificate | undefined
}

/** Maximum number of connections to one origin (host and port): as many as it can have attempts in flight. */
const maxConnections = 256

/**
 * How long an idle connection stays open for the next delivery, in milliseconds. It takes about 50 KB; opening another
 * one takes half as long as a delivery.
 */
const idleMs = 2_000

/**
 * After this time by the stopwatch, in milliseconds, the next request opens a new connection, which judges name and
 * address again, and the certificate unless it resumes a session of TLS.
 */
const maxConnectionMs = 300_000

const maxHeaderBytes = 16_384

/** Longest opening of a connection, in milliseconds. An exchange that waits for it ends at about the same time. */
const openMs = 5_000

/** The addresses of this machine. */
const loopback = ['127.0.0.1', '::1']

/** Idle time before the first TCP keep-alive probe, in milliseconds. */
const keepAliveDelayMs = 1_000

/** Sends requests over connections that {@link makeConnector} opens. */
export class ReceiverAgent extends Agent {
  /** The connections that are being opened: the newest of each origin. */
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
  const { proxy, resolve, resolveHost, authoritySetting, timing } = options
  const findContext = makeContexts(options)
  const openSocket = makeSocketOpener(options, findContext)
  const tunnels = proxy && new Tunnels({ proxy, resolveHost, findContext })
  return ({ protocol, host = '' }, callback) => {
    const url = new URL(`${protocol}//${host}`)
    const tunnel = findProxy(proxy, url) && tunnels
    const stage = tunnel ? 'proxy' : isIP(readHost(url)) === 0 && protocol === 'https:' ? 'look-up' : 'connection'
    const opening: Opening = { url, stage, certificate: undefined, authoritySetting }
    openings.set(url.origin, opening)
    const limit = new AbortController()
    const { signal } = limit
    let socket: Socket | undefined
    const cancelLimit = timing.after(openMs, () => {
      limit.abort()
      socket?.destroy(new Error('the time is over'))
    })
    const settle = () => {
      cancelLimit()
      if (openings.get(url.origin) === opening) openings.delete(url.origin)
    }
    const fail = (cause: unknown) => {
      settle()
      callback(explainFailure(opening, cause, signal), null)
    }
    const open = (through?: Socket) => {
      const opened = openSocket(opening, signal, through)
      socket = opened
      opened.once('error', fail)
      opened.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', () => {
        settle()
        opened.off('error', fail)
        // Some errors of TLS do not close the connection.
        opened.on('error', () => opened.destroy())
        callback(null, opened)
      })
    }
    if (!tunnel) return open()
    judgeHere(readHost(url), resolve, signal)
      .then(() => tunnel.open(url, signal))
      .then(open)
      .catch(fail)
  }
}

function makeSocketOpener({ resolve, timing }: AgentOptions, findContext: (host: string) => SecureContext) {
  const sessions = new TlsSessions(timing)
  /** @param through the connection that a proxy has opened */
  return (opening: Opening, signal: AbortSignal, through: Socket | undefined): Socket => {
    const { url } = opening
    const host = readHost(url)
    const openedMs = timing.elapsed()
    const isTooOld = () => timing.elapsed() - openedMs > maxConnectionMs
    if (url.protocol === 'http:') return openPlainSocket(url, isTooOld)
    const session = sessions.find(url.origin)
    const way = through ? { socket: through } : { lookup: makeLookup((name) => resolve(name, signal)) }
    if (through) opening.stage = 'encryption'
    const socket = connect({
      secureContext: findContext(host),
      // The environment variable NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      host,
      port: url.port === '' ? 443 : Number(url.port),
      // A server name is never an address (RFC 6066, section 3). The certificate is compared with the host in both
      // cases.
      servername: isIP(host) === 0 ? host : '',
      session: session?.ticket,
      ...way,
    })
    socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
    sessions.keep(url.origin, socket, session)
    // After the handshake, undici also closes idle connections like broken ones.
    const forget = () => sessions.forget(url.origin)
    socket.once('error', forget)
    socket.once('secureConnect', () => socket.off('error', forget))
    trackOpening(socket, opening)
    limitAnswers(socket, url, isTooOld)
    return socket
  }
}

/** Connects to this machine, also if a hosts file has another address for `localhost`. */
function openPlainSocket(url: URL, isTooOld: () => boolean): Socket {
  const host = readHost(url)
  const socket = connectPlain({ host, port: Number(url.port || 80), lookup: makeLookup(async () => loopback) })
  socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
  limitAnswers(socket, url, isTooOld)
  return socket
}

function explainFailure(opening: Opening, cause: unknown, signal: AbortSignal): PostError {
  if (cause instanceof PostError) return cause
  const timedOutAfterMs = signal.aborted ? openMs : undefined
  return new PostError(explainExchange({ ...opening, cause, timedOutAfterMs }), undefined, { cause })
}

function trackOpening(socket: TLSSocket, opening: Opening): void {
  socket.once('lookup', (error: Error | null) => {
    if (!error) opening.stage = 'connection'
  })
  socket.once('connect', () => (opening.stage = 'encryption'))
  // At this event the certificate is not checked yet; once it is refused, the socket does not show it any more. Reading
  // it takes a tenth of a delivery, and a resumed session does not check it again.
  socket.prependOnceListener('secure', () => {
    if (!socket.isSessionReused()) opening.certificate = socket.getPeerCertificate()
  })
}
