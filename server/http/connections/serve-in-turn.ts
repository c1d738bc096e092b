import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Stopwatch } from '../../timing.ts'
import { type Exchange, RequestTurns } from './request-turns.ts'

/** Most requests of one connection that wait for the one in work. */
const maxWaiting = 16

/** What serving in turn needs. */
type ServingParts = {
  readonly elapsed: Stopwatch
  /** Answers a request that has waited too long for its turn. Has to be quick. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void
  /** Whether a request is never kept waiting by those of other connections, as health checks are not. */
  readonly isUrgent: (request: IncomingMessage) => boolean
}

/**
 * Works on one request of a connection at a time, however many a caller sends without waiting for the answers (pipelining). Node.js would
 * begin all of them at once, so that a few connections could take as much as thousands. A connection with more than 16 waiting requests is
 * closed. Of all connections together, at most 32 requests are begun in one turn of the event loop, and the others in the next ones, so that
 * a thousand that arrive at once do not keep it from everything else. Call this after all listeners for requests were added.
 */
export function serveInTurn(server: Server, { elapsed, refuse, isUrgent }: ServingParts): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  /** Connections with a request in work, and the requests that wait. */
  const waiting = new WeakMap<Socket, Exchange[]>()
  const begin = ([request, response]: Exchange, act: ServingParts['refuse']) => {
    const { socket } = request
    if (socket.destroyed) return
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else serve(next)
    })
    act(request, response)
  }
  const answer = (...exchange: Exchange) => {
    for (const listener of listeners) Reflect.apply(listener, server, exchange)
  }
  const turns = new RequestTurns({
    elapsed,
    begin: (exchange) => begin(exchange, answer),
    refuse: (exchange) => begin(exchange, refuse),
  })
  const serve = (exchange: Exchange) => {
    if (isUrgent(exchange[0])) begin(exchange, answer)
    else turns.add(exchange)
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
