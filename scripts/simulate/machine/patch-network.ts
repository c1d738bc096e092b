// Connections to the hosts of the simulation, in place of TLS and sockets; and names of hosts.
import dns from 'node:dns'
import https from 'node:https'
import net from 'node:net'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { machine, type Owner } from './machine.ts'

/** The other end of a connection, in the world. */
export type Peer = { readonly receive: (bytes: Buffer) => void; readonly close: () => void }

/** What the world does with a connection. */
export type Connection = {
  /** The process that opened it. */
  readonly owner: Owner
  readonly send: (bytes: string | Buffer) => void
  /** Ends the connection: orderly, or with a reset. */
  readonly end: (isReset: boolean) => void
}

/** The hosts of the world. Each decides about look-ups and connections. */
export type Host = {
  readonly address: string
  /** How long a look-up takes in milliseconds, and the code of its failure. */
  readonly lookUp: () => { readonly ms: number; readonly code?: string }
  /** The same of a connection; undefined for one that is never answered. */
  readonly connect: () => { readonly ms: number; readonly code?: string } | undefined
  readonly accept: (connection: Connection) => Peer
}

export const hosts = new Map<string, Host>()

const latency = () => machine.random.between(0.1, 3)

/** Replaces `tls.connect`, sockets, and the resolver of names. */
export function patchNetwork(): void {
  const connect = ({ host = '', lookup }: tls.ConnectionOptions) => new MachineSocket().lookUp(host, lookup)
  const refuse = () => {
    throw machine.fault('a process opens a connection that is not simulated')
  }
  // They are sockets if they lead to another process, and Node.js opens them when they are first used.
  void [process.stdout, process.stderr]
  Object.assign(tls, { connect })
  Object.assign(net, { Socket: MachineSocket, connect: refuse, createConnection: refuse })
  Object.assign(dns.promises, { Resolver: MachineResolver })
  separateConnections()
}

/** Gives each process connections of its own, although all processes have the same agent here. */
function separateConnections(): void {
  const { globalAgent } = https
  const getName = globalAgent.getName.bind(globalAgent)
  const getOwnName = (options?: https.RequestOptions) => `${machine.owner?.pid} ${getName(options)}`
  Object.assign(globalAgent, { getName: getOwnName })
}

function lookUpError(syscall: string, code: string | undefined, hostname: string): Error {
  return Object.assign(new Error(`${syscall} ${code} ${hostname}`), { code, syscall, hostname })
}

class MachineResolver {
  #cancel: (() => void) | undefined

  async resolve4(name: string): Promise<string[]> {
    const host = hosts.get(name)
    const { ms, code } = host?.lookUp() ?? { ms: latency(), code: 'ENOTFOUND' }
    await new Promise<void>((resolve, reject) => {
      const event = machine.plan(ms, 'look-up', resolve, { detail: name })
      this.#cancel = () => {
        event.isCancelled = true
        reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }))
      }
    })
    if (host === undefined || code !== undefined) throw lookUpError('queryA', code, name)
    return [host.address]
  }

  async resolve6(name: string): Promise<string[]> {
    throw lookUpError('queryAaaa', 'ENODATA', name)
  }

  cancel(): void {
    this.#cancel?.()
  }

  setServers(): void {}
}

/** A socket of a process, with the members of a socket and a TLS socket that are used. */
class MachineSocket extends Duplex {
  readonly alpnProtocol = 'http/1.1'
  readonly encrypted = true
  readonly authorized = true
  connecting = false
  readonly #owner: Owner
  #host = ''
  #peer: Peer | undefined
  /** When the last bytes arrive, so that they arrive in order. */
  #sentUntil = 0
  #receivedUntil = 0
  readonly #vanish = () => this.#tellPeer((peer) => peer.close())

  constructor() {
    super({ allowHalfOpen: false })
    const { owner } = machine
    if (owner === undefined) throw machine.fault('a socket belongs to no process')
    this.#owner = owner
  }

  /** Connects as soon as the name is looked up, which sockets do by themselves unless they are told how. */
  lookUp(name: string, lookup: net.LookupFunction | undefined): this {
    this.connecting = true
    const proceed = (error: Error | null) => {
      this.emit('lookup', error)
      if (error) this.destroy(error)
      else {
        machine.onStep(this.#owner, 'before connection')
        this.connect(0, name)
      }
    }
    if (lookup !== undefined) lookup(name, { all: true }, proceed)
    else void new MachineResolver().resolve4(name).then(() => proceed(null), proceed)
    return this
  }

  connect(_port: number, name: string): void {
    this.connecting = true
    this.#host = name
    const host = hosts.get(name)
    const fate = host?.connect()
    if (host === undefined || fate === undefined) return
    machine.plan(
      fate.ms,
      'connection',
      () => {
        if (this.destroyed) return
        if (fate.code !== undefined) {
          this.destroy(Object.assign(new Error(`connect ${fate.code}`), { code: fate.code, syscall: 'connect' }))
          return
        }
        this.connecting = false
        this.#owner.atEnd.add(this.#vanish)
        this.#peer = host.accept({
          owner: this.#owner,
          send: (bytes) => this.#deliver('bytes', () => this.push(Buffer.from(bytes))),
          end: (isReset) => this.#deliver('end of a connection', () => this.#end(isReset)),
        })
        for (const event of ['connect', 'secure', 'secureConnect']) this.emit(event)
      },
      { detail: this.#host },
    )
  }

  #deliver(label: string, run: () => void): void {
    this.#receivedUntil = Math.max(this.#receivedUntil, machine.now + latency())
    const deliver = () => {
      if (!this.destroyed) run()
    }
    machine.plan(this.#receivedUntil - machine.now, label, deliver, { owner: this.#owner, detail: this.#host })
  }

  #end(isReset: boolean): void {
    if (isReset) this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }))
    else this.push(null)
  }

  #tellPeer(tell: (peer: Peer) => void): void {
    this.#sentUntil = Math.max(this.#sentUntil, machine.now + latency())
    const { world } = machine
    machine.plan(this.#sentUntil - machine.now, 'network', () => this.#peer && tell(this.#peer), {
      owner: world,
      detail: this.#host,
    })
  }

  override _read(): void {}

  override _write(chunk: Buffer, encoding: string, callback: () => void): void {
    if (this.connecting) {
      this.once('connect', () => this._write(chunk, encoding, callback))
      return
    }
    this.#tellPeer((peer) => peer.receive(Buffer.from(chunk)))
    callback()
  }

  /** What is written at once travels together. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', callback)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#owner.atEnd.delete(this.#vanish)
    this.#tellPeer((peer) => peer.close())
    callback(error)
  }

  destroySoon(): void {
    this.end(() => this.destroy())
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  isSessionReused(): boolean {
    return false
  }

  getPeerCertificate(): object {
    return {}
  }
}
