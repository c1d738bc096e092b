import {
  type Database,
  type FirstHead,
  type Head,
  listUnreadable,
  readHeads,
  recordFirstHeads,
} from '@floe/storage/database'
import { Batches } from '@floe/storage/waiting'
import type { Timing } from '../../../timing.ts'

type HeadRecordsParts = { readonly db: Database; readonly timing: Pick<Timing, 'now'> }

/**
 * The recorded heads of `main`, and what else is recorded of their repositories. Checks that run at the same time share
 * transactions.
 */
export type HeadRecords = ReturnType<typeof openHeadRecords>

/** Opens the records for the checks of a process. */
export function openHeadRecords({ db, timing }: HeadRecordsParts) {
  const reads = new Batches<string, Head | null>(async (ids) => {
    const heads = await readHeads(db, ids, 'main')
    return ids.map((id) => heads.get(id) ?? null)
  })
  const firsts = new Batches<FirstHead, boolean>(async (heads) => {
    const recorded = await recordFirstHeads(db, heads, new Date(timing.now()))
    return heads.map(({ repoId }) => recorded.has(repoId))
  })
  const unreadable = new Batches<string, boolean>(async (ids) => {
    const unreadableIds = await listUnreadable(db, ids)
    return ids.map((id) => unreadableIds.has(id))
  })
  return {
    /** Reads the head of a repository; null when none was recorded. */
    read: (repoId: string) => reads.add(repoId),
    /** Records the first head of a repository without an event. Returns false if somebody could receive one. */
    recordFirst: (head: FirstHead) => firsts.add(head),
    /** Whether the repository is recorded as unreadable. */
    isUnreadable: (repoId: string) => unreadable.add(repoId),
  }
}
