import { noteFormatVersion, readHead, recordHeadMove } from '@floe/storage/database'
import type { Database } from '@floe/storage/database'
import { MissingObjectError, RefNotFoundError } from '@floe/storage/icechunk'
import type { RepositoryState } from '@floe/storage/icechunk'
import type { Clock } from '../../timing.ts'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import { describeHeadMove } from './head-move.ts'

/** What heads are recorded with. */
export type HeadRecording = {
  readonly db: Database
  readonly now: Clock
  /** The most commits that a payload lists. */
  readonly maxCommits: number
}

/** A head of `main` as it was found and recorded. */
export type SeenHead = {
  readonly snapshotId: string
  /** What was recorded before this look; null when nothing was. */
  readonly previousSnapshotId: string | null
  /** The event that this look recorded; null when the head had not moved. */
  readonly eventId: string | null
  readonly state: RepositoryState
}

/** How often others may record a move between a look and its recording. */
const maxAttempts = 5

/**
 * Looks at the head of `main` and records a move. A version 2 repository that is as `last` saw it costs one conditional read.
 *
 * Several processes may look at the same time. The recorded head is read first and the repository after it, so what is found is
 * never older than what was recorded.
 */
export async function checkHead(
  { db, now, maxCommits }: HeadRecording,
  entry: CatalogEntry,
  last: SeenHead | undefined,
  signal: AbortSignal,
): Promise<SeenHead> {
  const { id, repository } = entry
  if (last?.state.formatVersion === 2 && (await repository.freshState(signal)) === last.state) {
    return { ...last, previousSnapshotId: last.snapshotId, eventId: null }
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await readHead(db, id, 'main')
    const state = await repository.freshState(signal)
    // A migration to version 2 may leave the old references behind: once `repo` was seen, they tell nothing.
    const isLost = previous?.formatVersion === 2 && state.formatVersion === 1
    if (isLost) throw new MissingObjectError(repository.location, 'repo')
    const snapshotId = state.main
    if (snapshotId === null) throw new RefNotFoundError(repository.location, 'main')
    let eventId: string | null = null
    if (previous?.snapshotId !== snapshotId) {
      const event = await describeHeadMove({ repository: entry, state, snapshotId, previous }, { maxCommits, signal })
      const move = { repoId: id, branch: 'main', previous, snapshotId, event }
      const recorded = await recordHeadMove(db, move, new Date(now()))
      if (recorded.kind === 'outdated') continue
      eventId = recorded.eventId
    }
    if (previous?.formatVersion !== state.formatVersion) await noteFormatVersion(db, id, 'main', state.formatVersion)
    return { snapshotId, previousSnapshotId: previous?.snapshotId ?? null, eventId, state }
  }
  throw new Error(`main of ${entry.org}/${entry.name} moves faster than it can be recorded`)
}
