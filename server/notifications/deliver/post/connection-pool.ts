// Connections to receivers, which are kept for a short while after an exchange.
import { Client, type Dispatcher } from 'undici'
import type { TLSSocket } from 'node:tls'
import { readHost } from '../../../receivers/receiver-url.ts'
import type { Opener, TlsConnector } from './tls-connector.ts'

/** One exchange on a connection: what undici calls, and what it learns of the connection. */
export type ConnectionUser = Opener &
  Required<Omit<Dispatcher.DispatchHandler, 'onRequestUpgrade' | 'onBodySent' | 'onRequestSent'>> & {
    /** Called with the number of bytes of each piece that is read. */
    readonly onRead: (bytes: number) => void
    /** Set when the connection is opened for this exchange. */
    isFirst: boolean
  }

const maxHeaderBytes = 16_384

/** Node.js servers close idle connections after five seconds. We close them earlier, so that few requests meet a closed one. */
const idleTimeoutMs = 4_000

/** Most idle connections. Each takes about 50 KB. */
const maxIdle = 256

/** A connection to one receiver, for one exchange at a time. It is opened for its first exchange, and again when it was closed meanwhile. */
export class Connection {
  readonly origin: string
  readonly #client: Client
  #socket: TLSSocket | undefined
  #user: ConnectionUser | undefined

  /** @param onClose called when it was closed */
  constructor(url: URL, connect: TlsConnector, onClose: (connection: Connection) => void) {
    this.origin = url.origin
    const destination = { host: readHost(url), port: url.port === '' ? 443 : Number(url.port) }
    this.#client = new Client(url.origin, {
      // Set here because the variable UNDICI_USE_MILO would choose another parser, which refuses HTTP/1.0.
      useMilo: false,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
      // The user of the connection limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        const user = this.#user
        if (user === undefined) throw new Error('a connection is opened only for an exchange')
        user.isFirst = true
        const onOpen = (error: Error | undefined) => (error ? callback(error, null) : callback(null, socket))
        const socket = connect(destination, user, onOpen, (bytes) => this.#user?.onRead(bytes))
        this.#socket = socket
      },
    })
    this.#client.on('disconnect', () => onClose(this))
  }

  /** Sends a request. What comes back goes to `user`. */
  send(options: Dispatcher.DispatchOptions, user: ConnectionUser): void {
    this.#user = user
    this.#client.dispatch(options, user)
  }

  /** Closes it at once, whatever is under way. */
  destroy(): void {
    this.#socket?.destroy()
    this.#client.destroy(null, () => undefined)
  }
}

/** Keeps connections for the next request to the same host and port. */
export class ConnectionPool {
  readonly #connect: TlsConnector
  /** Longest idle first. */
  readonly #idle = new Set<Connection>()
  readonly #byOrigin = new Map<string, Connection[]>()
  #isClosed = false

  constructor(connect: TlsConnector) {
    this.#connect = connect
  }

  /** Takes a connection that is idle, or makes one. */
  take(url: URL): Connection {
    const connection = this.#byOrigin.get(url.origin)?.at(-1)
    if (connection === undefined) return new Connection(url, this.#connect, (closed) => this.#remove(closed))
    this.#remove(connection)
    return connection
  }

  /** Keeps a connection after its exchange has ended. */
  giveBack(connection: Connection): void {
    if (this.#isClosed) {
      connection.destroy()
      return
    }
    this.#idle.add(connection)
    const others = this.#byOrigin.get(connection.origin)
    if (others === undefined) this.#byOrigin.set(connection.origin, [connection])
    else others.push(connection)
    if (this.#idle.size > maxIdle) this.#close([...this.#idle].slice(0, 1))
  }

  /** Closes the idle connections. */
  close(): void {
    this.#isClosed = true
    this.#close(this.#idle)
  }

  #close(connections: Iterable<Connection>): void {
    for (const connection of connections) {
      this.#remove(connection)
      connection.destroy()
    }
  }

  #remove(connection: Connection): void {
    if (!this.#idle.delete(connection)) return
    const left = (this.#byOrigin.get(connection.origin) ?? []).filter((other) => other !== connection)
    if (left.length === 0) this.#byOrigin.delete(connection.origin)
    else this.#byOrigin.set(connection.origin, left)
  }
}
