// Health checks and metrics as one Fastify scope. They are answered also while the process is overloaded.
import type { Server } from 'node:http'
import { contract } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import type { FastifyPluginAsync } from 'fastify'
import { admitObserver } from '../access/access-hook.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { register } from '../http/contract.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Catalog } from '../repositories/catalog.ts'
import { listMetrics, type ObservedParts } from './metrics/list-metrics.ts'
import { MetricsPage } from './metrics/metrics-page.ts'
import { openQueueReader } from './metrics/read-queues.ts'
import { type MetricsAddress, serveMetrics } from './metrics/serve-metrics.ts'
import { makeOperationRoutes } from './operation-routes.ts'
import { listReasons } from './readiness.ts'

/** What the scope needs. */
type OperationScopeParts = {
  readonly db: Database
  readonly authenticator: Authenticator
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** What the metrics are about. */
  readonly observed: Omit<ObservedParts, 'version' | 'readQueues'>
  /** Where the metrics have a port of their own. */
  readonly metricsAddress: MetricsAddress | undefined
  readonly stylesheet: string
}

/** What has to be answered before everything else, because others judge the process by it. */
export const urgentAddresses: ReadonlySet<string> = new Set(
  [contract.operations.live, contract.operations.ready, contract.operations.metrics].map(({ path }) => path),
)

/** Makes the scope of operations. */
export function makeOperationScope(parts: OperationScopeParts): FastifyPluginAsync {
  const { db, authenticator, catalogs, observed, metricsAddress, stylesheet } = parts
  return async (scope) => {
    const onError = (err: unknown) => scope.log.error({ err }, 'metrics')
    const readQueues = openQueueReader(db, onError)
    const page = new MetricsPage(listMetrics({ ...observed, readQueues, version: manifest.version }))
    let isStopping = false
    let server: Server | undefined
    scope.addHook('onReady', async () => {
      if (metricsAddress !== undefined) server = await serveMetrics(page, metricsAddress, onError)
    })
    scope.addHook('preClose', async () => {
      isStopping = true
    })
    scope.addHook('onClose', async () => {
      server?.close().closeAllConnections()
    })
    const { isOverloaded } = observed
    const routes = makeOperationRoutes({
      stylesheet,
      listReasons: () => listReasons({ db, isOverloaded, isStopping: () => isStopping }),
      metrics: metricsAddress === undefined ? page : undefined,
      admitObserver: (request) => admitObserver(authenticator, catalogs, request),
    })
    await register(scope, contract.operations, routes)
  }
}
