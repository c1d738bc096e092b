// Health checks and metrics as one Fastify scope. They are answered also while the process is overloaded.
import type { Server } from 'node:http'
import { contract } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import type { FastifyPluginAsync } from 'fastify'
import { admitObserver } from '../access/access-hook.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { register } from '../http/contract.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Notifier } from '../notifications/notifier.ts'
import type { Catalog } from '../repositories/catalog.ts'
import { listMetrics, type ObservedParts } from './metrics/list-metrics.ts'
import { MetricsPage } from './metrics/metrics-page.ts'
import { openQueueReader } from './metrics/read-queues.ts'
import { makeMonitoringRoutes } from './monitoring-routes.ts'
import { requireReady } from './readiness.ts'
import { type MonitoringAddress, serveMonitoring } from './serve-monitoring.ts'

/** What the scope needs. */
type MonitoringScopeParts = {
  readonly db: Database
  readonly authenticator: Authenticator
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** What the metrics are about. */
  readonly observed: Omit<ObservedParts, 'version' | 'readQueues'> & { readonly notifier: Pick<Notifier, 'hasStarted'> }
  /** Where metrics and health checks have a port of their own. */
  readonly monitoringAddress: MonitoringAddress | undefined
  readonly stylesheet: string
}

/** Makes the scope of health checks, metrics and problem pages. */
export function makeMonitoringScope(parts: MonitoringScopeParts): FastifyPluginAsync {
  const { db, authenticator, catalogs, observed, monitoringAddress, stylesheet } = parts
  return async (scope) => {
    const onError = (err: unknown) => scope.log.error({ err }, 'metrics')
    const readQueues = openQueueReader(db, onError)
    const page = new MetricsPage(listMetrics({ ...observed, readQueues, version: manifest.version }))
    let isStopping = false
    let server: Server | undefined
    scope.addHook('preClose', async () => {
      isStopping = true
    })
    scope.addHook('onClose', async () => {
      server?.close().closeAllConnections()
    })
    const { isOverloaded, notifier } = observed
    const readiness = { db, areNotificationsStarted: notifier.hasStarted, isOverloaded, isStopping: () => isStopping }
    const checkReady = () => requireReady(readiness)
    scope.addHook('onReady', async () => {
      if (monitoringAddress === undefined) return
      server = await serveMonitoring({ metrics: page, requireReady: checkReady, onError }, monitoringAddress)
    })
    const routes = makeMonitoringRoutes({
      stylesheet,
      requireReady: checkReady,
      metrics: monitoringAddress === undefined ? page : undefined,
      admitObserver: (request) => admitObserver(authenticator, catalogs, request),
    })
    await register(scope, contract.monitoring, routes)
  }
}
