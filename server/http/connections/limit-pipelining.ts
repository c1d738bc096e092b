import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Most requests of one connection that wait for the one in work. */
const maxWaiting = 16

/**
 * Works on one request of a connection at a time, however many a caller sends without waiting for the answers (pipelining). Node.js begins
 * all of them at once, so a few connections could take as much as thousands. A connection with more than 16 waiting requests is closed. Call
 * this before other hooks are added.
 */
export function limitPipelining(app: FastifyInstance): void {
  /** Connections with a request in work, and what begins the requests that wait. */
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
    // Requests that had arrived with others before their connection was closed.
    if (socket.destroyed) return
    const others = waiting.get(socket)
    if (others === undefined) {
      waiting.set(socket, [])
      begin()
    } else if (others.length < maxWaiting) others.push(begin)
    else socket.destroy()
  })
}
