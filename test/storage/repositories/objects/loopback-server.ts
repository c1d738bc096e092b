import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Test } from 'tap'

/** A server with the listener of a test. It closes when the test ends. */
export type LoopbackServer = {
  /** `http://HOST:PORT` */
  readonly origin: string
  /** All requests so far. */
  readonly requests: readonly IncomingMessage[]
}

/** Starts a server on loopback, at 127.0.0.1 or `[::1]`. */
export async function startLoopback(t: Test, listener: RequestListener, host = '127.0.0.1'): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  server.listen(0, host.replace(/^\[(.*)\]$/, '$1'))
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { origin: `http://${host}:${address.port}`, requests }
}

/** Answers each request with the next of these listeners, and all further ones with the last. */
export function answerInTurn(...listeners: readonly [RequestListener, ...RequestListener[]]): RequestListener {
  let next = 0
  return (request, response) => listeners[Math.min(next++, listeners.length - 1)]?.(request, response)
}
