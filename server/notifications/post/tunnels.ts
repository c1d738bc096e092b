// Opens connections to receivers through a proxy (`CONNECT`: RFC 9110, section 9.3.6).
import { request } from 'node:http'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect, type SecureContext } from 'node:tls'
import { makeLookup, readHost, type ResolveHost } from '@floe/storage/addresses'
import { ProxyRefusal, type ReceiverProxy } from '../receivers/receiver-proxy.ts'
import { PostError } from './explain-exchange.ts'

type TunnelOptions = {
  readonly proxy: ReceiverProxy
  readonly findContext: (host: string) => SecureContext
  /** Looks up the proxy itself. */
  readonly resolveHost: ResolveHost
}

/** Largest answer of a proxy, in bytes. */
const maxHeaderBytes = 16_384

/**
 * How long the name of a receiver is looked up here, in milliseconds. In a network behind a proxy, its name servers may
 * not answer about other networks.
 */
const lookUpMs = 1_000

/** Opens connections through one proxy. */
export class Tunnels {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    this.#options = options
  }

  /**
   * Opens a connection to a receiver. The proxy gets the name, because many proxies decide by names.
   *
   * @throws {@link ProxyRefusal}; PostError if the receiver does not speak TLS; errors of the connection to the proxy
   */
  open(receiver: URL, signal: AbortSignal): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const { authorization } = this.#options.proxy
    const authority = `${receiver.hostname}:${receiver.port || '443'}`
    const connecting = request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      // Without an agent, NODE_USE_ENV_PROXY does not put another proxy before this one.
      createConnection: () => this.connect(signal),
      maxHeaderSize: maxHeaderBytes,
      signal,
    })
    connecting.once('error', reject)
    connecting.once('connect', ({ statusCode = 0 }, socket: Socket, start) => {
      // From here on, its errors are those of the encryption that it carries.
      socket.on('error', () => {})
      const isOpen = statusCode >= 200 && statusCode < 300
      if (isOpen && start.length === 0) return resolve(socket)
      socket.destroy()
      // A receiver that speaks TLS does not begin.
      const early = new PostError(`${receiver.hostname} does not speak https on port ${receiver.port || '443'}`)
      reject(isOpen ? early : new ProxyRefusal(statusCode))
    })
    connecting.end()
    return promise
  }

  /** Opens a connection to the proxy itself. */
  connect(signal: AbortSignal): Socket {
    const { proxy, findContext, resolveHost } = this.#options
    const isEncrypted = proxy.url.protocol === 'https:'
    const host = readHost(proxy.url)
    const address = {
      host,
      port: Number(proxy.url.port || (isEncrypted ? 443 : 80)),
      lookup: makeLookup((name) => resolveHost(name, signal)),
    }
    if (!isEncrypted) return connectPlain({ ...address, noDelay: true })
    // The environment variable NODE_TLS_REJECT_UNAUTHORIZED would switch the verification off.
    const tls = { secureContext: findContext(host), rejectUnauthorized: true, servername: isIP(host) === 0 ? host : '' }
    return connect({ ...address, ...tls, ALPNProtocols: ['http/1.1'] }).setNoDelay(true)
  }
}

/**
 * Judges a receiver that a proxy connects to by the addresses that its name has here. The proxy answers for a name that
 * has none here.
 *
 * @param resolve rejects with {@link PostError} when an address is refused, and otherwise when there is none
 * @throws PostError if the host is refused
 */
export async function judgeHere(
  host: string,
  resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  // The poster has judged addresses already.
  if (isIP(host) !== 0) return
  try {
    await resolve(host, AbortSignal.any([signal, AbortSignal.timeout(lookUpMs)]))
  } catch (error) {
    if (error instanceof PostError) throw error
    signal.throwIfAborted()
  }
}
