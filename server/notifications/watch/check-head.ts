import { type Database, readHead, recordFormatVersion, recordHeadCommit, recordHeadMove } from '@floe/storage/database'
import { MissingObjectError, RefNotFoundError, repoKey, type RepositoryState } from '@floe/storage/icechunk'
import type { Timing } from '../../timing.ts'
import type { CatalogEntry } from '../../catalog/catalog.ts'
import { describeHeadMove, toHeadCommit } from './head-move.ts'

/** A head of `main` that a check has found and recorded. */
export type CheckedHead = {
  readonly snapshotId: string
  /** The head recorded before this check; null when there was none. */
  readonly previousSnapshotId: string | null
  /** The event that this check recorded; null when the head had not moved. */
  readonly eventId: string | null
  readonly state: RepositoryState
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
  {
    db,
    timing,
    maxCommits,
  }: { readonly db: Database; readonly timing: Pick<Timing, 'now'>; readonly maxCommits: number },
  entry: CatalogEntry,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const { id, repository } = entry
  const main = { repoId: id, branch: 'main' }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await readHead(db, id, 'main')
    const state = await repository.readFreshState(signal)
    // A migration to version 2 may leave the old refs behind. Once `repo` has been read, they no longer count.
    const isLost = previous?.formatVersion === 2 && state.formatVersion === 1
    if (isLost) throw new MissingObjectError(repository.location, repoKey)
    const snapshotId = state.main
    if (snapshotId === null) throw new RefNotFoundError(repository.location, 'main')
    let eventId: string | null = null
    if (previous?.snapshotId !== snapshotId) {
      const move = { repository: entry, state, snapshotId, previous }
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
    if (previous?.formatVersion !== state.formatVersion) await recordFormatVersion(db, id, 'main', state.formatVersion)
    return { snapshotId, previousSnapshotId: previous?.snapshotId ?? null, eventId, state }
  }
  throw new Error(`main of ${entry.org}/${entry.name} moves faster than it can be recorded`)
}
