import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import { openStore } from '@floe/storage/objects'
import { makeReaderLimits } from '../../configuration/sections/limits.ts'
import { loadConfig } from '../../configuration/load-config.ts'
import type { FlagValues } from '../command.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { readAccess } from '../access/location-access.ts'
import type { Terminal } from '../terminal.ts'

/** A repository that a command reads, and the group that it is about. */
export type OpenedLocation = {
  readonly repository: Repository
  readonly limits: ReaderLimits
  /** Aborts when the process must stop, or at the time limit of the command. */
  readonly signal: AbortSignal
  /** Without slashes at its ends; undefined for all groups. */
  readonly group: string | undefined
}

/** Opens the repository at a location, with the limits of the configuration. */
export async function openLocation(
  location: string,
  values: FlagValues,
  terminal: Pick<Terminal, 'environment' | 'stop'>,
  timeoutMs?: number,
): Promise<OpenedLocation> {
  const access = readAccess(values)
  const { limits: configured } = await loadConfig(values.config, terminal.environment, {})
  const limits = makeReaderLimits(configured)
  return {
    repository: openRepository(await openStore(location, access), limits),
    limits,
    signal: limitSignal(terminal.stop, timeoutMs),
    group: values.group?.replace(/^\/|\/$/g, ''),
  }
}
