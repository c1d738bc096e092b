import { loadConfig } from '../configuration/load-config.ts'
import type { RepositorySource } from '../../catalog/open-sources.ts'
import type { Config, ConfigInput } from '../configuration/schema.ts'
import { type CommandLine, type FlagValues, UsageError } from './command.ts'
import { describeSource } from './describe-source.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads the configuration of a service: the file, the variables and the command line.
 *
 * @throws ConfigError, LocationError, ObjectStoreError; UsageError when they do not make a service; the reason of `stop` when that was
 * aborted
 */
export async function readServiceConfig(
  { values, operands }: CommandLine,
  { environment, stop }: Pick<Terminal, 'environment' | 'stop'>,
): Promise<Config> {
  const config = await loadConfig(values.config, environment, await parseCommandLine(values, operands, stop))
  if (config.deployments.length === 0) {
    throw new UsageError('give --org and --deployment, or a configuration that has deployments')
  }
  return config
}

async function parseCommandLine(
  { org, deployment, port, host, database }: FlagValues,
  locations: readonly string[],
  stop: AbortSignal,
): Promise<ConfigInput> {
  if (locations.length > 0 && org === undefined)
    throw new UsageError('--org is missing: it names the organisation of the locations')
  if (deployment !== undefined && org === undefined) throw new UsageError('--deployment needs --org')
  return {
    listen: { ...(port !== undefined && { port: parsePort(port) }), ...(host !== undefined && { host }) },
    ...(database !== undefined && { database }),
    ...(org !== undefined && { orgs: { [org]: await describeOrg(locations, stop) } }),
    ...(org !== undefined && deployment !== undefined && { deployments: [{ name: deployment, org }] }),
  }
}

/** Without locations, the repositories of the organisation come from the configuration file. */
async function describeOrg(
  locations: readonly string[],
  stop: AbortSignal,
): Promise<{ repositories?: RepositorySource[] }> {
  if (locations.length === 0) return {}
  return { repositories: await Promise.all(locations.map((location) => describeSource(location, stop))) }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port must be a number, not ${text}`)
  return Number(text)
}
