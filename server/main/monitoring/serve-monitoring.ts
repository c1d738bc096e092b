// A separate port for metrics and health checks, whose connections do not wait behind those of other callers.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { contentTypes, type Health } from '@floe/contract'
import type { Registry } from 'prom-client'
import { writeBody } from '@floe/storage/json'
import { limitConnections } from '../../http/connections/limit-connections.ts'
import { RequestProblem, toProblem } from '../../problems/request-problem.ts'

// An `import` would also read `WebSocket`, for which Node.js loads all of `fetch`.
const { createServer } = process.getBuiltinModule('node:http')

/** An address that holds its connections open leaves room for probes from other addresses. */
const connectionLimits = { connections: 100, connectionsPerAddress: 20 }

/** Longest time for a request to arrive, and how often that is checked, in milliseconds. */
const timeoutsMs = { request: 5_000, check: 1_000 }

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
  const timeouts = { requestTimeout: timeoutsMs.request, connectionsCheckingInterval: timeoutsMs.check }
  const server = createServer(timeouts, ({ method, url = '' }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    answer(isRead ? url.split('?', 1)[0] : undefined, parts).then(
      (answered) => send(response, answered),
      (error: unknown) => {
        if (!(error instanceof RequestProblem)) parts.onError(error)
        send(response, refuse(error))
      },
    )
  })
  limitConnections(server, { limits: connectionLimits, trustProxy: [] })
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

async function answer(path: string | undefined, { metrics, checkReady }: Parts): Promise<Answer> {
  const answerHealth = (health: Health) => ({ status: 200, type: contentTypes.json, body: writeBody<Health>(health) })
  switch (path) {
    case '/metrics':
      return { status: 200, type: contentTypes.metrics, body: await metrics.metrics() }
    case '/healthz':
      return answerHealth({ status: 'ok' })
    case '/readyz':
      return answerHealth(await checkReady())
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
