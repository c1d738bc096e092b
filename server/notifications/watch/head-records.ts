import {
  type Database,
  type FirstHead,
  type Head,
  listUnreadable,
  readHeads,
  recordFirstHeads,
} from '@floe/storage/database'
import { Batches } from '@floe/storage/waiting'
import type { Timing } from '../../timing.ts'

/** The recorded heads of `main`, and what else is recorded of their repositories. Checks that run at the same time share transactions. */
export type HeadRecords = {
  /** Reads the head of a repository; null when none was recorded. */
  readonly read: (repoId: string) => Promise<Head | null>
  /** Records the first head of a repository without an event. Returns false when that is not enough, because somebody could receive one. */
  readonly recordFirst: (head: FirstHead) => Promise<boolean>
  /** Whether the repository is recorded as unreadable. */
  readonly isUnreadable: (repoId: string) => Promise<boolean>
}

export function openHeadRecords({
  db,
  timing,
}: {
  readonly db: Database
  readonly timing: Pick<Timing, 'now'>
}): HeadRecords {
  const reads = new Batches<string, Head | null>(async (ids) => {
    const heads = await readHeads(db, ids, 'main')
    return ids.map((id) => heads.get(id) ?? null)
  })
  const firsts = new Batches<FirstHead, boolean>(async (heads) => {
    const recorded = await recordFirstHeads(db, heads, new Date(timing.now()))
    return heads.map(({ repoId }) => recorded.has(repoId))
  })
  const unreadable = new Batches<string, boolean>(async (ids) => {
    const found = await listUnreadable(db, ids)
    return ids.map((id) => found.has(id))
  })
  return {
    read: (repoId) => reads.add(repoId),
    recordFirst: (head) => firsts.add(head),
    isUnreadable: (repoId) => unreadable.add(repoId),
  }
}
