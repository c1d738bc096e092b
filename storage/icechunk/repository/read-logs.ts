import pLimit from 'p-limit'
import { RangeTooLongError } from '../errors.ts'
import type { StoredFile } from '../format/envelope.ts'
import type { RepoObject } from '../format/repo-object.ts'
import type { LogFiles, LogRange } from '../history.ts'
import { formatLogKey } from '../layout.ts'
import type { SnapshotId } from '../types.ts'
import type { ObjectReader } from './object-reader.ts'
import type { RefFiles } from './ref-files.ts'

const concurrentReads = 8

export async function listLogs(
  { location, limits }: ObjectReader,
  state: RepoObject | RefFiles,
  [from, to]: readonly [from: SnapshotId, to: SnapshotId],
  signal: AbortSignal,
): Promise<Exclude<LogRange, { kind: 'too-many' }>> {
  const name = state.formatVersion === 2 ? 'maxRangeCommits' : chooseSmaller(limits)
  const limit = limits[name]
  const range = await state.listLogsBetween(from, to, { limit, signal })
  if (range.kind !== 'too-many') return range
  throw new RangeTooLongError(location, name, limit, `there are more than ${limit} commits between the snapshots`)
}

function chooseSmaller({
  maxRangeCommits,
  maxRangeCommitsV1,
}: ObjectReader['limits']): 'maxRangeCommits' | 'maxRangeCommitsV1' {
  return maxRangeCommits < maxRangeCommitsV1 ? 'maxRangeCommits' : 'maxRangeCommitsV1'
}

export async function readLogFiles(
  reader: ObjectReader,
  ids: readonly SnapshotId[],
  signal: AbortSignal,
): Promise<LogFiles> {
  const { location: repository, limits } = reader
  const limit = pLimit(concurrentReads)
  let bytesLeft = limits.maxRangeStoredBytes
  const files = await limit
    .map(ids, async (id): Promise<StoredFile | undefined> => {
      const key = formatLogKey(id)
      const object = await reader.find(key, signal, 'maxRangeStoredBytes')
      if (object === undefined) return undefined
      bytesLeft -= object.bytes.length
      if (bytesLeft < 0) throw explainBytes(repository, limits.maxRangeStoredBytes)
      return { repository, key, bytes: object.bytes }
    })
    // If one read fails, the call fails, so drop the reads that have not started.
    .finally(() => limit.clearQueue())
  const found = files.filter((file) => file !== undefined)
  return found.length < ids.length ? { kind: 'missing' } : { kind: 'logs', files: found }
}

function explainBytes(repository: string, value: number): RangeTooLongError {
  const excess = `the transaction logs between the snapshots have more than ${value} bytes`
  return new RangeTooLongError(repository, 'maxRangeStoredBytes', value, excess)
}
