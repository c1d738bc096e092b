// Describes a head move.
import { maxNotifiedLength, type NewCommitDetails, type NotificationCommit } from '@floe/contract'
import type { EventTexts, Head, HeadCommit, RecordedRepository } from '@floe/storage/database'
import {
  type Commit,
  parseSnapshotId,
  readAuthor,
  readAuthorId,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { makeStorable } from '@floe/storage/storable-text'
import { describeEvent } from '../../../events/describe-event.ts'
import { shorten } from '../../../text/shorten.ts'

/** A head that differs from the recorded one. */
export type MovedHead = {
  readonly repository: RecordedRepository
  readonly branch: string
  /** The state of the repository that the head comes from. */
  readonly state: RepositoryState
  readonly snapshotId: SnapshotId
  /** The commit of the head, if it was read already. */
  readonly head?: Commit
  readonly previous: Pick<Head, 'snapshotId'> | null
}

/** `commit` is recorded, for lists of repositories. */
type DescribedHeadMove = HeadMoveTexts & { readonly commit: HeadCommit; readonly parentId: SnapshotId | null }

/** `commitCount`: how many commits the payload lists; undefined when it lists none. */
type HeadMoveTexts = EventTexts & { readonly commitCount: number | undefined }

/**
 * Largest payload in bytes, because receivers limit the size of a body. Commits are omitted when they do not fit. The
 * texts of the head always fit: JSON takes at most six bytes for a character.
 */
const maxPayloadBytes = 256_000

/** Maximum number of commits that a payload lists. A receiver that needs more of them walks the history. */
const maxListedCommits = 250

/** The members that depend on whether the commits since the previous head are known. */
type Commits = Pick<NewCommitDetails, 'previous_snapshot_id' | 'commits' | 'commits_unavailable_reason'>

type HeadFacts = Omit<NewCommitDetails, keyof Commits | 'org_name' | 'repo_name' | 'repo_id'>

/**
 * Describes a head move. Version 2 of the format needs no read; version 1 reads the snapshot of the head, and never the
 * history. Throws the errors of the repository.
 */
export async function describeHeadMove(
  move: MovedHead,
  signal: AbortSignal,
  maxCommits = maxListedCommits,
): Promise<DescribedHeadMove> {
  const { repository, branch, state, snapshotId } = move
  const head = move.head ?? (await state.readCommit(snapshotId, signal))
  const facts: HeadFacts = { branch, parent_snapshot_id: head.parentId, ...toNotificationCommit(head) }
  const texts = writeTexts(repository, facts, await listCommits(move, signal, maxCommits))
  return { ...texts, commit: toHeadCommit(head), parentId: head.parentId }
}

/** Describes a commit for lists of repositories. Its texts have the limits of notifications. */
export function toHeadCommit({ message, metadata, writtenAt }: Commit): HeadCommit {
  const author = readAuthor(metadata)
  return {
    message: makeStorable(shorten(message, maxNotifiedLength.message)),
    author: author === 'unknown' ? null : makeStorable(shorten(author, maxNotifiedLength.author)),
    writtenAt,
  }
}

/** Writes the texts of the event, without its commits if they make the payload too large. */
function writeTexts(repository: RecordedRepository, facts: HeadFacts, commits: Commits): HeadMoveTexts {
  const texts = describeEvent('NewCommit', repository, { ...facts, ...commits })
  if (commits.commits === null || Buffer.byteLength(texts.payload) <= maxPayloadBytes)
    return { ...texts, commitCount: commits.commits?.length }
  return writeTexts(repository, facts, { ...commits, commits: null, commits_unavailable_reason: 'too_many_commits' })
}

async function listCommits(
  { state, snapshotId, previous }: MovedHead,
  signal: AbortSignal,
  maxCommits: number,
): Promise<Commits> {
  if (previous === null) {
    return { previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'first_observation' }
  }
  const unlisted = { previous_snapshot_id: previous.snapshotId, commits: null }
  if (state.formatVersion === 1) return { ...unlisted, commits_unavailable_reason: 'repo_format_v1' }
  const last = parseSnapshotId(previous.snapshotId)
  if (last === undefined) throw new Error(`the recorded head is not a snapshot id: ${previous.snapshotId}`)
  const since = await state.listCommitsSince(last, snapshotId, { limit: maxCommits, signal })
  switch (since.kind) {
    case 'not-an-ancestor':
      return { ...unlisted, commits_unavailable_reason: 'history_rewritten' }
    case 'too-many':
      return { ...unlisted, commits_unavailable_reason: 'too_many_commits' }
    case 'commits':
      return { ...unlisted, commits: since.commits.map(toNotificationCommit), commits_unavailable_reason: null }
  }
}

function toNotificationCommit({ id, message, metadata, writtenAt }: Commit): NotificationCommit {
  return {
    snapshot_id: id,
    commit_message: shorten(message, maxNotifiedLength.message),
    written_at: writtenAt.toISOString(),
    author_id: shorten(readAuthorId(metadata), maxNotifiedLength.author),
  }
}
