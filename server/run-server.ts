// Runs a service: opens its parts, builds the application, starts both, waits for the signal to stop, and stops them.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { applyDeclaredApiKeys } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import { buildServer } from './build-server.ts'
import { makeReaderLimits } from './config/limits.ts'
import type { Config } from './config/schema.ts'
import { findSnapshotDirectory } from './config/snapshot-directory.ts'
import type { MetricsAddress } from './operations/metrics/serve-metrics.ts'
import { openParts, type Parts } from './open-parts.ts'
import type { Tracing } from './tracing/open-tracing.ts'
import { systemTiming, type Timing } from './timing.ts'

/** The parts of the process that a service uses. */
export type ServerProcess = {
  /** Aborted when the service must stop. */
  readonly stop: AbortSignal
  /** Called with one line of text when the service listens. */
  readonly out: (text: string) => void
}

/** Requests under way get this long to finish after the signal to stop, in milliseconds. */
const stopTimeoutMs = 10_000

/**
 * Connections that may wait to be accepted, as far as the system allows. Callers of others would try again after 1, 3 and 7 seconds, so
 * that some are answered late, health checks too, although the service has time for them.
 */
const backlog = 4_096

/** Runs the service of a configuration; resolves when it has stopped. */
export async function runServer(
  config: Config,
  { stop, out }: ServerProcess,
  timing: Timing = systemTiming,
): Promise<void> {
  const parts = await openParts(config, timing)
  const tracing = await openConfiguredTracing(config.tracing, parts.log)
  try {
    const app = await buildServer({
      ...parts,
      deployments: config.deployments,
      corsOrigins: config.cors.origins,
      baseUrl: config.baseUrl,
      trustProxy: config.listen.trustProxy,
      cache: config.cache,
      keptDirectory: findSnapshotDirectory(config.database),
      readerLimits: makeReaderLimits(config.limits),
      limits: config.limits,
      metricsAddress: findMetricsAddress(config),
      tracing: tracing?.plugin,
      warmsReaders: true,
    })
    try {
      if (!stop.aborted) await startServer(app, config, parts)
      if (!stop.aborted) out(`listening on ${app.listeningOrigin}\n`)
      if (!stop.aborted) await once(stop, 'abort')
    } finally {
      await stopServer(app, parts)
    }
  } finally {
    await tracing?.close()
    await parts.db.destroy()
  }
}

/**
 * Applies the declared keys, then listens, then starts the notifications. Throws the error of the system when the port cannot be
 * listened on; nothing is changed then.
 */
export async function startServer(
  app: FastifyInstance,
  config: Pick<Config, 'listen' | 'metrics'>,
  { db, timing, declaredKeys, notifier, counts }: Pick<Parts, 'db' | 'timing' | 'declaredKeys' | 'notifier' | 'counts'>,
): Promise<void> {
  const { host, port } = config.listen
  // A port in use stops the start before keys are revoked and before anything is sent.
  await requireFreePort({ host, port })
  const metricsAddress = findMetricsAddress(config)
  if (metricsAddress !== undefined) await requireFreePort(metricsAddress)
  // Before the port answers, so that no request is made with a key that is revoked here.
  await applyDeclaredApiKeys(db, declaredKeys, new Date(timing.now()))
  await app.listen({ host, port, backlog })
  await notifier.start()
  counts.start()
}

async function openConfiguredTracing(
  { endpoint, sampleRatio }: Config['tracing'],
  log: Parts['log'],
): Promise<Tracing | undefined> {
  if (endpoint === null) return undefined
  const { openTracing } = await import('./tracing/open-tracing.ts')
  return openTracing({ endpoint, sampleRatio }, (err) => log.warn({ err }, 'traces'))
}

/** Where the configuration gives the metrics a port of their own. */
function findMetricsAddress({ metrics: { listen } }: Pick<Config, 'metrics'>): MetricsAddress | undefined {
  return listen.port === null ? undefined : { host: listen.host, port: listen.port }
}

/** Listens for a moment and answers nobody. Throws the error of the system when that fails. */
async function requireFreePort({ host, port }: MetricsAddress): Promise<void> {
  const probe = createServer((socket) => socket.destroy())
  probe.listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

async function stopServer(app: FastifyInstance, { catalogs, notifier, counts }: Parts): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs)
  await Promise.all([notifier.stop(), counts.stop(), app.close()])
  clearTimeout(deadline)
  for (const catalog of catalogs.values()) catalog.close()
}
