// Runs a service: opens its parts, builds the application, starts both, waits for the signal to stop, and stops them.
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { applyDeclaredApiKeys } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import { ConfigError, nameVariable } from './configuration/load-config.ts'
import type { Config } from './configuration/schema.ts'
import { describePublicDeployments, logStart, reviewConfiguration, reviewExpectations } from './review-configuration.ts'
import { loadLineFormat } from './load-line-format.ts'
import { buildApplication } from './application.ts'
import type { OverloadLimits } from './monitoring/refuse-when-overloaded.ts'
import { openParts, type Parts } from './parts.ts'
import { openSignIn, openTokens } from './open-tokens.ts'
import { Reloader } from './configuration/reloader.ts'
import type { Tracing } from '../observation/open-tracing.ts'
import { systemTiming, type Timing } from '../timing.ts'

/** The parts of the process that a service uses. */
export type ServerProcess = {
  /** Aborted when the service must stop. */
  readonly stop: AbortSignal
  /** Called with one line of text when the service listens. */
  readonly out: (text: string) => void
  /** Whether a person sees the log, rather than a program. Default: false. */
  readonly isInteractive?: boolean
  /** Called with a warning for each public deployment, once its repositories are found. */
  readonly warn?: (line: string) => void
  /** The environment variables, which are checked for mistakes. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Whether every answer is checked against the contract. Default: false. */
  readonly checksAnswers?: boolean
  /** Default: those of this process. */
  readonly overloadLimits?: OverloadLimits
  /** Requests to read the configuration again. Default: none. */
  readonly reloads?: Reloads
}

/**
 * Requests to read the configuration again, and the function that reads it. The requests may reject when the service
 * stops.
 */
type Reloads = { readonly requests: AsyncIterable<unknown>; readonly readConfig: () => Promise<Config> }

/** Requests under way get this long to finish after the signal to stop, in milliseconds. */
const requestsMs = 10_000

/**
 * Longest stop of the service, in milliseconds; the process ends at most a second later. Attempts take at most 5 s and
 * are then recorded, so only a database or a store that hangs takes longer. The next process repeats what was not
 * recorded.
 */
const longestStopMs = 15_000

/**
 * Maximum number of connections that wait to be accepted, as far as the system allows. Node.js accepts one in each
 * iteration of the event loop. Further callers try again after 1, 3 and 7 seconds, and are answered late although the
 * service has time for them.
 */
const backlog = 4_096

/** Runs the service of a configuration; resolves when it has stopped. */
export async function runServer(
  config: Config,
  { stop, out, isInteractive = false, warn = () => {}, environment = {}, reloads, ...options }: ServerProcess,
  timing: Timing = systemTiming,
): Promise<void> {
  const formatLine = isInteractive ? await loadLineFormat() : undefined
  const parts = await openParts(config, timing, environment, formatLine, stop)
  const { app, tracing } = await build(config, parts, { environment, ...options })
  let reloading: Promise<void> | undefined
  try {
    if (!stop.aborted) await startServer(app, config, parts)
    const review = async (reviewed: Config) => {
      await reviewExpectations(parts)
      await reviewConfiguration(reviewed, { ...parts, environment, stop })
    }
    if (!stop.aborted) {
      out(`listening on ${app.listeningOrigin}\n`)
      const v1 = config.baseUrl ?? `${app.listeningOrigin}/v1`
      await logStart(config, parts, v1)
      void review(config).then(() =>
        describePublicDeployments(config, parts.catalogs, v1).forEach((line) => warn(line)),
      )
    }
    reloading = reloads && followReloads(new Reloader(config, parts), { ...reloads, review }, stop)
    if (!stop.aborted) await once(stop, 'abort')
    parts.log.info('the service is stopping')
  } finally {
    await stopServer(app, { ...parts, tracing }, reloading)
  }
  parts.log.info('the service has stopped')
}

type BuildOptions = Required<Pick<ServerProcess, 'environment'>> &
  Pick<ServerProcess, 'checksAnswers' | 'overloadLimits'>

/** Builds the application, and opens the tracing of its requests if it is configured. */
async function build(config: Config, parts: Parts, { environment, ...options }: BuildOptions) {
  try {
    const { endpoint } = config.tracing
    const onError = (err: unknown) => parts.log.warn({ err }, 'traces could not be sent')
    let tracing: Tracing | undefined
    if (endpoint !== null) {
      const { openTracing } = await import('../observation/open-tracing.ts')
      tracing = await openTracing(endpoint, onError)
    }
    const tokens = await openTokens(config, parts, environment)
    const issuer = await openSignIn(config, parts, environment)
    const app = await buildApplication(parts, { ...config, tokens, issuer, tracing: tracing?.plugin, ...options })
    return { app, tracing }
  } catch (error) {
    await parts.reading.readers.close()
    await parts.db.destroy()
    throw error
  }
}

