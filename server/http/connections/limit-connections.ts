import type { Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { Timing } from '../../timing.ts'
import { nameNetwork } from './name-network.ts'

/** Limits of the connections of a server. */
export type ConnectionLimits = {
  /** Maximum number of connections at the same time. */
  readonly connections: number
  /** Maximum number of them from one address; IPv6 addresses count by their /64 network. */
  readonly connectionsPerAddress: number
}

type Options = {
  /** Read at each new connection, because they may change. */
  readonly limits: ConnectionLimits
  /** How many connections the limit of open files allows; default: any number. */
  readonly room?: number
  /** Networks of proxies. The limit per address does not apply to them, because they connect for many callers. */
  readonly trustProxy: readonly string[]
}

/** Longest time for one answer, in milliseconds. It ends connections of callers who read slowly but are never idle. */
const maxAnswerMs = 300_000

/** Closes connections beyond the limits as soon as they are opened. */
export function limitConnections(server: Server, { limits, room = Infinity, trustProxy }: Options): void {
  const proxies = listNetworks(trustProxy)
  const applyLimit = () => (server.maxConnections = Math.min(limits.connections, room))
  applyLimit()
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    applyLimit()
    const { remoteAddress } = socket
    // Undefined if the socket is already closed.
    if (remoteAddress === undefined) return
    if (proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return
    const address = nameNetwork(remoteAddress)
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

/** Cancels the time limit of each answer. */
const cancelLimits = new WeakMap<ServerResponse, () => void>()

/**
 * Closes the connection of a caller who does not read an answer: if the connection is idle for the server's `timeout`,
 * or if the answer takes more than five minutes. A connection whose answer is not ready yet is not idle.
 */
export function limitReading(response: ServerResponse, after: Timing['after']): void {
  // Without this listener, Node.js would close the connection even if the answer is not ready yet.
  response.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
  const cancel = after(maxAnswerMs, () => response.destroy())
  cancelLimits.set(response, cancel)
  response.once('close', cancel)
}

/**
 * Removes the time limit from an answer. The route must then itself close the connections of callers who do not read.
 */
export function allowLongResponse(response: ServerResponse): void {
  cancelLimits.get(response)?.()
}

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}
