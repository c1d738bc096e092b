import { isIP } from 'node:net'
import { isLocalName, parseNetwork } from '@floe/storage/addresses'
import { loadConfig } from '../../configuration/load-config.ts'
import type { Config, ConfigInput } from '../../configuration/schema.ts'
import { type CommandLine, type FlagValues, UsageError } from '../command.ts'
import { describeSource, readAccess } from './location-access.ts'
import type { Terminal } from '../terminal.ts'

/** Default name of the organisation and the deployment for `--public`. */
const local = 'local'

const loopback = { 4: parseNetwork('127.0.0.0/8'), 6: parseNetwork('::1/128') }

/**
 * Reads the configuration of a service from the file, the environment variables and the command line.
 *
 * @throws ConfigError, LocationError, ObjectStoreError; UsageError if there is no deployment, or if `--public` would
 * serve other machines; the reason of `stop` if that aborts
 */
export async function readServiceConfig(
  { values, operands }: CommandLine,
  { environment, stop }: Pick<Terminal, 'environment' | 'stop'>,
): Promise<Config> {
  const config = await loadConfig(values.config, environment, await parseCommandLine(values, operands, stop))
  if (config.deployments.length === 0) {
    throw new UsageError('give --org and --deployment, or --public, or a configuration that has deployments')
  }
  const { host } = config.listen
  if (values.public && !values.yes && !isLoopback(host)) {
    const whom = `--public would let everyone who reaches ${host} read all repositories`
    throw new UsageError(`${whom}; add --yes if that is meant, or listen on 127.0.0.1`)
  }
  return config
}

function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 4 || version === 6 ? loopback[version].contains(host) : isLocalName(host)
}

async function parseCommandLine(
  values: FlagValues,
  locations: readonly string[],
  stop: AbortSignal,
): Promise<ConfigInput> {
  const { port, host, database, public: isPublic = false } = values
  const { org = isPublic ? local : undefined, deployment = isPublic ? local : undefined } = values
  const access = readAccess(values)
  if (locations.length === 0) {
    if (isPublic && values.org === undefined) throw new UsageError('--public needs a LOCATION, or --org')
    const [flag] = Object.keys(access)
    if (flag !== undefined) throw new UsageError(`--${flag} needs a LOCATION; in a configuration it is a key beside it`)
  }
  if (locations.length > 0 && org === undefined)
    throw new UsageError('--org is missing: it names the organisation of the locations')
  if (deployment !== undefined && org === undefined) throw new UsageError('--deployment needs --org')
  const listen = { ...(port !== undefined && { port: parsePort(port) }), ...(host !== undefined && { host }) }
  const repositories = await Promise.all(locations.map((location) => describeSource(location, access, stop)))
  return {
    listen,
    ...(database !== undefined && { database }),
    // Without locations, the repositories of the organisation come from the configuration file.
    ...(org !== undefined && { orgs: { [org]: repositories.length === 0 ? {} : { repositories } } }),
    ...(org !== undefined &&
      deployment !== undefined && { deployments: [{ name: deployment, org, public: isPublic }] }),
  }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not ${text}`)
  return Number(text)
}
