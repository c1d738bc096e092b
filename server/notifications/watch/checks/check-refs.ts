// Finds and records changes of the selected branches, besides `main`, and of the tags of a repository.
import { eventDefinitions, type EventNameAbout } from '@floe/contract/lists'
import {
  type BranchHead,
  changeSelection,
  insertNewHeads,
  readHead,
  recordRefChange,
  type RefChange,
  type RecordedRefs,
  type RefSelection,
  selectsBranch,
  writeSelection,
} from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { parseSnapshotId, type Refs, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import { toReadingProblem } from '../../../problems/reading-problem.ts'
import type { CheckParts } from './check-parts.ts'
import { describeEvent } from '../../../events/describe-event.ts'
import { nameCommit, writeTimeOfDay } from '../../../events/name-commit.ts'
import { describeHeadMove, toHeadCommit } from './head-move.ts'
import { recordMove } from './record-move.ts'

/**
 * Maximum number of branches, besides `main`, and of tags that are watched in one repository. As many further branches
 * are watched that only anonymous callers select, so that these do not take the slots of others. A branch that a
 * receiver or an expectation selects by its whole name is watched in any case: the number of their names is limited.
 */
const maxWatched = { branches: 1_000, tags: 10_000 } as const

type CheckedState = {
  readonly entry: CatalogEntry
  readonly state: RepositoryState
  /** The selection that the recorded branches and tags follow. */
  readonly recordedSelection: RefSelection
  /** The selection that they should follow, as far as this process knows. */
  readonly selection: RefSelection
  /** What was recorded before `state` was read. */
  readonly recordedRefs: RecordedRefs
}

/** A check in progress: its inputs, the current refs, and the selection in force. */
type RefCheck = CheckedState & { readonly parts: CheckParts; readonly refs: Refs; readonly signal: AbortSignal }

type Branch = readonly [name: string, head: SnapshotId]

/** The result of a check. */
type CheckedRefs = {
  /** Whether an event was recorded. */
  readonly hasEvents: boolean
  /**
   * Whether the check must be repeated: another process recorded a change meanwhile, or other refs are watched from now
   * on.
   */
  readonly isOutdated: boolean
}

/**
 * Records the differences between the refs of a repository and the recorded ones. Each is recorded with its event in a
 * transaction of its own, so if the process is killed, the next check finds the others.
 */
export async function checkRefs(parts: CheckParts, checked: CheckedState, signal: AbortSignal): Promise<CheckedRefs> {
  const { entry, state, recordedSelection } = checked
  const isSame = writeSelection(recordedSelection) === writeSelection(checked.selection)
  // Another process may have recorded a newer selection than this process knows, which must not be undone.
  const selection = isSame ? recordedSelection : await parts.heads.readWanted(entry)
  // In version 1, the files may be deleted by a migration while they are read.
  const refs = await (state.formatVersion === 2 ? state.readRefs(signal) : entry.repository.readRefs(signal))
  const check = { ...checked, selection, parts, refs: omitUnstorable(refs), signal }
  const isRecorded = writeSelection(recordedSelection) === writeSelection(selection) || (await recordSelection(check))
  if (!isRecorded) return { hasEvents: false, isOutdated: true }
  const recorded = new Set([...(await recordBranches(check)), ...(selection.tags ? await recordTags(check) : [])])
  return { hasEvents: recorded.has(true), isOutdated: recorded.has(false) }
}

/** Leaves out names with a NUL, which PostgreSQL refuses. */
function omitUnstorable({ branches, tags }: Refs): Refs {
  const isStorable = ([name]: readonly [string, SnapshotId]) => !name.includes('\0')
  return { branches: new Map([...branches].filter(isStorable)), tags: new Map([...tags].filter(isStorable)) }
}

/**
 * Records the selection, and current heads and tags of newly selected refs without events, so that only later changes
 * are notified.
 *
 * @returns whether the recorded refs are those of the selection, so that the check can go on
 */
async function recordSelection(check: RefCheck): Promise<boolean> {
  const { entry, recordedSelection, selection, recordedRefs, refs } = check
  const { db, timing, heads } = check.parts
  const recordedNames = [...recordedRefs.branches.keys()]
  const unrecorded = Map.groupBy(listUnrecorded(check), ([branch]) => selectsBranch(recordedSelection, branch))
  // Selected branches that had a slot are unrecorded because they are new.
  const { excess } = assignSlots(recordedSelection, recordedNames, unrecorded.get(true) ?? [])
  const existing = [...(unrecorded.get(false) ?? []), ...excess]
  const addedBranches = await readBranchHeads(check, assignSlots(selection, listKept(check), existing).fitting)
  const addedTags = selection.tags && !recordedSelection.tags ? [...refs.tags].slice(0, maxWatched.tags) : []
  const removedBranches = recordedNames.filter((branch) => !selectsBranch(selection, branch))
  const change = { repoId: entry.id, from: recordedSelection, to: selection }
  const isTagless = recordedSelection.tags && !selection.tags
  // Few repositories have what a new receiver of an organisation selects.
  if (addedBranches.length === 0 && addedTags.length === 0 && removedBranches.length === 0 && !isTagless)
    return heads.recordSelection(change)
  const refChange = { ...change, addedBranches, addedTags: new Map(addedTags), removedBranches }
  await changeSelection(db, refChange, new Date(timing.now()))
  return false
}

/**
 * Records moves before creations, so that a branch created at an already reported head causes no second NewCommit.
 *
 * @returns for each change, whether it was recorded; so do the functions below
 */
async function recordBranches(check: RefCheck): Promise<boolean[]> {
  const { parts, entry: repository, state, refs, selection, signal } = check
  const recordedBranches = check.recordedRefs.branches
  const recorded: boolean[] = []
  const { fitting: created, excess } = assignSlots(selection, [...recordedBranches.keys()], listUnrecorded(check))
  if (excess.length > 0) await fillSlots(check, created, excess)
  for (const [name, last] of recordedBranches) {
    const snapshotId = refs.branches.get(name)
    if (snapshotId === last.snapshotId) continue
    if (snapshotId === undefined) {
      const events = [describe(check, 'BranchDeleted', name, last.snapshotId)]
      recorded.push(await record(check, { kind: 'branch', name, from: last, to: null, events }))
    } else {
      const move = { repository, branch: name, state, snapshotId, previous: last }
      recorded.push((await recordMove(parts, move, signal)).kind === 'recorded')
    }
  }
  return created.length === 0 ? recorded : [...recorded, ...(await recordCreated(check, created))]
}

/**
 * Records branches in the slots of deleted ones. They were there before, so they cause no events. Called before the
 * deletions are recorded: if the process is killed in between, the next check still knows that all slots were taken.
 */
async function fillSlots(check: RefCheck, created: readonly Branch[], excess: readonly Branch[]): Promise<void> {
  const { db, timing } = check.parts
  const watched = [...listKept(check), ...created.map(([name]) => name)]
  const { fitting } = assignSlots(check.selection, watched, excess)
  if (fitting.length > 0) await insertNewHeads(db, await readBranchHeads(check, fitting), new Date(timing.now()))
}

/** Divides branches into those that may be watched beside others, and those for which there is no slot. */
function assignSlots(
  selection: RefSelection,
  watched: readonly string[],
  branches: readonly Branch[],
): { readonly fitting: readonly Branch[]; readonly excess: readonly Branch[] } {
  if (branches.length === 0) return { fitting: [], excess: [] }
  const isAnonymous = (branch: string) => !matchesSome(selection.branches, branch)
  const selected = watched.filter((branch) => selectsBranch(selection, branch))
  const anonymous = selected.filter(isAnonymous).length
  const room = { anonymous: maxWatched.branches - anonymous, others: maxWatched.branches + anonymous - selected.length }
  const divided = Map.groupBy(
    branches,
    ([branch]) => selection.branches.includes(branch) || (isAnonymous(branch) ? room.anonymous-- : room.others--) > 0,
  )
  return { fitting: divided.get(true) ?? [], excess: divided.get(false) ?? [] }
}

/** Lists the selected branches that are not recorded. */
function listUnrecorded({ selection, refs, recordedRefs }: RefCheck): readonly Branch[] {
  const isRecorded = (name: string) => name === 'main' || recordedRefs.branches.has(name)
  return [...refs.branches].filter(([name]) => !isRecorded(name) && selectsBranch(selection, name))
}

/** Lists the recorded branches that still exist. */
function listKept({ refs, recordedRefs }: RefCheck): readonly string[] {
  return [...recordedRefs.branches.keys()].filter((name) => refs.branches.has(name))
}

async function readBranchHeads({ entry, state, signal }: RefCheck, branches: readonly Branch[]): Promise<BranchHead[]> {
  const heads = []
  for (const [branch, snapshotId] of branches) {
    const commit = toHeadCommit(await state.readCommit(snapshotId, signal))
    heads.push({ repoId: entry.id, branch, snapshotId, commit })
  }
  return heads
}

async function recordCreated(check: RefCheck, created: readonly Branch[]): Promise<boolean[]> {
  const { entry, state, refs, recordedRefs, signal } = check
  const { db } = check.parts
  const main = await readHead(db, entry.id, 'main')
  const reached = state.trackReached(signal)
  const heads = [...recordedRefs.branches].map(([name, last]) => refs.branches.get(name) ?? last.snapshotId)
  for (const id of [main?.snapshotId ?? '', ...heads].map(parseSnapshotId)) if (id !== undefined) await reached.add(id)
  const recorded: boolean[] = []
  for (const [name, snapshotId] of created) {
    const move = { repository: entry, branch: name, state, snapshotId, previous: null }
    const { commit, payload, line } = await describeHeadMove(move, signal)
    const newCommit = reached.has(snapshotId) ? [] : [{ name: 'NewCommit' as const, payload, line }]
    const words = nameCommit(commit, new Date(check.parts.timing.now()))
    const events = [describe(check, 'BranchCreated', name, snapshotId, words), ...newCommit]
    recorded.push(await record(check, { kind: 'branch', name, from: null, to: { snapshotId, commit }, events }))
    await reached.add(snapshotId)
  }
  return recorded
}

async function recordTags(check: RefCheck): Promise<boolean[]> {
  const { tags } = check.refs
  const recordedTags = check.recordedRefs.tags
  const recorded: boolean[] = []
  // A tag never moves, so another snapshot means that it was deleted and made again.
  for (const [name, snapshotId] of recordedTags) {
    if (tags.get(name) === snapshotId) continue
    const events = [describe(check, 'TagDeleted', name, snapshotId)]
    recorded.push(await record(check, { kind: 'tag', name, from: { snapshotId }, to: null, events }))
  }
  const created = [...tags].filter(([name, snapshotId]) => recordedTags.get(name) !== snapshotId)
  for (const [name, snapshotId] of created.slice(0, Math.max(0, maxWatched.tags - recordedTags.size))) {
    const events = [describe(check, 'TagCreated', name, snapshotId, nameTagged(check, snapshotId))]
    recorded.push(await record(check, { kind: 'tag', name, from: null, to: { snapshotId }, events }))
  }
  return recorded
}

/** Names the commit of a tag. Undefined if that takes a read or fails: the tag is told in any case. */
function nameTagged({ state, parts }: RefCheck, snapshotId: SnapshotId): string | undefined {
  if (state.formatVersion !== 2) return undefined
  try {
    return nameCommit(toHeadCommit(state.readCommit(snapshotId)), new Date(parts.timing.now()))
  } catch (error) {
    if (toReadingProblem(error) === undefined) throw error
    return undefined
  }
}

function record({ entry, parts: { db, timing } }: RefCheck, change: RefChange): Promise<boolean> {
  return recordRefChange(db, entry.id, change, new Date(timing.now()))
}

/** Describes a branch or tag that was created or deleted at a snapshot. */
function describe(
  { entry, parts }: RefCheck,
  name: EventNameAbout<'branch' | 'tag'>,
  ref: string,
  snapshotId: string,
  words?: string,
) {
  const now = new Date(parts.timing.now())
  const isNew = name.endsWith('Created')
  const details = {
    [eventDefinitions[name].subject]: ref,
    snapshot_id: isNew ? snapshotId : null,
    previous_snapshot_id: isNew ? null : snapshotId,
  }
  return { name, ...describeEvent(name, entry, details, { words: words ?? `, seen at ${writeTimeOfDay(now, now)}` }) }
}
