// Health checks and metrics for operators' tools, and the pages about problems, whose addresses are the `type` of a problem.
import { contentTypes, contract, problemDefinitions } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { implement } from '../../http/contract.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { problemTypePage } from '../../pages/problem-page.ts'

/** What the routes answer from. */
export type MonitoringParts = {
  readonly stylesheet: string
  /** Throws RequestProblem when the process should get no requests now. */
  readonly requireReady: () => Promise<void>
  /** Undefined when the metrics have a port of their own. */
  readonly metrics: Registry | undefined
  /** Throws unless the caller may read the metrics. */
  readonly admitObserver: (request: FastifyRequest) => Promise<void>
}

/** Implements `contract.monitoring`. */
export function makeMonitoringRoutes({ stylesheet, requireReady, metrics, admitObserver }: MonitoringParts) {
  const definitions = new Map(Object.entries(problemDefinitions))
  return implement(contract.monitoring, {
    live: async () => ({ status: 200, body: writeBody({ status: 'ok' }) }),
    ready: async () => {
      await requireReady()
      return { status: 200, body: writeBody({ status: 'ok' }) }
    },
    metrics: async ({ request, reply }) => {
      if (metrics === undefined) throw new RequestProblem('route-not-found', 'The metrics are at another port')
      await admitObserver(request)
      reply.header('cache-control', 'no-store').header('content-type', contentTypes.metrics)
      return { status: 200, body: await metrics.metrics() }
    },
    problem: async ({ params }) => {
      const definition = definitions.get(params.code)
      if (!definition) throw new RequestProblem('route-not-found', 'There is no problem of this name')
      return { status: 200, body: problemTypePage(definition, stylesheet) }
    },
  })
}
