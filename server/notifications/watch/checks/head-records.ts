import {
  type Database,
  type FirstHead,
  findWantedSelection,
  type Head,
  listUnreadable,
  listWantedSelections,
  type NewSelection,
  readHeads,
  recordFirstHeads,
  recordSelections,
  type RefSelection,
} from '@floe/storage/database'
import { Batches } from '@floe/storage/waiting'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import type { Timing } from '../../../timing.ts'

/**
 * The recorded heads of `main`, and what else is recorded of their repositories. Checks that run at the same time share
 * transactions.
 */
export type HeadRecords = ReturnType<typeof openHeadRecords>

/** Opens the records for the checks of a process. */
export function openHeadRecords({
  db,
  timing,
  alwaysWatched,
}: {
  readonly db: Database
  readonly timing: Pick<Timing, 'now'>
  /** What is watched of every repository besides `main`, whatever receivers and streams select. */
  readonly alwaysWatched: RefSelection
}) {
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
  const wanted = new Batches<CatalogEntry, RefSelection>(async (entries) => {
    const selections = await listWantedSelections(db, alwaysWatched, new Date(timing.now()), entries)
    return entries.map((entry) => findWantedSelection(selections, entry).selection)
  })
  const changes = new Batches<NewSelection, boolean>(async (selections) => {
    const recorded = await recordSelections(db, selections)
    return selections.map(({ repoId }) => recorded.has(repoId))
  })
  return {
    /** Reads the head of a repository; null when none was recorded. */
    read: (repoId: string) => reads.add(repoId),
    /** Records the first head of a repository without an event. Returns false if somebody could receive one. */
    recordFirst: (head: FirstHead) => firsts.add(head),
    /** Whether the repository is recorded as unreadable. */
    isUnreadable: (repoId: string) => unreadable.add(repoId),
    /** Reads what receivers, streams and expectations select of a repository now. */
    readWanted: (entry: CatalogEntry) => wanted.add(entry),
    /**
     * Records another selection that adds and removes no recorded branch or tag. Returns false if another process has
     * changed the selection meanwhile.
     */
    recordSelection: (selection: NewSelection) => changes.add(selection),
  }
}
