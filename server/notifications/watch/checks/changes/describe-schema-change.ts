// Describes what a head move means for readers: the payload for webhooks and the line of text for chats.
import type { NotComparedReason, SchemaChangedDetails } from '@floe/contract'
import type { Head, HeadCommit, SchemaChange } from '@floe/storage/database'
import { eventTexts } from '../../../../events/event-lines.ts'
import { nameCommit } from '../../../../events/name-commit.ts'
import { shorten } from '../../../../text/shorten.ts'
import { cutLine } from '../../../../text/cut-line.ts'
import type { MovedHead } from '../head-move.ts'
import type { MoveMeaning } from './ask-about-move.ts'

type JudgedMove = Pick<MovedHead, 'repository' | 'branch' | 'snapshotId'> & {
  readonly parentId: string | null
  readonly commit: HeadCommit
  readonly previous: Pick<Head, 'snapshotId'> | null
}

/** Longest description of the changes in a line, so that the commit after it is not cut off. */
const maxWordsLength = 1_000

const reasons: Record<NotComparedReason, string> = {
  timeout: 'the comparison took too long',
  too_large: 'what changed is too large to compare',
  unreadable: 'a snapshot cannot be read',
}

/** Writes the texts of `SchemaChanged`. */
export function describeSchemaChange(move: JudgedMove, meaning: MoveMeaning, now: Date): SchemaChange {
  const { repository, branch, snapshotId, parentId, commit, previous } = move
  const { verdict, words, changes, counts, reason } =
    typeof meaning === 'string'
      ? { verdict: 'unknown' as const, words: reasons[meaning], changes: '[]', counts: null, reason: meaning }
      : { ...meaning, reason: null }
  const rest: Pick<SchemaChangedDetails, 'counts' | 'not_compared_reason'> = { counts, not_compared_reason: reason }
  const facts: Omit<SchemaChangedDetails, 'changes' | keyof typeof rest> = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    branch,
    snapshot_id: snapshotId,
    parent_snapshot_id: parentId,
    previous_snapshot_id: previous?.snapshotId ?? '',
    verdict,
  }
  // The list is inserted as it is, because its numbers may have more digits than JavaScript can hold.
  const details = `${JSON.stringify(facts).slice(0, -1)},"changes":${changes},${JSON.stringify(rest).slice(1)}`
  const payload = `{"event":"SchemaChanged","details":${details}}`
  const said = shorten(words, maxWordsLength) + nameCommit(commit, now)
  return { payload, line: cutLine(eventTexts.SchemaChanged.line(facts, { words: said })), verdict }
}
