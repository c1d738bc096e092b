// `floe serve`: from a configuration to a listening server, and back to nothing on a signal.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { applyDeclaredApiKeys, type DeclaredApiKey, openDatabase, rememberRepository } from '@floe/storage/database'
import { nameOfLocation, openStore } from '@floe/storage/objects'
import { type Logger, pino } from 'pino'
import { listDeclaredKeys } from '../config/declared-keys.ts'
import { buildServer } from '../build-server.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Config, ConfigInput, RepositorySource } from '../config/schema.ts'
import { Catalog, holdsRepository, type RememberRepository } from '../repositories/catalog.ts'
import { resolveHost } from '../receivers/resolve-host.ts'
import { type NotificationParts, openNotifier } from '../notifications/notifier.ts'
import { systemTiming, type Timing } from '../timing.ts'
import { openSecretBox } from '../config/open-secret-box.ts'
import { openSources } from '../repositories/open-sources.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const options = {
  org: { type: 'string' },
  deployment: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  database: { type: 'string' },
  config: { type: 'string' },
} as const

type Flags = { org?: string; deployment?: string; port?: string; host?: string; database?: string; config?: string }

/** Requests under way get this long to finish after a signal, in milliseconds. */
const stopTimeoutMs = 10_000

/** `floe serve`; resolves when the server has stopped. */
export async function serve(args: string[], terminal: Terminal): Promise<void> {
  const { values: flags, positionals: locations } = parseArgs({ args, options, allowPositionals: true })
  const config = await loadConfig(flags.config, terminal.environment, await configOf(flags, locations))
  if (config.deployments.length === 0) {
    throw new UsageError('--org and --deployment are needed, or a configuration with deployments')
  }
  await runServer(config, terminal)
}

/** Serves a configuration until `terminal.stop`. */
export async function runServer(config: Config, terminal: Terminal, timing: Timing = systemTiming): Promise<void> {
  // Before the database, so that a misspelt location leaves nothing behind.
  const keys = listDeclaredKeys(config)
  const sources = await openSources(config)
  const secrets = openSecretBox(config)
  const db = await openDatabase(config.database)
  try {
    const remember: RememberRepository = (org, name) => rememberRepository(db, org, name, new Date())
    const catalogs = new Map([...sources].map(([org, places]) => [org, new Catalog(org, places, remember, Date.now)]))
    const log = pino({ level: 'warn' }, pino.destination(2))
    await serveUntilStopped(config, { db, secrets, catalogs, remember, keys, log, timing }, terminal)
  } finally {
    await db.destroy()
  }
}

type Parts = Pick<NotificationParts, 'db' | 'secrets' | 'catalogs' | 'remember' | 'timing'> & {
  readonly keys: readonly DeclaredApiKey[]
  readonly log: Logger
}

async function serveUntilStopped(config: Config, { keys, log, ...parts }: Parts, terminal: Terminal): Promise<void> {
  const { deployments, baseUrl, cache, cors } = config
  const { trustProxy, ...listen } = config.listen
  const notifier = await openNotifier({
    ...parts,
    settings: config.notifications,
    version: manifest.version,
    resolveHost,
    onError: (error) => log.error({ err: error }, 'notifications'),
  })
  const app = await buildServer({
    ...parts,
    notifier,
    deployments,
    corsOrigins: cors.origins,
    baseUrl,
    trustProxy,
    cache,
    log,
  })
  try {
    // First, because a port in use must stop the start before anything is sent or revoked.
    await app.listen(listen)
    await applyDeclaredApiKeys(parts.db, keys, new Date())
    await notifier.start()
    terminal.out(`listening on ${app.listeningOrigin}\n`)
    if (!terminal.stop.aborted) await once(terminal.stop, 'abort')
  } finally {
    const deadline = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs)
    await Promise.all([notifier.stop(), app.close()])
    clearTimeout(deadline)
  }
}

async function configOf(flags: Flags, locations: readonly string[]): Promise<ConfigInput> {
  const { org, deployment, port, host, database } = flags
  if (locations.length > 0 && org === undefined) throw new UsageError('--org is needed to serve locations')
  if (deployment !== undefined && org === undefined) throw new UsageError('--deployment needs --org')
  return {
    listen: { ...(port !== undefined && { port: portOf(port) }), ...(host !== undefined && { host }) },
    ...(database !== undefined && { database }),
    ...(org !== undefined && { orgs: { [org]: await orgOf(locations) } }),
    ...(org !== undefined && deployment !== undefined && { deployments: [{ name: deployment, org }] }),
  }
}

/** Without locations, the organisation's repositories in the file stand. */
async function orgOf(locations: readonly string[]): Promise<{ repositories?: RepositorySource[] }> {
  return locations.length === 0 ? {} : { repositories: await Promise.all(locations.map(sourceOf)) }
}

/** A location on the command line is a repository, or else a place to scan. */
async function sourceOf(location: string): Promise<RepositorySource> {
  const isRepository = await holdsRepository(await openStore(location), AbortSignal.timeout(30_000))
  return isRepository ? { name: nameOfLocation(location), location } : { scan: location }
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port must be a number, not ${text}`)
  return Number(text)
}
