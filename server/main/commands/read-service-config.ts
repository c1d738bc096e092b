import { nameLocation, openStore } from '@floe/storage/objects'
import { loadConfig } from '../configuration/load-config.ts'
import type { RepositorySource } from '../../catalog/open-sources.ts'
import { holdsRepository } from '../../catalog/source-scan.ts'
import type { Config, ConfigInput } from '../configuration/schema.ts'
import { type CommandLine, type FlagValues, UsageError } from './command.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads the configuration of a service from the file, the environment variables and the command line.
 *
 * @throws ConfigError, LocationError, ObjectStoreError; UsageError when deployments are missing; the reason of `stop` when it is aborted
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
  const listen = { ...(port !== undefined && { port: parsePort(port) }), ...(host !== undefined && { host }) }
  const repositories = await Promise.all(locations.map((location) => describeSource(location, stop)))
  return {
    listen,
    ...(database !== undefined && { database }),
    // Without locations, the repositories of the organisation come from the configuration file.
    ...(org !== undefined && { orgs: { [org]: repositories.length === 0 ? {} : { repositories } } }),
    ...(org !== undefined && deployment !== undefined && { deployments: [{ name: deployment, org }] }),
  }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port must be a number, not ${text}`)
  return Number(text)
}

/** Time limit of the check whether a location is a repository, in milliseconds. */
const probeTimeoutMs = 30_000

/**
 * Determines whether a location is a repository or must be scanned for repositories.
 *
 * @throws LocationError, ObjectStoreError; the reason of `stop` when it is aborted
 */
export async function describeSource(location: string, stop: AbortSignal): Promise<RepositorySource> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(probeTimeoutMs)])
  const isRepository = await holdsRepository(await openStore(location), signal)
  return isRepository ? { name: nameLocation(location), location } : { scan: location }
}
