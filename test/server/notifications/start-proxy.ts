// A proxy on loopback that opens tunnels (`CONNECT`) to receivers of tests. All names lead to this machine.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, isIP, type Socket } from 'node:net'
import { once } from 'node:events'
import { type Cleanup, readIdentity } from './start-receiver.ts'

type ProxyOptions = {
  /** Whether it speaks TLS itself. */
  readonly isEncrypted?: boolean
  /** `user:password`, if it asks for one. */
  readonly credentials?: string
  /** What it does with a request to connect, instead of connecting. */
  readonly answer?: (socket: Socket) => void
}

export type TestProxy = {
  /** Without credentials. */
  readonly url: string
  /** The hosts and ports that it was asked for. */
  readonly asked: string[]
  /** Number of connections to it that are open. */
  readonly countOpen: () => number
  /** Breaks all connections off, and accepts no other. */
  readonly die: () => void
}

export async function startProxy(t: Cleanup, options: ProxyOptions = {}): Promise<TestProxy> {
  const { isEncrypted = false, credentials, answer } = options
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const server: Server = isEncrypted ? createSecureServer(readIdentity('receiver')) : createServer()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.on('connect', ({ url: target = '', headers }: IncomingMessage, socket: Socket) => {
    asked.push(target)
    socket.on('error', () => {})
    if (expected !== undefined && headers['proxy-authorization'] !== expected)
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
    else if (answer) answer(socket)
    else openTunnel(target, socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const die = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(die)
  // A server that listens on TCP has an address and a port.
  const { port } = server.address() as AddressInfo
  return { url: `http${isEncrypted ? 's' : ''}://127.0.0.1:${port}`, asked, countOpen: () => sockets.size, die }
}

function openTunnel(target: string, socket: Socket): void {
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? []
  const upstream = connect(Number(port), isIP(host) === 0 ? '127.0.0.1' : host)
  upstream.on('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  upstream.on('close', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
}
