import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Maximum number of requests of one connection that wait for the current one. */
const maxWaiting = 16

/**
 * Handles one request of a connection at a time, even if a caller sends several without waiting for the answers
 * (pipelining). Node.js would begin all of them at once, so a few connections could cost as much as thousands. Closes a
 * connection that has more than 16 waiting requests. Hooks that were added before do not wait.
 */
export function limitPipelining(app: FastifyInstance): void {
  /** By connection: functions that begin its waiting requests. */
  const waiting = new WeakMap<Socket, (() => void)[]>()
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const begin = () => {
      reply.raw.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
        if (next === undefined) waiting.delete(socket)
        else next()
      })
      done()
    }
    // The request arrived together with others before the connection was closed.
    if (socket.destroyed) return
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      begin()
    } else if (queue.length < maxWaiting) queue.push(begin)
    else socket.destroy()
  })
}
