// The datasets of the repositories at a location.
import { openRepository, type Repository } from '@floe/storage/icechunk'
import { canBeScanned, nameLocation, openStore } from '@floe/storage/objects'
import { listRepositories } from '../../../catalog/sources/list-repositories.ts'
import { toReadingProblem } from '../../../problems/reading-problem.ts'
import { makeReaderLimits } from '../../configuration/sections/limits.ts'
import { loadConfig } from '../../configuration/load-config.ts'
import type { FlagValues } from '../command.ts'
import { describeSource, readAccess } from '../access/location-access.ts'
import type { Terminal } from '../terminal.ts'
import { concernsOne, type DatasetReader, type DatasetSource, LeftOutError } from './dataset-source.ts'

/** Opens a location: a repository, or a directory of repositories. */
export async function openLocationSource<Value>(
  location: string,
  values: FlagValues,
  { environment }: Pick<Terminal, 'environment'>,
  reader: DatasetReader<Value>,
  signal: AbortSignal,
): Promise<DatasetSource<Value>> {
  const access = readAccess(values)
  const { limits } = await loadConfig(values.config, environment, {})
  const source = canBeScanned(location) ? await describeSource(location, access, signal) : undefined
  const store = await openStore(location, access)
  const isScanned = source !== undefined && 'scan' in source
  return {
    listRepositories: async () => (isScanned ? listRepositories(store, limits, signal) : [nameLocation(location)]),
    async *readDatasets(repo, ref) {
      const repository = openRepository(isScanned ? store.below(`${repo}/`) : store, makeReaderLimits(limits))
      yield* reader.fromSnapshot({ repo, ...(await readSnapshot(repository, ref, signal)) }, signal)
    },
  }
}

async function readSnapshot(repository: Repository, name: string, signal: AbortSignal) {
  try {
    const state = await repository.readState(signal)
    const ref = await state.resolve(name, signal)
    return { state, ref, snapshot: await repository.readSnapshot(ref.snapshotId, signal) }
  } catch (error) {
    const problem = toReadingProblem(error)
    throw problem && concernsOne(problem.code) ? new LeftOutError(problem.message, { cause: error }) : error
  }
}
