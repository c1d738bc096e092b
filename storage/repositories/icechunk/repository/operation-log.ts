// The operations log of a version 2 repository. The `repo` object holds the newest operations, and names the copy of
// itself below `overwritten/` that holds older ones; each copy can name another.
import type { ObjectErrors } from '../errors.ts'
import type { Operation } from '../format/repository/read-operations.ts'
import { openRepoObject, type RepoObject } from '../format/repository/repo-object.ts'
import { overwrittenName, repoKey, formatOverwrittenKey } from '../layout.ts'
import type { ObjectReader } from './object-reader.ts'

/** Maximum number of objects that one call reads: `repo` and copies of it, each as large as `repo` was. */
const maxObjects = 4

export type OperationsCursor = {
  /** The page begins with the newest operation before this time, in microseconds. */
  readonly time: bigint
  /** Name of the copy below `overwritten/` in which the page begins; null for the `repo` object. */
  readonly copy: string | null
}

export type OperationsOptions = {
  readonly limit: number
  readonly before?: OperationsCursor | undefined
  readonly signal: AbortSignal
}

export type OperationsPage = {
  readonly operations: readonly Operation[]
  /**
   * Where the next page begins; null when there is none. Even a page with fewer operations than `limit`, or none, can
   * have a next page.
   */
  readonly next: OperationsCursor | null
  /** Whether the log ends too early, because the copy with older operations is gone. */
  readonly isCutOff: boolean
}

export async function readOperationLog(
  reader: ObjectReader,
  repo: RepoObject,
  { limit, before, signal }: OperationsOptions,
): Promise<OperationsPage> {
  const operations: Operation[] = []
  let { time, copy } = before ?? { time: undefined, copy: null }
  for (let objects = 0; ; objects++) {
    const isFull = objects === maxObjects || operations.length === limit
    if (isFull && time !== undefined) return { operations, next: { time, copy }, isCutOff: false }
    const source = copy === null ? repo : await openCopy(reader, copy, signal)
    if (source === undefined) return { operations, next: null, isCutOff: true }
    const part = await source.readOperations({ limit: limit - operations.length, before: time }, signal)
    const isUselessCopy = part.operations.length === 0 && copy !== null && copy !== before?.copy
    operations.push(...part.operations)
    time = operations.at(-1)?.time ?? time
    if (part.hasMore && time !== undefined) return { operations, next: { time, copy }, isCutOff: false }
    if (part.older === null) return { operations, next: null, isCutOff: false }
    const { damage } = reader.errorsAbout(copy === null ? repoKey : formatOverwrittenKey(copy))
    if (isUselessCopy) throw damage('it has no operations older than those of the object that names it')
    copy = checkName(part.older, damage)
  }
}

function checkName(name: string, damage: ObjectErrors['damage']): string {
  if (overwrittenName.test(name)) return name
  throw damage('the name of the object with its older operations is malformed')
}

async function openCopy(reader: ObjectReader, name: string, signal: AbortSignal): Promise<RepoObject | undefined> {
  const key = formatOverwrittenKey(name)
  const object = await reader.find(key, signal)
  return object && openRepoObject({ repository: reader.location, key, bytes: object.bytes }, object.etag, reader.limits)
}
