// Brings the index of search up to one head.
import {
  type Database,
  extendLease,
  finishIndexing,
  type HeadToIndex,
  type IndexedDataset,
  readFingerprints,
  writeDatasets,
} from '@floe/storage/database'
import { parseSnapshotId, type Repository, type SnapshotId } from '@floe/storage/icechunk'
import type { Catalog } from '../../catalog/catalog.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { makeReadingSignal } from '../../catalog/reading.ts'
import type { Question } from '../../reading/question.ts'
import type { PathChanges } from '../../reading/diff/find-changed-paths.ts'
import type { GroupFingerprints } from '../../reading/search/list-fingerprints.ts'
import type { ReaderPool } from '../../reading/threads/reader-pool.ts'

/** How long a process may take for one step before another process takes over, in milliseconds. */
const leaseMs = 60_000

/** Datasets that are described, and then written, in one step. Writing them keeps the database for some 50 ms. */
const stepDatasets = 100

/** Paths that are removed in one step. */
const stepPaths = 500

export type IndexParts = {
  readonly db: Database
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly now: () => number
}

/**
 * Indexes what has changed in the datasets of a head, in steps. If another process was killed while it did so, the head names no indexed
 * snapshot, and the index is compared with the snapshot, so it does not matter what that process had written.
 *
 * @throws IndexLeaseLostError, and the errors of reading a snapshot
 */
export async function indexHead(parts: IndexParts, due: HeadToIndex, signal: AbortSignal): Promise<void> {
  const { db, catalogs, readers, now } = parts
  const endLease = () => now() + leaseMs
  let head = await extendLease(db, due, endLease())
  const { org, repo } = head
  const repository = await catalogs.get(org)?.find(repo, makeReadingSignal)
  if (repository === undefined) {
    const removed = [...(await readFingerprints(db, head)).keys()]
    for (const paths of cutIntoSteps(removed, stepPaths)) {
      signal.throwIfAborted()
      head = await writeDatasets(db, head, { changed: [], removed: paths }, endLease())
    }
    return finishIndexing(db, head, { omitted: 0, isGone: true, now: new Date(now()) })
  }
  const snapshotId = parseSnapshotId(head.snapshotId)
  if (snapshotId === undefined)
    throw new RequestProblem('damaged-repository', `the recorded head is not a snapshot id: ${head.snapshotId}`)
  const ask = makeAsk({ readers, org, repository, snapshotId, signal })
  const { changed, removed, omitted, known } =
    (await findUpdated(db, ask, head)) ?? (await compareFingerprints(db, ask, head))
  for (const paths of cutIntoSteps(removed, stepPaths))
    head = await writeDatasets(db, head, { changed: [], removed: paths }, endLease())
  for (let done = 0; done < changed.length;) {
    const wanted = changed.slice(done, done + stepDatasets)
    // Fewer than asked for, if they are large.
    const described = await ask<readonly IndexedDataset[]>({ kind: 'descriptions', groups: wanted })
    const outdated = described.filter(({ path, fingerprint }) => known.get(path) !== fingerprint)
    if (outdated.length > 0) head = await writeDatasets(db, head, { changed: outdated, removed: [] }, endLease())
    done += described.length
  }
  await finishIndexing(db, head, { omitted, now: new Date(now()) })
}

/** What the index of a head lacks. */
type Outdated = {
  /** Paths of groups that may have another description than the index. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly omitted: number
  /** Fingerprints of these groups in the index, by path. */
  readonly known: ReadonlyMap<string, string>
}

/**
 * Finds by the transaction logs which groups were updated since the indexed snapshot, however many groups there are. Undefined if the logs
 * cannot tell, list too much, or say that nodes were created, deleted or moved, because that may change which groups the limits leave out.
 */
async function findUpdated(db: Database, ask: Ask, head: HeadToIndex): Promise<Outdated | undefined> {
  const from = parseSnapshotId(head.indexedSnapshotId)
  if (from === undefined) return undefined
  const { changes } = await ask<Pick<PathChanges, 'changes'>>({ kind: 'changed-paths', from, filters: [] }).catch(
    (error: unknown) => {
      // The indexed snapshot may have expired, for example. The head itself is read below.
      if (error instanceof RequestProblem) return { changes: null }
      throw error
    },
  )
  if (changes === null) return undefined
  const { updated, counts } = changes
  if (counts.created + counts.deleted + counts.moved > 0 || counts.updated > updated.length) return undefined
  // An array belongs to the description of its group. PostgreSQL refuses NUL, so no such path is indexed.
  const groups = updated.flatMap((path) => [path, path.slice(0, Math.max(path.lastIndexOf('/'), 0))])
  const known = await readFingerprints(
    db,
    head,
    groups.filter((path) => !path.includes('\0')),
  )
  return { changed: [...known.keys()], removed: [], omitted: head.omitted, known }
}

/** Compares all groups of the head with the index. */
async function compareFingerprints(db: Database, ask: Ask, head: HeadToIndex): Promise<Outdated> {
  const { groups, omitted } = await ask<GroupFingerprints>({ kind: 'fingerprints' })
  const known = await readFingerprints(db, head)
  const current = new Set(groups.map(([path]) => path))
  const removed = [...known.keys()].filter((path) => !current.has(path))
  const changed = groups.filter(([path, fingerprint]) => known.get(path) !== fingerprint).map(([path]) => path)
  return { changed, removed, omitted, known }
}

type AskParts = {
  readonly readers: IndexParts['readers']
  readonly org: string
  readonly repository: Repository
  readonly snapshotId: SnapshotId
  readonly signal: AbortSignal
}

/** Asks a reader thread and parses its answer. */
type Ask = <Body>(question: Question<'changed-paths' | 'fingerprints' | 'descriptions'>) => Promise<Body>

/** The answers are not cached, because each is needed once. */
function makeAsk({ readers, org, repository, snapshotId, signal }: AskParts): Ask {
  return async <Body>(question: Parameters<Ask>[0]): Promise<Body> => {
    const limited = AbortSignal.any([signal, makeReadingSignal()])
    const body = await readers.ask({ org, repository }, snapshotId, question, limited)
    // A reader thread has written it from a value of this type.
    return JSON.parse(body.toString('latin1')) as Body
  }
}

function* cutIntoSteps<Item>(items: readonly Item[], length: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length)
}
