// Updates the index of search to the snapshot of one head.
import {
  type Database,
  finishIndexing,
  type LeasedHead,
  listShardLengths,
  replaceShard,
  type WrittenShard,
} from '@floe/storage/database'
import { parseSnapshotId, type Repository, type SnapshotId } from '@floe/storage/icechunk'
import type { FairQueue } from '@floe/storage/waiting'
import type { Catalog } from '../../catalog/catalog.ts'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { indexForm } from '../describe/list-fingerprints.ts'
import { readShardRows } from '../describe/write-shard.ts'
import { type Ask, type IndexAnswer, type IndexQuestion, planUpdates, type ShardUpdate } from './plan-updates.ts'

/**
 * Longest index of a head, in UTF-16 code units: 250,000 variables with usual names. The datasets of further shards are
 * left out.
 */
const maxHeadLength = 64_000_000

/** The threads that read snapshots. */
export type IndexReaders = {
  readonly ask: <Asked extends IndexQuestion>(
    asked: { readonly org: string; readonly repository: Repository },
    id: SnapshotId,
    question: Asked,
    signal: AbortSignal,
  ) => Promise<IndexAnswer<Asked>>
}

export type IndexParts = {
  readonly db: Database
  readonly catalogs: ReadonlyMap<string, Pick<Catalog, 'find'>>
  readonly readers: IndexReaders
  /** For one shard at a time, from reading its snapshot on, so that describing them takes few reader threads. */
  readonly describing: FairQueue
  /** For when heads are due. */
  readonly dueNow: () => number
}

/**
 * Indexes what has changed in the datasets of a head, one shard after the other. If another process was killed while it
 * did so, the head names no indexed snapshot. Then the whole index of the head is compared with the snapshot, so it
 * does not matter what that process had written.
 *
 * @throws IndexLeaseLostError, and the errors of reading a snapshot
 */
export async function indexHead(parts: IndexParts, head: LeasedHead, signal: AbortSignal): Promise<void> {
  const { db, catalogs, dueNow } = parts
  const { org, repo } = head
  const lengths = await listShardLengths(db, head)
  const repository = await catalogs.get(org)?.find(repo, makeReadingSignal)
  if (repository === undefined) {
    for (const shard of lengths.keys()) await replaceShard(db, head, { shard, written: null })
    return finishIndexing(db, head, { omitted: 0, form: indexForm, isGone: true, dueAt: new Date(dueNow()) })
  }
  const snapshotId = parseSnapshotId(head.snapshotId)
  if (snapshotId === undefined)
    throw new RequestProblem('damaged-repository', `the recorded head is not a snapshot id: ${head.snapshotId}`)
  const ask = makeAsk({ ...parts, org, repository, snapshotId, signal })
  const { updates, omitted, problem } = await planUpdates(db, ask, head, lengths)
  let [length, overLimit] = [[...lengths.values()].reduce((sum, one) => sum + one, 0), 0]
  for (const update of updates) {
    length -= update.shard === null ? 0 : (lengths.get(update.shard) ?? 0)
    for await (const { shard, written } of describeShards(ask, head, update)) {
      const added = written?.summary.length ?? 0
      const isOver = length + added > maxHeadLength
      if (isOver) overLimit += written?.summary.datasets ?? 0
      else length += added
      await replaceShard(db, head, { shard, written: isOver ? null : written })
    }
  }
  await finishIndexing(db, head, { omitted: omitted + overLimit, problem, form: indexForm, dueAt: new Date(dueNow()) })
}

type Replacement = { readonly shard: number | null; readonly written: WrittenShard | null }

/** Describes the datasets of a shard, as several shards if they do not fit into one. */
async function* describeShards(
  ask: Ask,
  { repo, metadata }: Pick<LeasedHead, 'repo' | 'metadata'>,
  update: ShardUpdate,
): AsyncGenerator<Replacement> {
  const { shard, isResized, members } = update
  if (members.length === 0) {
    yield { shard, written: null }
    return
  }
  for (let done = 0; done < members.length;) {
    const rest = { members: members.slice(done), isResized: isResized || done > 0 }
    const body = await ask({ kind: 'shard', repo, metadata: metadata ?? undefined, ...rest })
    // Nothing has changed.
    if (body.length === 0) return
    const written = readShardRows(body)
    yield { shard: done === 0 ? shard : null, written }
    done += written.summary.datasets
  }
}

/** Makes the function that asks about a head. The answers are not cached, because each is needed once. */
function makeAsk({
  readers,
  describing,
  org,
  repository,
  snapshotId,
  signal,
}: Pick<IndexParts, 'readers' | 'describing'> & {
  readonly org: string
  readonly repository: Repository
  readonly snapshotId: SnapshotId
  readonly signal: AbortSignal
}): Ask {
  return (question) => {
    const ask = () => {
      const limited = AbortSignal.any([signal, makeReadingSignal()])
      return readers.ask({ org, repository }, snapshotId, question, limited)
    }
    return question.kind === 'shard' ? describing.run(org, ask) : ask()
  }
}
