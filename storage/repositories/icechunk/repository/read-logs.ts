import { mapInParallel } from '../../../waiting/map-in-parallel.ts'
import { RangeTooLongError } from '../errors.ts'
import type { StoredFile } from '../format/envelope.ts'
import type { LogFiles, LogRange } from '../history.ts'
import { formatLogKey } from '../layout.ts'
import type { SnapshotId } from '../types.ts'
import type { ObjectReader } from './object-reader.ts'
import type { RepositoryState } from './repository-state.ts'

const concurrentReads = 8

export async function listLogs(
  { location, limits }: ObjectReader,
  state: RepositoryState,
  [from, to]: readonly [from: SnapshotId, to: SnapshotId],
  signal: AbortSignal,
): Promise<Exclude<LogRange, { kind: 'too-many' }>> {
  const usesV1Limit = state.formatVersion === 1 && limits.maxRangeCommitsV1 <= limits.maxRangeCommits
  const name = usesV1Limit ? 'maxRangeCommitsV1' : 'maxRangeCommits'
  const limit = limits[name]
  const range = await state.listLogsBetween(from, to, { limit, signal })
  if (range.kind !== 'too-many') return range
  throw new RangeTooLongError(location, name, limit, `there are more than ${limit} commits between the snapshots`)
}

export async function readLogFiles(
  reader: ObjectReader,
  ids: readonly SnapshotId[],
  signal: AbortSignal,
): Promise<LogFiles> {
  const { location: repository } = reader
  const { maxRangeStoredBytes: maxBytes } = reader.limits
  let bytesLeft = maxBytes
  const files = await mapInParallel(ids, concurrentReads, async (id): Promise<StoredFile | undefined> => {
    const key = formatLogKey(id)
    const object = await reader.find(key, signal, 'maxRangeStoredBytes')
    if (object === undefined) return undefined
    bytesLeft -= object.bytes.length
    if (bytesLeft < 0) {
      const excess = `the transaction logs between the snapshots have more than ${maxBytes} bytes`
      throw new RangeTooLongError(repository, 'maxRangeStoredBytes', maxBytes, excess)
    }
    return { repository, key, bytes: object.bytes }
  })
  const found = files.filter((file) => file !== undefined)
  return found.length < ids.length ? { kind: 'missing' } : { kind: 'logs', files: found }
}
