// Finds what has changed in a repository since the last check, and records it.
import {
  type Database,
  type Head,
  mainAlone,
  recordFormatVersion,
  readWatchedRefs,
  recordHeadCommit,
  type WatchedSelection,
  writeSelection,
} from '@floe/storage/database'
import {
  MissingObjectError,
  RefNotFoundError,
  repoKey,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { StateLog } from '../../http/observation/state-log.ts'
import type { ReaderPool } from '../../reading/threads/reader-pool.ts'
import type { Timing } from '../../timing.ts'
import { toHeadCommit } from './head-move.ts'
import type { HeadRecords } from './head-records.ts'
import { checkRefs } from './check-refs.ts'
import { recordMove } from './record-move.ts'

/** A head of `main` that a check has found and recorded. */
export type CheckedHead = {
  readonly snapshotId: string
  /** The head recorded before this check; null when there was none. */
  readonly previousSnapshotId: string | null
  /** The event of this head that the check recorded; null when it had not moved, and for a first head that nobody could be told of. */
  readonly eventId: string | null
  /** Whether the check recorded any event. */
  readonly hasEvents: boolean
  /** Version of the Icechunk format. */
  readonly formatVersion: 1 | 2
  /** Says whether a watched ref may have been written since; see `Repository.readFreshMark`. */
  readonly mark: string | undefined
}

export type CheckParts = {
  readonly db: Database
  readonly heads: HeadRecords
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly timing: Pick<Timing, 'now' | 'after'>
  readonly maxCommits: number
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: WatchedSelection
  /** Told of head moves, and of checks that fail. */
  readonly states: StateLog
}

/** Attempts to record a move while other processes record theirs. */
const maxAttempts = 5

/**
 * Reads the head of `main` and records it when it has moved; then does the same with the other selected branches and tags.
 *
 * Several processes may check at the same time. What was recorded is read before the repository, so the repository is never older than it.
 */
export async function checkHead(
  parts: CheckParts,
  entry: CatalogEntry,
  selection: WatchedSelection,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const { db, heads } = parts
  const { id, repository } = entry
  let previousSnapshotId: string | null = null
  let eventId: string | null = null
  let isMainChecked = false
  let hasRefEvents = false
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await heads.read(id)
    const watched = previous?.watched ?? mainAlone
    const isMainAlone = writeSelection(watched) === null && writeSelection(selection) === null
    const lastSeen = isMainAlone ? undefined : await readWatchedRefs(db, id)
    const state = await repository.readFreshState(signal)
    // A migration to version 2 may leave the old refs behind. Once `repo` has been read, they no longer count.
    const isLost = previous?.formatVersion === 2 && state.formatVersion === 1
    if (isLost) throw new MissingObjectError(repository.location, repoKey)
    const { main: snapshotId, formatVersion } = state
    if (snapshotId === null) throw new RefNotFoundError(repository.location, 'main')
    if (!isMainChecked) previousSnapshotId = previous?.snapshotId ?? null
    const main = await recordMain(parts, { entry, state, snapshotId, previous }, signal)
    if (main.kind === 'outdated') continue
    eventId = main.eventId ?? eventId
    isMainChecked = true
    if (lastSeen !== undefined) {
      const refs = await checkRefs(parts, { entry, state, watched, selection, lastSeen }, signal)
      hasRefEvents ||= refs.hasEvents
      if (refs.isOutdated) continue
    }
    return {
      snapshotId,
      previousSnapshotId,
      eventId,
      hasEvents: eventId !== null || hasRefEvents,
      formatVersion,
      // In version 1, each branch has an object of its own.
      mark: formatVersion === 1 && !isMainAlone ? undefined : state.mark,
    }
  }
  throw new Error(`the refs of ${entry.org}/${entry.name} move faster than they can be recorded`)
}

type CheckedMain = {
  readonly entry: CatalogEntry
  readonly state: RepositoryState
  readonly snapshotId: SnapshotId
  readonly previous: Head | null
}

/** Records the head of `main` if it is new, or what was missing of it. */
async function recordMain(
  parts: CheckParts,
  { entry, state, snapshotId, previous }: CheckedMain,
  signal: AbortSignal,
): Promise<{ readonly kind: 'recorded'; readonly eventId: string | null } | { readonly kind: 'outdated' }> {
  const { db, heads } = parts
  const { formatVersion } = state
  const main = { repoId: entry.id, branch: 'main' }
  let eventId: string | null = null
  if (previous?.snapshotId !== snapshotId) {
    const head = await state.readCommit(snapshotId, signal)
    const first = { ...main, snapshotId, commit: toHeadCommit(head), formatVersion }
    // Needs no event when nobody could receive it, and shares a transaction with other first heads.
    if (previous === null && (await heads.recordFirst(first))) return { kind: 'recorded', eventId }
    const move = { repository: entry, branch: 'main', state, snapshotId, previous, head }
    const recorded = await recordMove(parts, move, signal)
    if (recorded.kind === 'outdated') return recorded
    eventId = recorded.eventId
  } else if (!previous.hasCommit) {
    const commit = await state.readCommit(snapshotId, signal)
    await recordHeadCommit(db, { ...main, snapshotId }, toHeadCommit(commit))
  }
  if (previous?.formatVersion !== formatVersion) await recordFormatVersion(db, entry.id, 'main', formatVersion)
  return { kind: 'recorded', eventId }
}
