// The repository, or the directory of repositories, that a command reads.
import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import { canBeScanned, openStore } from '@floe/storage/objects'
import { findRepositories } from '../../../catalog/sources/find-repositories.ts'
import { loadConfig } from '../../configuration/load-config.ts'
import { makeReaderLimits } from '../../configuration/sections/limits.ts'
import type { FlagValues } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { limitSignal } from './limit-signal.ts'
import { describeSource, readAccess } from './location-access.ts'

export type OpenedLocation = {
  /** The repository at the location itself. */
  readonly repository: Repository
  /** Lists the repositories directly below the location; undefined if it is a repository itself. */
  readonly listBelow: () => Promise<readonly string[] | undefined>
  readonly openBelow: (name: string) => Repository
  readonly limits: ReaderLimits
  /** Aborts when the process must stop, or at the time limit of the command. */
  readonly signal: AbortSignal
  /** The group of `--group`, without slashes at its ends; undefined for all groups. */
  readonly group: string | undefined
}

/** Opens a location with the limits of the configuration. */
export async function openLocation(
  location: string,
  values: FlagValues,
  { environment, stop }: Pick<Terminal, 'environment' | 'stop'>,
  signal = limitSignal(stop),
): Promise<OpenedLocation> {
  const access = readAccess(values)
  const { limits: configured } = await loadConfig(values.config, environment, {})
  const store = await openStore(location, access)
  const limits = makeReaderLimits(configured)
  return {
    repository: openRepository(store, limits),
    listBelow: async () => {
      const source = canBeScanned(location) ? await describeSource(location, access, signal) : undefined
      if (source === undefined || !('scan' in source)) return undefined
      return (await findRepositories(store, { limits: configured }, signal)).map(({ name }) => name)
    },
    openBelow: (name) => openRepository(store.below(`${name}/`), limits),
    limits,
    signal,
    group: values.group?.replace(/^\/|\/$/g, ''),
  }
}
