// Health checks and metrics for operators' tools, and the pages about problems, whose addresses are the `type` of a problem.
import { contentTypes, contract, problemDefinitions } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import type { FastifyRequest } from 'fastify'
import { implement } from '../http/contract.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { problemTypePage } from '../web/problem-pages/problem-type-page.ts'
import type { MetricsPage } from './metrics/metrics-page.ts'
import type { Reason } from './readiness.ts'

/** What the routes answer from. */
export type MonitoringParts = {
  readonly stylesheet: string
  /** Why the process should get no requests now. */
  readonly listReasons: () => Promise<readonly Reason[]>
  /** Undefined when the metrics have a port of their own. */
  readonly metrics: MetricsPage | undefined
  /** Throws unless the caller may read the metrics. */
  readonly admitObserver: (request: FastifyRequest) => Promise<void>
}

/** Implements `contract.monitoring`. */
export function makeMonitoringRoutes({ stylesheet, listReasons, metrics, admitObserver }: MonitoringParts) {
  const definitions = new Map(Object.entries(problemDefinitions))
  return implement(contract.monitoring, {
    live: async () => ({ status: 200, body: writeBody({ status: 'ok' }) }),
    ready: async () => {
      const reasons = await listReasons()
      if (reasons.length === 0) return { status: 200, body: writeBody({ status: 'ok' }) }
      const detail = reasons.map(({ what }) => what).join('. ')
      throw new RequestProblem('unavailable', detail, { cause: reasons.find(({ cause }) => cause)?.cause })
    },
    metrics: async ({ request, reply }) => {
      if (metrics === undefined) throw new RequestProblem('route-not-found', 'The metrics are at another port')
      await admitObserver(request)
      reply.header('cache-control', 'no-store').header('content-type', contentTypes.metrics)
      return { status: 200, body: await metrics.write() }
    },
    problem: async ({ params }) => {
      const definition = definitions.get(params.code)
      if (!definition) throw new RequestProblem('route-not-found', 'There is no problem of this name')
      return { status: 200, body: problemTypePage(definition, stylesheet) }
    },
  })
}
