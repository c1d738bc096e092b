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
 * Indexes what has changed in the datasets of a head, in steps. It compares the index with the snapshot, so it can go on where another
 * process was killed, whatever that had written.
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
  const { groups, omitted } = await ask<GroupFingerprints>({ kind: 'fingerprints' })
  const known = await readFingerprints(db, head)
  const current = new Set(groups.map(([path]) => path))
  const removed = [...known.keys()].filter((path) => !current.has(path))
  for (const paths of cutIntoSteps(removed, stepPaths))
    head = await writeDatasets(db, head, { changed: [], removed: paths }, endLease())
  const changed = groups.filter(([path, fingerprint]) => known.get(path) !== fingerprint).map(([path]) => path)
  for (let done = 0; done < changed.length;) {
    const wanted = changed.slice(done, done + stepDatasets)
    // Fewer than asked for, if they are large.
    const described = await ask<readonly IndexedDataset[]>({ kind: 'descriptions', groups: wanted })
    head = await writeDatasets(db, head, { changed: described, removed: [] }, endLease())
    done += described.length
  }
  await finishIndexing(db, head, { omitted, now: new Date(now()) })
}

type AskParts = {
  readonly readers: IndexParts['readers']
  readonly org: string
  readonly repository: Repository
  readonly snapshotId: SnapshotId
  readonly signal: AbortSignal
}

/** Makes a function that asks a reader thread and parses its answer. The answers are not cached, because each is needed once. */
function makeAsk({ readers, org, repository, snapshotId, signal }: AskParts) {
  return async <Body>(question: Question<'fingerprints' | 'descriptions'>): Promise<Body> => {
    const limited = AbortSignal.any([signal, makeReadingSignal()])
    const body = await readers.ask({ org, repository }, snapshotId, question, limited)
    // A reader thread has written it from a value of this type.
    return JSON.parse(body.toString('latin1')) as Body
  }
}

function* cutIntoSteps<Item>(items: readonly Item[], length: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length)
}
