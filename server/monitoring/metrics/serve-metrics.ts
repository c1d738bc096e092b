// The port of its own on which operators' tools read the metrics.
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { contentTypes } from '@floe/contract'
import type { MetricsPage } from './metrics-page.ts'

// An `import` would also read `WebSocket` and others, for which Node loads the whole client of `fetch`.
const { createServer } = process.getBuiltinModule('node:http')

/** Where the metrics are served. */
export type MetricsAddress = { readonly host: string; readonly port: number }

/** Most connections at the same time, and longest time for a request to arrive, in milliseconds. */
const limits = { connections: 100, requestMs: 5_000 }

/** Serves the metrics to whoever reaches the port. Throws the error of the system when it cannot be listened on. */
export async function serveMetrics(
  page: MetricsPage,
  { host, port }: MetricsAddress,
  onError: (error: unknown) => void,
): Promise<Server> {
  const server = createServer({ requestTimeout: limits.requestMs }, ({ method, url = '' }, response) => {
    const isAsked = (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/metrics'
    if (!isAsked) return answer(response, 404, 'The metrics are at /metrics\n')
    page.write().then(
      (text) => answer(response, 200, text),
      (error: unknown) => {
        onError(error)
        answer(response, 500, 'The metrics cannot be read; the log has the reason\n')
      },
    )
  })
  server.maxConnections = limits.connections
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': contentTypes.metrics, 'cache-control': 'no-store' }).end(text)
}
