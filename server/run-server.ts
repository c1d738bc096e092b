// Runs a service: opens its parts, builds the application, starts both, waits for the signal to stop, and stops them.
import { once } from 'node:events'
import { applyDeclaredApiKeys } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import { buildServer } from './build-server.ts'
import type { Config } from './config/schema.ts'
import { openParts, type Parts } from './open-parts.ts'
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

/** Runs the service of a configuration; resolves when it has stopped. */
export async function runServer(
  config: Config,
  { stop, out }: ServerProcess,
  timing: Timing = systemTiming,
): Promise<void> {
  const parts = await openParts(config, timing)
  try {
    const app = await buildServer({
      ...parts,
      timing,
      deployments: config.deployments,
      corsOrigins: config.cors.origins,
      baseUrl: config.baseUrl,
      trustProxy: config.listen.trustProxy,
      cache: config.cache,
      limits: config.limits,
    })
    try {
      await startServer(app, config, parts)
      out(`listening on ${app.listeningOrigin}\n`)
      if (!stop.aborted) await once(stop, 'abort')
    } finally {
      await stopServer(app, parts)
    }
  } finally {
    await parts.db.destroy()
  }
}

async function startServer(app: FastifyInstance, config: Config, { db, declaredKeys, notifier }: Parts): Promise<void> {
  const { host, port } = config.listen
  // First, so that a port in use stops the start before keys are revoked or anything is sent.
  await app.listen({ host, port })
  await applyDeclaredApiKeys(db, declaredKeys, new Date())
  await notifier.start()
}

async function stopServer(app: FastifyInstance, { notifier }: Parts): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs)
  await Promise.all([notifier.stop(), app.close()])
  clearTimeout(deadline)
}
