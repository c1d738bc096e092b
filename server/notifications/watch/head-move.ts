// What is told of a head move: the payload for webhooks and the line for chats.
import { type NewCommitDetails, type NotificationCommit, SentNewCommit } from '@floe/contract'
import type { Head } from '@floe/storage/database'
import { commitAuthorId, parseSnapshotId } from '@floe/storage/icechunk'
import type { Commit, RepositoryState, SnapshotId } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import { chatLine } from './chat-line.ts'
import { firstCodePoints } from './first-code-points.ts'

/** A head of `main` that differs from the one that was seen last. */
export type HeadMove = {
  readonly repository: Pick<CatalogEntry, 'org' | 'name' | 'id'>
  /** Where the head was read. */
  readonly state: RepositoryState
  readonly snapshotId: SnapshotId
  readonly previous: Pick<Head, 'snapshotId'> | null
}

/** What {@link describeHeadMove} is limited by. */
export type HeadMoveLimits = {
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  readonly signal: AbortSignal
}

/** The bytes that webhooks get, as text, and the line that chats get. */
export type HeadMoveTexts = { readonly payload: string; readonly line: string }

/** Largest payload in bytes: receivers limit what they take. Commits that do not fit are not listed. */
const maxPayloadBytes = 256_000

/** Longest texts in code points; what is longer is cut and ends in `…`. JSON takes up to six bytes for one, so a head alone fits. */
const maxMessageLength = 16_384
const maxAuthorLength = 1_024

/** The members by which the situations of a head move differ. */
type Commits = Pick<NewCommitDetails, 'previous_snapshot_id' | 'commits' | 'commits_unavailable_reason'>

/** All other members. */
type HeadFacts = Omit<NewCommitDetails, keyof Commits>

/** The only branch that is watched. */
const branch = 'main'

/**
 * Describes a head move. Version 2 needs no read; version 1 reads the snapshot of the head and never walks the history.
 * Throws what the repository throws.
 */
export async function describeHeadMove(move: HeadMove, limits: HeadMoveLimits): Promise<HeadMoveTexts> {
  const { repository, state, snapshotId } = move
  const head = await state.commit(snapshotId, limits.signal)
  const facts: HeadFacts = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    branch,
    parent_snapshot_id: head.parentId,
    ...toNotificationCommit(head),
  }
  return { payload: payloadOf(facts, commitsOf(move, limits.maxCommits)), line: chatLine(facts) }
}

/**
 * The body of the notification, without its commits when they make it too large. The strict schema refuses what the contract does
 * not have, and brings the members into its order.
 */
function payloadOf(facts: HeadFacts, commits: Commits): string {
  const text = JSON.stringify(SentNewCommit.parse({ event: 'NewCommit', details: { ...facts, ...commits } }))
  if (commits.commits === null || Buffer.byteLength(text) <= maxPayloadBytes) return text
  return payloadOf(facts, { ...commits, commits: null, commits_unavailable_reason: 'too_many_commits' })
}

function commitsOf({ state, snapshotId, previous }: HeadMove, maxCommits: number): Commits {
  if (previous === null) {
    return { previous_snapshot_id: null, commits: null, commits_unavailable_reason: 'first_observation' }
  }
  const unlisted = { previous_snapshot_id: previous.snapshotId, commits: null }
  if (state.formatVersion === 1) return { ...unlisted, commits_unavailable_reason: 'repo_format_v1' }
  const last = parseSnapshotId(previous.snapshotId)
  if (last === undefined) throw new Error(`the last head that was recorded is no snapshot id: ${previous.snapshotId}`)
  const since = state.commitsSince(last, snapshotId, maxCommits)
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
    commit_message: shorten(message, maxMessageLength),
    written_at: writtenAt.toISOString(),
    author_id: shorten(commitAuthorId(metadata), maxAuthorLength),
  }
}

function shorten(text: string, maxLength: number): string {
  const start = firstCodePoints(text, maxLength)
  return start.length === text.length ? text : `${start}…`
}
