import { type Head, listMoveQuestions, type RecordedChange, recordHeadMove } from '@floe/storage/database'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import { askAboutMove } from './changes/ask-about-move.ts'
import { describeSchemaChange } from './changes/describe-schema-change.ts'
import type { CheckParts } from './check-parts.ts'
import { describeHeadMove, type MovedHead } from './head-move.ts'

/** A head move, with the sequence number of the previous head. */
type RecordedMove = MovedHead & {
  readonly repository: CatalogEntry
  readonly previous: Pick<Head, 'snapshotId' | 'sequence'> | null
}

/** Records a head move, and what it changed if somebody wants to know. Throws the errors of the repository. */
export async function recordMove(parts: CheckParts, move: RecordedMove, signal: AbortSignal): Promise<RecordedChange> {
  const { db, timing, states } = parts
  const { repository, branch, previous, snapshotId } = move
  const { commit, parentId, ...event } = await describeHeadMove(move, signal)
  const head = { repoId: repository.id, branch }
  const questions = await listMoveQuestions(db, head, new Date(timing.now()))
  const answers = questions && (await askAboutMove(parts, move, questions, signal))
  const schemaChange =
    answers?.meaning && describeSchemaChange({ ...move, parentId, commit }, answers.meaning, new Date(timing.now()))
  const recorded = { ...head, previous, snapshotId, commit, event, changes: answers?.changes, schemaChange }
  const change = await recordHeadMove(db, recorded, new Date(timing.now()))
  // A first head has not moved.
  if (change.kind === 'recorded' && previous !== null) {
    const { org, name: repo } = repository
    states.noteMove({ org, repo, branch, from: previous.snapshotId, to: snapshotId })
  }
  return change
}
