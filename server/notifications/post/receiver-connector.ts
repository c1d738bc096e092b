// Opens TLS connections to judged addresses.
import { constants } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { connect, createSecureContext, getCACertificates, type PeerCertificate, type TLSSocket } from 'node:tls'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { readHost } from '../receivers/receiver-url.ts'
import { type ExchangeStage, explainExchange, PostError } from './explain-exchange.ts'
import { limitAnswers } from './limit-answers.ts'

/** How connections are opened. */
export type ConnectorOptions = {
  /** Returns the addresses of a host that may be connected to. Rejects when the host is refused or cannot be resolved. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Certificates in PEM form that are trusted besides the usual ones. */
  readonly extraCa: string | undefined
}

/** A connection that is being opened. */
type Opening = { readonly url: URL; stage: ExchangeStage; certificate: PeerCertificate | undefined }

/** Longest opening of a connection, in milliseconds. An exchange that waits for it ends about the same time. */
const openMs = 5_000

/** TLS sessions to resume, as many as Node.js itself keeps. */
const maxSessions = 100

/** The system asks whether an idle connection still exists after this time, in milliseconds. */
const keepAliveDelayMs = 1_000

/** Opens connections for undici. */
export class ReceiverConnector {
  readonly #resolve: ConnectorOptions['resolve']
  readonly #security
  readonly #sessions = new LRUCache<string, Buffer>({ max: maxSessions })
  /** The newest by origin. */
  readonly #openings = new Map<string, Opening>()

  constructor({ resolve, extraCa }: ConnectorOptions) {
    this.#resolve = resolve
    const ca = extraCa === undefined ? undefined : [...getCACertificates(), extraCa]
    this.#security = {
      // Made once: reading all the usual certificates takes longer than an exchange.
      // In TLS 1.2 a receiver could ask for one handshake after another, each of which takes milliseconds.
      secureContext: createSecureContext({ ca, secureOptions: constants.SSL_OP_NO_RENEGOTIATION }),
      // Set here because the variable NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    }
  }

  /** Returns what a connection to an origin waits for. */
  findStage(origin: string): ExchangeStage {
    return this.#openings.get(origin)?.stage ?? 'connection'
  }

  /** Opens a connection. Calls back with it when the certificate was verified, or with a {@link PostError}. */
  readonly connect: buildConnector.connector = ({ protocol, host = '' }, callback) => {
    const url = new URL(`${protocol}//${host}`)
    const stage = isIP(readHost(url)) === 0 ? 'look-up' : 'connection'
    const opening: Opening = { url, stage, certificate: undefined }
    this.#openings.set(url.origin, opening)
    const signal = AbortSignal.timeout(openMs)
    const socket = this.#open(opening, signal)
    const endTime = () => socket.destroy(new Error('the time is over'))
    const settle = () => {
      signal.removeEventListener('abort', endTime)
      if (this.#openings.get(url.origin) === opening) this.#openings.delete(url.origin)
    }
    const fail = (cause: Error) => {
      settle()
      callback(explainFailure(opening, cause, signal), null)
    }
    signal.addEventListener('abort', endTime)
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      settle()
      socket.off('error', fail)
      // Some errors of TLS do not close the connection.
      socket.on('error', () => socket.destroy())
      callback(null, socket)
    })
  }

  #open(opening: Opening, signal: AbortSignal): TLSSocket {
    const { url, stage } = opening
    const host = readHost(url)
    const socket = connect({
      ...this.#security,
      host,
      port: url.port === '' ? 443 : Number(url.port),
      // A server name is never an address (RFC 6066, section 3). The certificate is compared with the host in both cases.
      servername: stage === 'look-up' ? host : '',
      session: this.#sessions.get(url.origin),
      lookup: makeLookup((name) => this.#resolve(name, signal)),
    })
    socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
    socket.on('session', (session) => this.#sessions.set(url.origin, session))
    socket.once('close', (isBroken) => isBroken && this.#sessions.delete(url.origin))
    trackOpening(socket, opening)
    limitAnswers(socket, url)
    return socket
  }
}

function explainFailure({ url, stage, certificate }: Opening, cause: Error, signal: AbortSignal): PostError {
  if (cause instanceof PostError) return cause
  const timedOutAfterMs = signal.aborted ? openMs : undefined
  return new PostError(explainExchange({ url, cause, stage, certificate, timedOutAfterMs }), undefined, { cause })
}

/** Makes the look-up function for one connection. Node.js does not call it for a host that is written as an address. */
function makeLookup(resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  const list = async (host: string): Promise<LookupAddress[]> =>
    (await resolve(host)).map((address) => ({ address, family: isIP(address) }))
  return (host, { all }, callback) =>
    callbackify(list)(host, (error, addresses) => {
      const first = addresses?.[0]
      // With the option --no-network-family-autoselection, Node.js tries only one address, and asks for it alone.
      if (all || first === undefined) callback(error, addresses)
      else callback(null, first.address, first.family)
    })
}

function trackOpening(socket: TLSSocket, opening: Opening): void {
  socket.once('lookup', (error: Error | null) => {
    if (!error) opening.stage = 'connection'
  })
  socket.once('connect', () => (opening.stage = 'encryption'))
  // This event comes before the certificate is judged. Once it is refused, the socket no longer shows it.
  socket.prependOnceListener('secure', () => (opening.certificate = socket.getPeerCertificate()))
}
