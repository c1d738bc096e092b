import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Most requests of one connection that wait for the one in work. */
const maxWaiting = 16

/** Most requests that are begun in one turn of the event loop. */
const maxBegun = 32

/**
 * Works on one request of a connection at a time, however many a caller sends without waiting for the answers (pipelining). Node.js would
 * begin all of them at once, so that a few connections could take as much as thousands. A connection with more than 16 waiting requests is
 * closed. Of all connections together, 32 requests are begun in one turn of the event loop, and the others in the next ones, so that a
 * thousand that arrive at once do not keep it from everything else. Call this after all listeners for requests were added.
 */
export function serveInTurn(server: Server): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  /** Connections with a request in work, and the requests that wait. */
  const waiting = new WeakMap<Socket, Exchange[]>()
  /** Requests whose connection is free, but which came after too many others. */
  const ready: Exchange[] = []
  let room = maxBegun
  const beginTurn = () => {
    room = maxBegun
    for (const exchange of ready.splice(0, maxBegun)) serve(exchange)
  }
  const serve = ([request, response]: Exchange) => {
    const { socket } = request
    if (socket.destroyed) return
    if (room === 0) return void ready.push([request, response])
    if (room === maxBegun) setImmediate(beginTurn)
    room -= 1
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else serve(next)
    })
    for (const listener of listeners) Reflect.apply(listener, server, [request, response])
  }
  server.on('request', (...exchange: Exchange) => {
    const [{ socket }] = exchange
    const others = waiting.get(socket)
    if (others === undefined) {
      waiting.set(socket, [])
      serve(exchange)
    } else if (others.length < maxWaiting) others.push(exchange)
    else socket.destroy()
  })
}
