// `floe serve`: reads the command line and runs the server.
import { parseArgs } from 'node:util'
import { loadConfig } from '../config/load-config.ts'
import type { ConfigInput, RepositorySource } from '../config/schema.ts'
import { runServer } from '../run-server.ts'
import { describeSource } from './describe-source.ts'
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

/** `floe serve`; resolves when the server has stopped. */
export async function serve(args: string[], terminal: Terminal): Promise<void> {
  const { values: flags, positionals: locations } = parseArgs({ args, options, allowPositionals: true })
  const config = await loadConfig(flags.config, terminal.environment, await parseCommandLine(flags, locations))
  if (config.deployments.length === 0) {
    throw new UsageError('give --org and --deployment, or a configuration that has deployments')
  }
  await runServer(config, terminal)
}

async function parseCommandLine(flags: Flags, locations: readonly string[]): Promise<ConfigInput> {
  const { org, deployment, port, host, database } = flags
  if (locations.length > 0 && org === undefined)
    throw new UsageError('--org is missing: it names the organisation of the locations')
  if (deployment !== undefined && org === undefined) throw new UsageError('--deployment needs --org')
  return {
    listen: { ...(port !== undefined && { port: parsePort(port) }), ...(host !== undefined && { host }) },
    ...(database !== undefined && { database }),
    ...(org !== undefined && { orgs: { [org]: await describeOrg(locations) } }),
    ...(org !== undefined && deployment !== undefined && { deployments: [{ name: deployment, org }] }),
  }
}

/** Without locations, the repositories of the organisation come from the configuration file. */
async function describeOrg(locations: readonly string[]): Promise<{ repositories?: RepositorySource[] }> {
  return locations.length === 0 ? {} : { repositories: await Promise.all(locations.map(describeSource)) }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port must be a number, not ${text}`)
  return Number(text)
}
