import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Makes a stop end the connections that callers keep for further requests, each when its last request is answered, and those that have not
 * been used yet, as browsers open them in advance. Node.js ends only those that have had a request and are idle when the stop begins.
 */
export function endKeptConnections(app: FastifyInstance): void {
  const { server } = app
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', (done) => {
    server.keepAliveTimeout = 1
    // Node.js adds a second by default.
    server.keepAliveTimeoutBuffer = 0
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}
