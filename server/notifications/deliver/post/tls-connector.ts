// Opens TLS connections to judged addresses, and says how far each has come.
import { constants } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { connect, createSecureContext, getCACertificates, type PeerCertificate, type TLSSocket } from 'node:tls'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { ExchangeStage } from './explain-exchange.ts'

/** Who waits for a connection. */
export type Opener = {
  /** Returns the addresses of a host that may be connected to. Rejects when the host is refused or cannot be resolved. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  stage: ExchangeStage
  /** The receiver's certificate, as soon as it is known. */
  certificate: PeerCertificate | undefined
}

/** Where a connection leads. The host has no brackets. */
type Destination = { readonly host: string; readonly port: number }

/**
 * Opens a connection. `onOpen` is called once: when the certificate was verified, or with the reason of a failure. `onRead` is called
 * with the number of bytes of each piece that is read.
 */
export type TlsConnector = (
  destination: Destination,
  opener: Opener,
  onOpen: (error: Error | undefined) => void,
  onRead: (bytes: number) => void,
) => TLSSocket

/** TLS sessions to resume, as many as Node.js itself keeps. */
const maxSessions = 100

/** Makes a connector that trusts the usual certificates, and those in PEM form in `extraCa`. */
export function openTlsConnector(extraCa: string | undefined): TlsConnector {
  const ca = extraCa === undefined ? undefined : [...getCACertificates(), extraCa]
  const security = {
    // Made once: reading all the usual certificates takes longer than an exchange.
    // In TLS 1.2 a receiver could ask for one handshake after another, each of which takes milliseconds.
    secureContext: createSecureContext({ ca, secureOptions: constants.SSL_OP_NO_RENEGOTIATION }),
    // Set here because the variable NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
    rejectUnauthorized: true,
    // This keeps undici from HTTP/2; its option `allowH2` does nothing for a connector that is not its own.
    ALPNProtocols: ['http/1.1'],
  }
  const sessions = new LRUCache<string, Buffer>({ max: maxSessions })
  return ({ host, port }, opener, onOpen, onRead) => {
    const key = `${host}:${port}`
    const isName = isIP(host) === 0
    opener.stage = isName ? 'look-up' : 'connection'
    const socket = connect({
      ...security,
      host,
      port,
      // A server name is never an address (RFC 6066, section 3). The certificate is compared with the host in both cases.
      servername: isName ? host : '',
      session: sessions.get(key),
      lookup: makeLookup(opener),
    })
    trackOpening(socket, opener)
    socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs)
    socket.once('error', onOpen)
    socket.once('secureConnect', () => {
      socket.off('error', onOpen)
      onOpen(undefined)
    })
    // Some errors of TLS do not close the connection.
    socket.on('error', () => socket.destroy())
    socket.once('close', (isBroken) => isBroken && sessions.delete(key))
    socket.on('session', (session) => {
      sessions.set(key, session)
      // A ticket for a later session is not data, but takes time too.
      onRead(0)
    })
    countReads(socket, onRead)
    return socket
  }
}

/** The system asks whether an idle connection still exists after this time, in milliseconds. */
const keepAliveDelayMs = 1_000

/** Makes the look-up function for one connection. Node.js does not call it for a host that is written as an address. */
function makeLookup({ resolve }: Opener): LookupFunction {
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

function trackOpening(socket: TLSSocket, opener: Opener): void {
  socket.once('lookup', (error: Error | null) => {
    if (!error) opener.stage = 'connection'
  })
  socket.once('connect', () => (opener.stage = 'encryption'))
  // This event comes before the certificate is judged. Once it is refused, the socket no longer shows it.
  socket.prependOnceListener('secure', () => (opener.certificate = socket.getPeerCertificate()))
  socket.once('secureConnect', () => (opener.stage = 'response'))
}

/** Node.js passes each record that it has decrypted to `push`. The events of the socket join records that came together. */
function countReads(socket: TLSSocket, onRead: (bytes: number) => void): void {
  const push = socket.push.bind(socket)
  socket.push = (chunk: Buffer | null) => {
    if (chunk !== null) onRead(chunk.length)
    return push(chunk)
  }
}
