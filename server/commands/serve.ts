// `floe serve`: from a configuration to a listening server, and back to nothing on a signal.
import { once } from 'node:events'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase, rememberRepository } from '@floe/storage/database'
import { openStore } from '@floe/storage/objects'
import { pino } from 'pino'
import { buildServer } from '../build-server.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Config, ConfigInput, RepositorySource } from '../config/schema.ts'
import { Catalog, holdsRepository } from '../metadata/catalog.ts'
import { openSources } from '../open-sources.ts'
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
export async function runServer(config: Config, terminal: Terminal): Promise<void> {
  // Before the database, so that a misspelt location leaves nothing behind.
  const sources = await openSources(config)
  const db = await openDatabase(config.database)
  const remember = (org: string, name: string) => rememberRepository(db, org, name, new Date())
  const { host, port } = config.listen
  const app = await buildServer({
    db,
    catalogs: new Map([...sources].map(([org, places]) => [org, new Catalog(org, places, remember, Date.now)])),
    deployments: config.deployments,
    baseUrl: config.baseUrl,
    cache: config.cache,
    now: Date.now,
    log: pino({ level: 'warn' }, pino.destination(2)),
  })
  try {
    await app.listen({ host, port })
    terminal.out(`listening on ${app.listeningOrigin}\n`)
    if (!terminal.stop.aborted) await once(terminal.stop, 'abort')
  } finally {
    const deadline = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs)
    await app.close()
    clearTimeout(deadline)
    await db.destroy()
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
  return isRepository ? { name: basename(resolve(location)), location } : { scan: location }
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port must be a number, not ${text}`)
  return Number(text)
}
