import type { Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { Timing } from '../../timing.ts'

/** Limits of the connections of a server. */
export type ConnectionLimits = {
  /** Most connections at the same time. */
  readonly connections: number
  /** Most of them from one address; IPv6 addresses count by their /64 network. */
  readonly connectionsPerAddress: number
}

/** What {@link limitConnections} needs besides the server. */
type Options = {
  /** Read at each new connection, because they may change. */
  readonly limits: ConnectionLimits
  /** How many connections fit among the open files of the process; default: any number. */
  readonly room?: number
  /** Networks of proxies. Their connections carry many callers, so the limit per address does not apply to them. */
  readonly trustProxy: readonly string[]
}

/** Longest time of one answer, in milliseconds. It ends callers who read slowly but are never idle. */
const maxAnswerMs = 300_000

/** Closes connections beyond the limits as soon as they are opened. */
export function limitConnections(server: Server, { limits, room = Infinity, trustProxy }: Options): void {
  const proxies = listNetworks(trustProxy)
  const limitAll = () => (server.maxConnections = Math.min(limits.connections, room))
  limitAll()
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    limitAll()
    const { remoteAddress } = socket
    // The socket is already closed.
    if (remoteAddress === undefined) return
    if (proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return
    const address = normalizeIP(remoteAddress)
    const count = (counts.get(address) ?? 0) + 1
    if (count > limits.connectionsPerAddress) return void socket.destroy()
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 0) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
  })
}

/** Functions that cancel the time limits of answers. */
const reading = new WeakMap<ServerResponse, () => void>()

/**
 * Closes the connection of a caller who does not read an answer: when the connection is idle for the server's `timeout`, or when the answer
 * takes more than five minutes. A caller whose answer is not ready yet is not idle.
 */
export function limitReading(response: ServerResponse, after: Timing['after']): void {
  // Without this listener, Node.js would close the connection even while the answer is being made.
  response.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
  const cancel = after(maxAnswerMs, () => response.destroy())
  reading.set(response, cancel)
  response.once('close', cancel)
}

/** Removes the time limit from an answer. The route must then drop callers who do not read it. */
export function allowLongResponse(response: ServerResponse): void {
  reading.get(response)?.()
}

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}
