import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import type { Test } from 'tap'
import { systemTiming } from '../../../../server/timing.ts'
import { type ServerOptions, startServer } from '../../start-server.ts'

/** Limits that every process is above. */
export const overloadLimits = { eventLoopDelayMs: Infinity, heapUsedBytes: 1, rssBytes: Infinity }

/** What overloads a server soon after its start. */
export const overload = {
  overloadLimits,
  after: (ms: number, callback: () => void) => systemTiming.after(Math.min(ms, 10), callback),
}

/** Starts a server with a port for monitoring, and returns the address of that port too. */
export async function startMonitored(t: Test, options: ServerOptions = {}) {
  const servers: Server[] = []
  const watch = (message: unknown) => servers.push((message as { server: Server }).server) // as its documentation says
  subscribe('tracing:net.server.listen:asyncEnd', watch)
  t.teardown(() => unsubscribe('tracing:net.server.listen:asyncEnd', watch))
  const server = await startServer(t, { monitoringAddress: { host: '127.0.0.1', port: 0 }, ...options })
  const address = servers.find((one) => one !== server.http)?.address()
  if (typeof address !== 'object' || address === null) throw new Error('there is no port for monitoring')
  return { server, port: `http://127.0.0.1:${address.port}` }
}
