// The datasets of the repositories at a location.
import { openRepository, type Repository, type Snapshot } from '@floe/storage/icechunk'
import { canBeScanned, nameLocation, openStore } from '@floe/storage/objects'
import { listRepositories } from '../../../catalog/sources/list-repositories.ts'
import { toReadingProblem } from '../../../problems/reading-problem.ts'
import { readContracts } from '../../../reading/compatibility/read-contracts.ts'
import { makeReaderLimits } from '../../configuration/limits.ts'
import { loadConfig } from '../../configuration/load-config.ts'
import type { FlagValues } from '../command.ts'
import { describeSource, readAccess } from '../access/location-access.ts'
import type { Terminal } from '../terminal.ts'
import { concernsOne, type DatasetSource, LeftOutError } from './dataset-source.ts'

/** Opens a location: a repository, or a directory of repositories. */
export async function openLocationSource(
  location: string,
  values: FlagValues,
  { environment }: Pick<Terminal, 'environment'>,
  signal: AbortSignal,
): Promise<DatasetSource> {
  const access = readAccess(values)
  const { limits } = await loadConfig(values.config, environment, {})
  const source = canBeScanned(location) ? await describeSource(location, access, signal) : undefined
  const store = await openStore(location, access)
  const isScanned = source !== undefined && 'scan' in source
  return {
    listRepositories: async () => (isScanned ? listRepositories(store, limits, signal) : [nameLocation(location)]),
    async *readDatasets(repo, ref) {
      const opened = openRepository(isScanned ? store.below(`${repo}/`) : store, makeReaderLimits(limits))
      yield* readContracts(await readSnapshot(opened, ref, signal), '', signal)
    },
  }
}

async function readSnapshot(repository: Repository, ref: string, signal: AbortSignal): Promise<Snapshot> {
  try {
    const { snapshotId } = await repository.resolve(ref, signal)
    return await repository.readSnapshot(snapshotId, signal)
  } catch (error) {
    const problem = toReadingProblem(error)
    throw problem && concernsOne(problem.code) ? new LeftOutError(problem.message, { cause: error }) : error
  }
}
