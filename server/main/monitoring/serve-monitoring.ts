// A separate port for metrics and health checks, whose connections do not wait behind those of other callers.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { contentTypes, type Health } from '@floe/contract'
import type { Registry } from 'prom-client'
import { writeBody } from '@floe/storage/json'
import { RequestProblem, toProblem } from '../../http/problems/request-problem.ts'

// An `import` would also read `WebSocket`, for which Node.js loads all of `fetch`.
const { createServer } = process.getBuiltinModule('node:http')

/** Most connections at the same time, and longest time for a request to arrive, in milliseconds. */
const limits = { connections: 100, requestMs: 5_000 }

type Parts = {
  readonly metrics: Registry
  /** Throws RequestProblem when the process should get no requests now. */
  readonly checkReady: () => Promise<Health>
  /** Called when the metrics cannot be read. */
  readonly onError: (error: unknown) => void
}

type Answer = { readonly status: number; readonly type: string; readonly body: Buffer | string }

/** Serves metrics and health checks without authentication. Throws the system's error when it cannot listen. */
export async function serveMonitoring(parts: Parts, host: string, port: number): Promise<Server> {
  const server = createServer({ requestTimeout: limits.requestMs }, ({ method, url = '' }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    answer(isRead ? url.split('?', 1)[0] : undefined, parts).then(
      (found) => send(response, found),
      (error: unknown) => {
        if (!(error instanceof RequestProblem)) parts.onError(error)
        send(response, refuse(error))
      },
    )
  })
  server.maxConnections = limits.connections
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

async function answer(path: string | undefined, { metrics, checkReady }: Parts): Promise<Answer> {
  const say = (health: Health) => ({ status: 200, type: contentTypes.json, body: writeBody<Health>(health) })
  switch (path) {
    case '/metrics':
      return { status: 200, type: contentTypes.metrics, body: await metrics.metrics() }
    case '/healthz':
      return say({ status: 'ok' })
    case '/readyz':
      return say(await checkReady())
    default:
      throw new RequestProblem('route-not-found', 'This port serves /metrics, /healthz and /readyz')
  }
}

function refuse(error: unknown): Answer {
  const detail = 'The metrics cannot be read; the log has the reason'
  const problem = toProblem(
    error instanceof RequestProblem ? error : new RequestProblem('internal', detail),
    randomUUID(),
  )
  return { status: problem.status, type: contentTypes.problem, body: JSON.stringify(problem) }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