/**
 * Reloads the configuration at each request, one after the other, until the service must stop. Reviews what has
 * changed.
 */
async function followReloads(
  reloader: Reloader,
  { requests, readConfig, review }: Reloads & { readonly review: (config: Config) => Promise<void> },
  stop: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of requests) {
      const config = await reloader.reload(readConfig)
      if (config !== undefined) void review(config)
    }
  } catch (error) {
    if (!stop.aborted) throw error
  }
}

/**
 * Applies the declared keys, then listens, then starts the notifications. Throws ConfigError when a port cannot be
 * opened; nothing is changed then.
 */
export async function startServer(
  app: FastifyInstance,
  config: Pick<Config, 'listen' | 'metrics'>,
  { db, timing, declaredKeys, notifier }: Pick<Parts, 'db' | 'timing' | 'declaredKeys' | 'notifier'>,
): Promise<void> {
  const { listen, metrics } = config
  const { port } = listen
  // Fastify would listen on each address of `localhost` with a separate server, which has none of our limits.
  const host = await findAddress(listen.host, 'listen.host')
  // If a port is in use, the start fails before keys are revoked and before anything is sent.
  await requireFreePort(host, port, ['listen', 'port'])
  if (metrics.listen.port !== null) {
    const metricsHost = await findAddress(metrics.listen.host, 'metrics.listen.host')
    await requireFreePort(metricsHost, metrics.listen.port, ['metrics', 'listen', 'port'])
  }
  // Before the port answers, so that no request is made with a key that is revoked here.
  await applyDeclaredApiKeys(db, declaredKeys, new Date(timing.now()))
  await app.listen({ host, port, backlog })
  await notifier.start()
}

/** Checks that a port is free by listening on it for a moment. Throws ConfigError, with the key, when it is not. */
async function requireFreePort(host: string, port: number, key: readonly string[]): Promise<void> {
  const probe = createServer((socket) => socket.destroy())
  probe.listen({ host, port, exclusive: true })
  try {
    await once(probe, 'listening')
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    const reason = isTaken ? 'another program listens there' : cause instanceof Error ? cause.message : String(cause)
    const setting = `${key.join('.')} (${nameVariable(key)})`
    throw new ConfigError(`${setting}: port ${port} of ${host} cannot be opened: ${reason}`, { cause })
  }
  probe.close()
  await once(probe, 'close')
}

/**
 * Finds the address of a host of the configuration; of `localhost`, the IPv4 address. Throws ConfigError, with the key,
 * when there is none.
 */
async function findAddress(host: string, key: string): Promise<string> {
  try {
    return (await lookup(host, { order: 'ipv4first' })).address
  } catch (cause) {
    throw new ConfigError(`${key}: the host ${host} cannot be found`, { cause })
  }
}

/** The parts that {@link stopServer} stops or needs. */
export type StoppedParts = Pick<Parts, 'timing' | 'db'> & {
  readonly catalogs: Pick<Parts['catalogs'], 'close'>
  readonly notifier: Pick<Parts['notifier'], 'stop'>
  readonly reading: { readonly readers: Pick<Parts['reading']['readers'], 'close'> }
  readonly log: Pick<Parts['log'], 'error'>
  readonly tracing?: Pick<Tracing, 'close'> | undefined
}

/**
 * Stops a service: requests and attempts under way end, nothing new begins. Resolves after {@link longestStopMs} at the
 * latest, and logs an error if something still hangs then.
 */
export async function stopServer(
  app: FastifyInstance,
  parts: StoppedParts,
  reloading: Promise<void> = Promise.resolve(),
): Promise<void> {
  const { timing, log } = parts
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const cancels = [
    timing.after(requestsMs, () => app.server.closeAllConnections()),
    timing.after(longestStopMs, () => resolve('late')),
  ]
  const end = await Promise.race([stopParts(app, parts, reloading), late])
  for (const cancel of cancels) cancel()
  if (end === 'late') log.error(`not everything has ended ${longestStopMs / 1000} s after the signal to stop`)
}

async function stopParts(
  app: FastifyInstance,
  { catalogs, notifier, reading, db, tracing }: StoppedParts,
  reloading: Promise<void>,
): Promise<void> {
  try {
    await Promise.all([notifier.stop(), app.close(), reloading])
    catalogs.close()
  } finally {
    // Requests and checks of heads ask the reader threads until they have ended.
    await Promise.all([reading.readers.close(), tracing?.close()])
    // After the connections of the readers, because the last connection tidies the file of SQLite.
    await db.destroy()
  }
}
