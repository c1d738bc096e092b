import { SentChangedPaths } from '@floe/contract'
import {
  type ChangeFilters,
  type Head,
  listChangeFilters,
  type MoveChanges,
  type RecordedChange,
  recordHeadMove,
} from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { PathChanges } from '../../reading/diff/find-changed-paths.ts'
import type { CheckParts } from './check-parts.ts'
import { describeHeadMove, type MovedHead } from './head-move.ts'

/** A head move, with the sequence number of the previous head. */
type RecordedMove = MovedHead & {
  readonly repository: CatalogEntry
  readonly previous: Pick<Head, 'snapshotId' | 'sequence'> | null
}

/** Records a head move, and what it changed if a receiver wants to know. Throws the errors of the repository. */
export async function recordMove(parts: CheckParts, move: RecordedMove, signal: AbortSignal): Promise<RecordedChange> {
  const { db, maxCommits, timing, states } = parts
  const { repository, branch, previous, snapshotId } = move
  const { commit, ...event } = await describeHeadMove(move, { maxCommits, signal })
  const filters = await listChangeFilters(db, repository.id, branch)
  const changes = filters && (await findChanges(parts, move, filters, signal))
  const recorded = { repoId: repository.id, branch, previous, snapshotId, commit, event, changes }
  const change = await recordHeadMove(db, recorded, new Date(timing.now()))
  // A first head has not moved.
  if (change.kind === 'recorded' && previous !== null) {
    const { org, name: repo } = repository
    states.noteMove({ org, repo, branch, from: previous.snapshotId, to: snapshotId })
  }
  return change
}

/** Longest time to find out what a move changed, in milliseconds. The move is recorded afterwards. */
const changesLimitMs = 10_000

/** A head move whose changes are unknown goes to receivers with any filter. */
const unknown: MoveChanges = { text: 'null', matches: new Map() }

async function findChanges(
  { readers, timing }: CheckParts,
  { repository: { org, repository }, previous, snapshotId }: RecordedMove,
  { paths, includesChanges }: ChangeFilters,
  signal: AbortSignal,
): Promise<MoveChanges> {
  const from = previous === null ? undefined : parseSnapshotId(previous.snapshotId)
  if (from === undefined) return unknown
  const limit = new AbortController()
  const cancelLimit = timing.after(changesLimitMs, () => limit.abort(new Error('the changes took too long to find')))
  try {
    const question = { kind: 'changed-paths' as const, from, filters: [...paths.values()] }
    const body = await readers.ask({ org, repository }, snapshotId, question, AbortSignal.any([signal, limit.signal]))
    // A reader thread has written it from a value of this type.
    const { matches, changes } = JSON.parse(body.toString()) as PathChanges
    return {
      text: includesChanges && changes !== null ? JSON.stringify(SentChangedPaths.parse(changes)) : 'null',
      matches: new Map([...paths.keys()].map((text, index) => [text, matches[index] ?? true])),
    }
  } catch {
    signal.throwIfAborted()
    // A snapshot may have expired, or the range may be too long; the head itself was read.
    return unknown
  } finally {
    cancelLimit()
  }
}
