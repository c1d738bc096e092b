import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Makes a stop close keep-alive connections as soon as their current request is answered, and also the connections that
 * browsers open in advance and have not used. Node.js closes only connections that have had a request and are idle when
 * the stop begins.
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
    // Node.js waits this much longer than `keepAliveTimeout`, by default a second.
    server.keepAliveTimeoutBuffer = 0
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}
