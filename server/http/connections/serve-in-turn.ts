import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Stopwatch } from '../../timing.ts'

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Most requests of one connection that wait for the one in work. */
const maxWaiting = 16

/** Most requests that are begun in one turn of the event loop. */
const maxBegun = 32

/**
 * None is begun after this time of a turn, in milliseconds. Node.js accepts one connection in each turn, so that new callers, such as health
 * checks, wait the longer the longer turns are.
 */
const maxTurnMs = 2

/** A request that has waited so long for its turn is refused, in milliseconds. Then those behind it are answered in time. */
const maxWaitMs = 3_000

/** What serving in turn needs. */
export type TurnParts = {
  readonly elapsed: Stopwatch
  /** Answers a request that has waited too long for its turn. Has to be quick. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void
  /** Addresses that are never kept waiting by others, such as those of health checks. */
  readonly urgent: ReadonlySet<string>
}

/**
 * Works on one request of a connection at a time, however many a caller sends without waiting for the answers (pipelining). Node.js would
 * begin all of them at once, so that a few connections could take as much as thousands. A connection with more than 16 waiting requests is
 * closed. Of all connections together, 32 requests are begun in one turn of the event loop, and the others in the next ones, so that a
 * thousand that arrive at once do not keep it from everything else. Call this after all listeners for requests were added.
 */
export function serveInTurn(server: Server, { elapsed, refuse, urgent }: TurnParts): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  /** Connections with a request in work, and the requests that wait. */
  const waiting = new WeakMap<Socket, Exchange[]>()
  /** Requests whose connection is free, but which came after too many others, and when they came. */
  const ready: { readonly exchange: Exchange; readonly since: number }[] = []
  /** The turn in which requests are begun now; undefined in a turn that has not begun any. */
  let turn: { room: number; readonly end: number } | undefined
  const hasRoom = () => {
    if (turn === undefined) {
      turn = { room: maxBegun, end: elapsed() + maxTurnMs }
      setImmediate(endTurn)
    }
    return turn.room > 0 && elapsed() <= turn.end
  }
  const endTurn = () => {
    turn = undefined
    const timely = ready.findIndex(({ since }) => elapsed() - since <= maxWaitMs)
    for (const { exchange } of ready.splice(0, timely < 0 ? ready.length : timely)) begin(exchange, refuse)
    while (ready.length > 0 && hasRoom()) for (const { exchange } of ready.splice(0, 1)) beginInTurn(exchange)
  }
  const beginInTurn = (exchange: Exchange) => {
    if (turn !== undefined) turn.room -= 1
    begin(exchange, answer)
  }
  const serve = (exchange: Exchange) => {
    const [{ socket, url = '' }] = exchange
    if (socket.destroyed) return
    if (urgent.has(url)) begin(exchange, answer)
    else if (ready.length === 0 && hasRoom()) beginInTurn(exchange)
    else ready.push({ exchange, since: elapsed() })
  }
  const begin = ([request, response]: Exchange, act: TurnParts['refuse']) => {
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
