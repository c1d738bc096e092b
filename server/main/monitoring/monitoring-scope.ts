// Health checks, metrics, the state of the service and the pages about problems, as one Fastify scope. They are
// answered even while the process is overloaded.
import type { Server } from 'node:http'
import { contentTypes, contract, type Health, problemDefinitions, type ServiceStatus } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import type { FastifyPluginAsync } from 'fastify'
import { Registry } from 'prom-client'
import type { Catalog } from '../../catalog/catalog.ts'
import { admitObserver, admitOperator } from '../../http/access/access-hook.ts'
import type { Authenticator } from '../../http/access/authenticate.ts'
import { implement, register } from '../../http/contract.ts'
import type { FaultLog } from '../../observation/fault-log.ts'
import type { Metrics } from '../../observation/metrics.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import { problemTypePage } from '../../pages/problem-page.ts'
import { encodePage } from '../../pages/page.ts'
import { statusPage } from '../../pages/status/status-page.ts'
import { addVary, prefersHtml } from '../../http/representation/negotiation.ts'
import type { Timing } from '../../timing.ts'
import { keepSamples } from './keep-samples.ts'
import { describeHealth, listReasons, requireReady } from './readiness.ts'
import { type ObservedParts, registerGauges } from './register-gauges.ts'
import { registerNamedGauges } from './register-named-gauges.ts'
import { serveMonitoring } from './serve-monitoring.ts'
import { readServiceStatus } from './service-status.ts'

type MonitoringScopeParts = {
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly authenticator: Authenticator
  /** Ids of the API keys that may see the state of the service. */
  readonly operators: readonly string[]
  readonly metrics: Pick<Metrics, 'registry' | 'requestSeconds'>
  readonly timing: Pick<Timing, 'now' | 'after'>
  /** Read at each scrape. */
  readonly observed: ObservedParts & {
    readonly isStopping: () => boolean
    readonly notifier: Pick<Notifier, 'hasStarted'>
  }
  /** Separate port of metrics and health checks. With null, the metrics are a route for administrators. */
  readonly listen: { readonly host: string; readonly port: number | null }
  readonly address: Pick<PublicAddress, 'v1' | 'stylesheet'>
  readonly faults: Pick<FaultLog, 'note'>
}

/** Makes the scope, which implements `contract.monitoring`. */
export function makeMonitoringScope(parts: MonitoringScopeParts): FastifyPluginAsync {
  const { catalogs, metrics, timing, observed, listen, faults } = parts
  const { registry, requestSeconds } = metrics
  return async (scope) => {
    const onError = (err: unknown) => faults.note(err, 'metrics could not be read')
    registerGauges(registry, observed, onError)
    const names = new Registry()
    registerNamedGauges(names, observed)
    const allMetrics = Registry.merge([registry, names])
    let server: Server | undefined
    scope.addHook('onClose', async () => {
      server?.close().closeAllConnections()
    })
    const { db, isOverloaded, isStopping, notifier } = observed
    const readiness = { db, areNotificationsStarted: notifier.hasStarted, isOverloaded, isStopping }
    const checkReady = async () => {
      await requireReady(readiness)
      return describeHealth(catalogs)
    }
    scope.addHook('onReady', async () => {
      const { host, port } = listen
      if (port === null) return
      server = await serveMonitoring({ metrics: allMetrics, checkReady, onError }, host, port)
    })
    const listProblems = async () => (await listReasons(readiness)).map(({ text }) => text)
    const listSamples = keepSamples(scope, { db, notifier, requestSeconds, timing })
    const readStatus = () => readServiceStatus({ ...observed, catalogs, listProblems, listSamples })
    await register(scope, contract.monitoring, makeRoutes(parts, allMetrics, checkReady, readStatus))
  }
}

function makeRoutes(
  { authenticator, operators, metrics: { registry }, listen, address }: MonitoringScopeParts,
  allMetrics: Registry,
  checkReady: () => Promise<Health>,
  readStatus: () => Promise<ServiceStatus>,
) {
  const definitions = new Map(Object.entries(problemDefinitions))
  return implement(contract.monitoring, {
    live: async () => ({ status: 200, body: writeBody({ status: 'ok' }) }),
    ready: async () => ({ status: 200, body: writeBody(await checkReady()) }),
    metrics: async ({ request, reply }) => {
      if (listen.port !== null) throw new RequestProblem('route-not-found', 'The metrics are at another port')
      const key = await admitObserver(authenticator, request)
      reply.header('cache-control', 'no-store').header('content-type', contentTypes.metrics)
      // Administrators of one organisation learn no names of the others.
      return { status: 200, body: await (operators.includes(key.id) ? allMetrics : registry).metrics() }
    },
    status: async ({ request, reply }) => {
      await admitOperator(authenticator, operators, request)
      const status = await readStatus()
      reply.header('cache-control', 'no-store')
      addVary(reply, 'accept')
      if (!prefersHtml(request)) return { status: 200, body: writeBody(status) }
      reply.header('content-type', contentTypes.html)
      return { status: 200, body: encodePage(statusPage(status, address)) }
    },
    problem: async ({ params }) => {
      const definition = definitions.get(params.code)
      if (!definition) throw new RequestProblem('route-not-found', 'There is no problem of this name')
      return { status: 200, body: problemTypePage(definition, address) }
    },
  })
}
