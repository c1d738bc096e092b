// Health checks and metrics as one Fastify scope. They are answered also while the process is overloaded.
import type { Server } from 'node:http'
import { contract } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { admitObserver } from '../../http/access/access-hook.ts'
import type { Authenticator } from '../../http/access/authenticate.ts'
import { register } from '../../http/contract.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { makeMonitoringRoutes } from './monitoring-routes.ts'
import { requireReady } from './readiness.ts'
import { type ObservedParts, registerGauges } from './register-gauges.ts'
import { findMonitoringAddress, serveMonitoring } from './serve-monitoring.ts'

/** What the scope needs. */
type MonitoringScopeParts = {
  readonly db: Database
  readonly authenticator: Authenticator
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly registry: Registry
  /** What is read at each scrape. */
  readonly observed: Omit<ObservedParts, 'db'> & { readonly notifier: Pick<Notifier, 'hasStarted'> }
  /** Where metrics and health checks have a port of their own; with null they have none, and the metrics are a route for administrators. */
  readonly listen: { readonly host: string; readonly port: number | null }
  readonly address: Pick<PublicAddress, 'stylesheet'>
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** Makes the scope of health checks, metrics and problem pages. */
export function makeMonitoringScope(parts: MonitoringScopeParts): FastifyPluginAsync {
  const { db, authenticator, catalogs, registry, observed, listen, address, log } = parts
  const monitoringAddress = findMonitoringAddress(listen)
  return async (scope) => {
    const onError = (err: unknown) => log.error({ err }, 'metrics')
    registerGauges(registry, { ...observed, db }, onError)
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
      server = await serveMonitoring({ metrics: registry, requireReady: checkReady, onError }, monitoringAddress)
    })
    const routes = makeMonitoringRoutes({
      stylesheet: address.stylesheet,
      requireReady: checkReady,
      metrics: monitoringAddress === undefined ? registry : undefined,
      admitObserver: (request) => admitObserver(authenticator, catalogs, request),
    })
    await register(scope, contract.monitoring, routes)
  }
}
