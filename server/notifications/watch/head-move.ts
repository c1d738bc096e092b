// Finds a head move, describes it (the payload for webhooks and the line of text for chats) and records it.
import { maxNotifiedLength, type NewCommitDetails, type NotificationCommit, SentNewCommit } from '@floe/contract'
import {
  type Database,
  type Head,
  type HeadCommit,
  recordFormatVersion,
  recordHeadCommit,
  recordHeadMove,
} from '@floe/storage/database'
import {
  type Commit,
  MissingObjectError,
  parseSnapshotId,
  readAuthor,
  readAuthorId,
  RefNotFoundError,
  repoKey,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Timing } from '../../timing.ts'
import { shorten, takeCodePoints } from '../../http/representation/shorten.ts'
import type { HeadRecords } from './head-records.ts'

/** A head of `main` that a check has found and recorded. */
export type CheckedHead = {
  readonly snapshotId: string
  /** The head recorded before this check; null when there was none. */
  readonly previousSnapshotId: string | null
  /** The event that this check recorded; null when the head had not moved, and for a first head that nobody could be told of. */
  readonly eventId: string | null
  /** Version of the Icechunk format. */
  readonly formatVersion: 1 | 2
  /** Says whether the head may have been written since; see `Repository.readFreshMark`. */
  readonly mark: string | undefined
}

type CheckParts = {
  readonly db: Database
  readonly heads: HeadRecords
  readonly timing: Pick<Timing, 'now'>
  readonly maxCommits: number
}

/** Attempts to record a move while other processes record theirs. */
const maxAttempts = 5

/**
 * Reads the head of `main` and records it when it has moved.
 *
 * Several processes may check at the same time. The recorded head is read before the repository, so the repository's head is never older
 * than the recorded one.
 */
export async function checkHead(
  { db, heads, timing, maxCommits }: CheckParts,
  entry: CatalogEntry,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const { id, repository } = entry
  const main = { repoId: id, branch: 'main' }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await heads.read(id)
    const state = await repository.readFreshState(signal)
    // A migration to version 2 may leave the old refs behind. Once `repo` has been read, they no longer count.
    const isLost = previous?.formatVersion === 2 && state.formatVersion === 1
    if (isLost) throw new MissingObjectError(repository.location, repoKey)
    const { main: snapshotId, formatVersion, mark } = state
    if (snapshotId === null) throw new RefNotFoundError(repository.location, 'main')
    let eventId: string | null = null
    if (previous?.snapshotId !== snapshotId) {
      const head = await state.readCommit(snapshotId, signal)
      const first = { ...main, snapshotId, commit: toHeadCommit(head), formatVersion }
      // Needs no event when nobody could receive it, and shares a transaction with other first heads.
      if (previous === null && (await heads.recordFirst(first))) {
        return { snapshotId, previousSnapshotId: null, eventId, formatVersion, mark }
      }
      const move = { repository: entry, state, snapshotId, previous, head }
      const { commit, ...event } = await describeHeadMove(move, { maxCommits, signal })
      const recorded = await recordHeadMove(
        db,
        { ...main, previous, snapshotId, commit, event },
        new Date(timing.now()),
      )
      if (recorded.kind === 'outdated') continue
      eventId = recorded.eventId
    } else if (!previous.hasCommit) {
      const commit = await state.readCommit(snapshotId, signal)
      await recordHeadCommit(db, { ...main, snapshotId }, toHeadCommit(commit))
    }
    if (previous?.formatVersion !== formatVersion) await recordFormatVersion(db, id, 'main', formatVersion)
    return { snapshotId, previousSnapshotId: previous?.snapshotId ?? null, eventId, formatVersion, mark }
  }
  throw new Error(`main of ${entry.org}/${entry.name} moves faster than it can be recorded`)
}

/** A head of `main` that differs from the recorded one. */
type MovedHead = {
  readonly repository: Pick<CatalogEntry, 'org' | 'name' | 'id'>
  /** The state of the repository that the head comes from. */
  readonly state: RepositoryState
  readonly snapshotId: SnapshotId
  /** The commit of the head, if it was read already. */
  readonly head?: Commit
  readonly previous: Pick<Head, 'snapshotId'> | null
}

/** `maxCommits` is the most commits that a payload lists. */
type HeadMoveLimits = { readonly maxCommits: number; readonly signal: AbortSignal }

/** The body of the request to webhooks, the line of text for chats, and the commit for lists of repositories. */
type DescribedHeadMove = { readonly payload: string; readonly line: string; readonly commit: HeadCommit }

/**
 * Largest payload in bytes, because receivers limit the size of a body. Commits are omitted when they do not fit. The texts of the head
 * always fit: JSON takes at most six bytes for a character.
 */
const maxPayloadBytes = 256_000

const maxLineLength = 2_000

/** Runs of tabs and line breaks, each replaced by one space. */
const breaks = /[\t-\r\u0085\u2028\u2029]+/g

/** Control characters, and characters that change the direction of text. */
const invisible = /[\p{Cc}\p{Bidi_Control}]/gu

/** The members that depend on whether the commits since the previous head are known. */
type Commits = Pick<NewCommitDetails, 'previous_snapshot_id' | 'commits' | 'commits_unavailable_reason'>

type HeadFacts = Omit<NewCommitDetails, keyof Commits>

/**
 * Describes a head move. Version 2 of the format needs no read; version 1 reads the snapshot of the head, and never the history.
 * Throws the errors of the repository.
 */
export async function describeHeadMove(move: MovedHead, limits: HeadMoveLimits): Promise<DescribedHeadMove> {
  const { repository, state, snapshotId } = move
  const head = move.head ?? (await state.readCommit(snapshotId, limits.signal))
  const facts: HeadFacts = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    branch: 'main',
    parent_snapshot_id: head.parentId,
    ...toNotificationCommit(head),
  }
  const payload = writePayload(facts, await listCommits(move, limits))
  return { payload, line: writeChatLine(facts), commit: toHeadCommit(head) }
}

/** Describes a commit for lists of repositories. Its texts have the limits of notifications. */
function toHeadCommit({ message, metadata, writtenAt }: Commit): HeadCommit {
  const author = readAuthor(metadata)
  return {
    message: shorten(message, maxNotifiedLength.message),
    author: author === 'unknown' ? null : shorten(author, maxNotifiedLength.author),
    writtenAt,
  }
}

/**
 * Writes the body of the notification, without its commits if they make it too large. The strict schema refuses members that are not in the
 * contract, and sorts them.
 */
function writePayload(facts: HeadFacts, commits: Commits): string {
  const text = JSON.stringify(SentNewCommit.parse({ event: 'NewCommit', details: { ...facts, ...commits } }))
  if (commits.commits === null || Buffer.byteLength(text) <= maxPayloadBytes) return text
  return writePayload(facts, { ...commits, commits: null, commits_unavailable_reason: 'too_many_commits' })
}

async function listCommits(
  { state, snapshotId, previous }: MovedHead,
  { maxCommits, signal }: HeadMoveLimits,
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

type LineFacts = Pick<NewCommitDetails, 'org_name' | 'repo_name' | 'branch' | 'snapshot_id' | 'commit_message'>

/** Writes the line of plain text for chats. It is one line, whatever the commit message holds. */
export function writeChatLine({ org_name, repo_name, branch, snapshot_id, commit_message }: LineFacts): string {
  const text = `${org_name}/${repo_name} branch ${branch} is now at ${snapshot_id}: ${commit_message}`
  return takeCodePoints(text.replace(breaks, ' ').replace(invisible, '').toWellFormed(), maxLineLength)
}
