// A proxy between the services and the receivers. Breaks off one of fifty connections before the receiver has it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Random } from '../../fuzz/mutations.ts'
import type { Connection } from './processes.ts'

const brokenOffOneIn = 50

/** The proxy of a run. */
export class CrashProxy {
  readonly url: string
  readonly #random: Random
  /** The connections of services, by the ports of the connections to receivers that carry their requests. */
  readonly #services = new Map<string, Connection>()

  private constructor(random: Random, server: Server) {
    this.#random = random
    // A server that listens on TCP has an address and a port.
    const { port } = server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}`
    server.on('connect', (request: IncomingMessage, socket: Socket) => this.#open(request, socket))
  }

  static async start(random: Random): Promise<CrashProxy> {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    // Does not keep the run from its end.
    return new CrashProxy(random, server.unref())
  }

  /** Finds the connection of a service to this proxy behind a connection to a receiver. */
  readonly findService = (connection: Connection): Connection =>
    this.#services.get(writePorts(connection)) ?? connection

  #open({ url = '' }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => {})
    const [host = '', port] = url.split(':')
    if (this.#random(brokenOffOneIn) === 0) return void socket.destroy()
    const receiver = connect(Number(port), host)
    receiver.on('connect', () => {
      const { localPort = 0, remotePort = 0 } = receiver
      const service = { from: socket.remotePort ?? 0, to: socket.localPort ?? 0 }
      this.#services.set(writePorts({ from: localPort, to: remotePort }), service)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      receiver.pipe(socket).pipe(receiver)
    })
    receiver.on('error', () => socket.destroy())
    receiver.on('close', () => socket.destroy())
    socket.on('close', () => receiver.destroy())
  }
}

const writePorts = ({ from, to }: Connection) => `${from} ${to}`
