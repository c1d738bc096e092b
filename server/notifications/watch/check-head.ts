import { readHead, recordHeadMove } from '@floe/storage/database'
import type { Database, Head } from '@floe/storage/database'
import { RefNotFoundError } from '@floe/storage/icechunk'
import type { RepositoryState } from '@floe/storage/icechunk'
import type { Clock } from '../../clock.ts'
import type { CatalogEntry } from '../../metadata/catalog.ts'
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
  readonly head: Head
  /** Whether this look at it recorded a move. */
  readonly hasMoved: boolean
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
  { org, name, id, repository }: CatalogEntry,
  last: SeenHead | undefined,
  signal: AbortSignal,
): Promise<SeenHead> {
  if (last?.state.formatVersion === 2 && (await repository.state(signal)) === last.state) {
    return { ...last, hasMoved: false }
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await readHead(db, id, 'main')
    const state = await repository.freshState(signal)
    const head = state.main
    if (head === null) throw new RefNotFoundError(repository.location, 'main')
    if (previous?.snapshotId === head) return { head: previous, hasMoved: false, state }
    const event = await describeHeadMove(
      { repository: { org, name, id }, state, head, previous },
      { maxCommits, signal },
    )
    const move = { repoId: id, branch: 'main', previous, snapshotId: head, event }
    if ((await recordHeadMove(db, move, new Date(now()))) === 'recorded') {
      return { head: { snapshotId: head, sequence: (previous?.sequence ?? 0) + 1 }, hasMoved: true, state }
    }
  }
  throw new Error(`main of ${org}/${name} moves faster than it can be recorded`)
}
