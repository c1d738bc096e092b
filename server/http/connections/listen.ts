// Listens at an address with several sockets, so that new callers are accepted quickly also while there is much to do.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { platform } from 'node:os'
import type { FastifyInstance } from 'fastify'

/** Where a server listens: an address, and a port. Port 0 lets the system choose one. */
export type ListenAddress = { readonly host: string; readonly port: number }

/**
 * Connections that may wait at one socket to be accepted, as far as the system allows. Callers of others would try again after 1, 3 and
 * 7 seconds, so that some are answered late, health checks too, although the service has time for them.
 */
const backlog = 4_096

/**
 * Sockets that listen at the address. Node.js accepts one connection of each in a turn of the event loop: with a single socket, 3,000 callers
 * who come at once wait for 3,000 turns, and a health check waits behind them. Only Linux spreads connections over several.
 */
const usualSockets = platform() === 'linux' ? 32 : 1

/** What Node.js gives the sockets of an HTTP server. */
const socketOptions = { allowHalfOpen: true, noDelay: true } as const

/**
 * Makes an application listen. Call it before the application is ready. Throws the error of the system when the address cannot be listened
 * on.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: ListenAddress,
  sockets = usualSockets,
): Promise<void> {
  const others: Server[] = []
  const closed: Promise<unknown>[] = []
  app.addHook('preClose', async () => {
    for (const other of others) closed.push(once(other.close(), 'close'))
  })
  // The server of the application ends all connections, but waits only for its own.
  app.addHook('onClose', () => Promise.all(closed))
  await app.ready()
  const options = { host, backlog, reusePort: sockets > 1 }
  // Sockets that may share their port would share it with another Floe too, and nobody would notice.
  await requireFreePort({ host, port })
  await app.listen({ ...options, port })
  const { server } = app
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('a server at a host has a port')
  for (let count = 1; count < sockets; count++) {
    const other = createServer(socketOptions, (socket) => server.emit('connection', socket))
    others.push(other)
    other.listen({ ...options, port: bound.port })
    await once(other, 'listening')
  }
}

/** Listens for a moment and answers nobody. Throws the error of the system when that fails. */
export async function requireFreePort({ host, port }: ListenAddress): Promise<void> {
  const probe = createServer((socket) => socket.destroy())
  probe.listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
