// The datasets of the repositories at a location.
import type { Repository } from '@floe/storage/icechunk'
import { nameLocation } from '@floe/storage/objects'
import { toReadingProblem } from '../../../problems/reading-problem.ts'
import { openLocation } from '../access/open-location.ts'
import type { FlagValues } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { concernsOne, type DatasetReader, type DatasetSource, LeftOutError } from './dataset-source.ts'

/** Opens a location: a repository, or a directory of repositories. */
export async function openLocationSource<Value>(
  location: string,
  values: FlagValues,
  terminal: Pick<Terminal, 'environment' | 'stop'>,
  reader: DatasetReader<Value>,
  signal: AbortSignal,
): Promise<DatasetSource<Value>> {
  const { repository, listBelow, openBelow } = await openLocation(location, values, terminal, signal)
  const names = await listBelow()
  return {
    listRepositories: async () => names ?? [nameLocation(location)],
    async *readDatasets(repo, ref) {
      const read = await readSnapshot(names === undefined ? repository : openBelow(repo), ref, signal)
      yield* reader.fromSnapshot({ repo, ...read }, signal)
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
