// Finds what has happened to the selected branches, besides `main`, and to the tags of a repository.
import { SentRefEvent } from '@floe/contract'
import {
  changeSelection,
  findSubscription,
  listSubscriptions,
  readHead,
  recordRefChange,
  type RefChange,
  type WatchedRefs,
  type WatchedSelection,
  writeSelection,
} from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { parseSnapshotId, type Refs, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { CheckParts } from './check-head.ts'
import { cutLine, describeHeadMove, toHeadCommit } from './head-move.ts'
import { recordMove } from './record-move.ts'

/** Most branches, besides `main`, and most tags that are watched in one repository. */
const maxWatched = { branches: 1_000, tags: 10_000 } as const

type Checked = {
  readonly entry: CatalogEntry
  readonly state: RepositoryState
  /** What the recorded branches and tags follow. */
  readonly watched: WatchedSelection
  /** What they should follow, as far as this process knows. */
  readonly selection: WatchedSelection
  /** What was recorded before `state` was read. */
  readonly lastSeen: WatchedRefs
}

/** The same with the refs as they are now. `selection` is what they follow. */
type Look = Checked & { readonly parts: CheckParts; readonly refs: Refs; readonly signal: AbortSignal }

type CheckedRefs = {
  /** Whether an event was recorded. */
  readonly hasEvents: boolean
  /** Whether the check must be repeated: another process recorded a change meanwhile, or other refs are watched from now on. */
  readonly isOutdated: boolean
}

/**
 * Records the differences between a repository and what was last seen of it, each with its event in a transaction of its own, so that a
 * process that is killed leaves the others for the next check.
 */
export async function checkRefs(parts: CheckParts, checked: Checked, signal: AbortSignal): Promise<CheckedRefs> {
  const { entry, state, watched } = checked
  const isSame = writeSelection(watched) === writeSelection(checked.selection)
  // This process may not have heard of the latest change, and must not undo it.
  const selection = isSame ? watched : await readSelected(parts, entry)
  // In version 1, the files may be deleted by a migration while they are read.
  const refs = await (state.formatVersion === 2 ? state.readRefs(signal) : entry.repository.readRefs(signal))
  const look = { ...checked, selection, parts, refs: omitUnstorable(refs), signal }
  if (writeSelection(watched) !== writeSelection(selection)) {
    await recordSelection(look)
    return { hasEvents: false, isOutdated: true }
  }
  const recorded = new Set([...(await recordBranches(look)), ...(selection.tags ? await recordTags(look) : [])])
  return { hasEvents: recorded.has(true), isOutdated: recorded.has(false) }
}

/** Reads what receivers and streams select of a repository now. */
async function readSelected({ db, alwaysWatched, timing }: CheckParts, entry: CatalogEntry): Promise<WatchedSelection> {
  return findSubscription(await listSubscriptions(db, alwaysWatched, new Date(timing.now()), entry), entry).selection
}

/** Leaves out names with a NUL, which PostgreSQL refuses. */
function omitUnstorable({ branches, tags }: Refs): Refs {
  const isStorable = ([name]: readonly [string, SnapshotId]) => !name.includes('\0')
  return { branches: new Map([...branches].filter(isStorable)), tags: new Map([...tags].filter(isStorable)) }
}

/** Begins to count at the heads and tags that are there now, for what was not watched before. */
async function recordSelection(look: Look): Promise<void> {
  const { entry, watched, selection, lastSeen, state, refs, signal } = look
  const { db, timing } = look.parts
  const known = lastSeen.branches
  const isNew = (branch: string) => !known.has(branch) && !matchesSome(watched.branches, branch)
  const found = listSelected(look).filter(([branch]) => isNew(branch))
  const branches = []
  for (const [branch, snapshotId] of found.slice(0, maxWatched.branches)) {
    const commit = toHeadCommit(await state.readCommit(snapshotId, signal))
    branches.push({ repoId: entry.id, branch, snapshotId, commit })
  }
  const tags = selection.tags && !watched.tags ? [...refs.tags].slice(0, maxWatched.tags) : []
  const forgotten = [...known.keys()].filter((branch) => !matchesSome(selection.branches, branch))
  const change = { repoId: entry.id, from: watched, to: selection, branches, tags: new Map(tags), forgotten }
  await changeSelection(db, change, new Date(timing.now()))
}

/**
 * Records moves before creations, so that a branch that was created at a new head is not taken for a commit of its own.
 *
 * @returns for each change whether it was recorded, as the functions below do
 */
async function recordBranches(look: Look): Promise<boolean[]> {
  const { parts, entry: repository, state, refs, signal } = look
  const known = look.lastSeen.branches
  const recorded: boolean[] = []
  for (const [name, last] of known) {
    const snapshotId = refs.branches.get(name)
    if (snapshotId === last.snapshotId) continue
    if (snapshotId === undefined) {
      const events = [describe(look, 'BranchDeleted', name, last.snapshotId)]
      recorded.push(await record(look, { kind: 'branch', name, from: last, to: null, events }))
    } else {
      const move = { repository, branch: name, state, snapshotId, previous: last }
      recorded.push((await recordMove(parts, move, signal)).kind === 'recorded')
    }
  }
  const created = listSelected(look).filter(([branch]) => !known.has(branch))
  const room = Math.max(0, maxWatched.branches - known.size)
  return created.length === 0 ? recorded : [...recorded, ...(await recordCreated(look, created.slice(0, room)))]
}

function listSelected({ selection, refs }: Look): (readonly [string, SnapshotId])[] {
  return [...refs.branches].filter(([name]) => name !== 'main' && matchesSome(selection.branches, name))
}

async function recordCreated(look: Look, created: readonly (readonly [string, SnapshotId])[]): Promise<boolean[]> {
  const { entry, state, refs, lastSeen, signal } = look
  const { db, maxCommits } = look.parts
  const main = await readHead(db, entry.id, 'main')
  const reached = state.trackReached(signal)
  const heads = [...lastSeen.branches].map(([name, last]) => refs.branches.get(name) ?? last.snapshotId)
  for (const id of [main?.snapshotId ?? '', ...heads].map(parseSnapshotId)) if (id !== undefined) await reached.add(id)
  const recorded: boolean[] = []
  for (const [name, snapshotId] of created) {
    const move = { repository: entry, branch: name, state, snapshotId, previous: null }
    const { commit, ...texts } = await describeHeadMove(move, { maxCommits, signal })
    const first = reached.has(snapshotId) ? [] : [{ name: 'NewCommit' as const, ...texts }]
    const events = [describe(look, 'BranchCreated', name, snapshotId), ...first]
    recorded.push(await record(look, { kind: 'branch', name, from: null, to: { snapshotId, commit }, events }))
    await reached.add(snapshotId)
  }
  return recorded
}

async function recordTags(look: Look): Promise<boolean[]> {
  const { tags } = look.refs
  const known = look.lastSeen.tags
  const recorded: boolean[] = []
  // A tag never moves, so another snapshot means that it was deleted and made again.
  for (const [name, snapshotId] of known) {
    if (tags.get(name) === snapshotId) continue
    const events = [describe(look, 'TagDeleted', name, snapshotId)]
    recorded.push(await record(look, { kind: 'tag', name, from: { snapshotId }, to: null, events }))
  }
  const created = [...tags].filter(([name, snapshotId]) => known.get(name) !== snapshotId)
  for (const [name, snapshotId] of created.slice(0, Math.max(0, maxWatched.tags - known.size))) {
    const events = [describe(look, 'TagCreated', name, snapshotId)]
    recorded.push(await record(look, { kind: 'tag', name, from: null, to: { snapshotId }, events }))
  }
  return recorded
}

function record({ entry, parts: { db, timing } }: Look, change: RefChange): Promise<boolean> {
  return recordRefChange(db, entry.id, change, new Date(timing.now()))
}

/** Describes a branch or tag that was created or deleted at a snapshot. */
function describe(
  { entry: { org, name: repo, id } }: Look,
  name: `${'Branch' | 'Tag'}${'Created' | 'Deleted'}`,
  ref: string,
  snapshotId: string,
) {
  const kind = name.startsWith('Branch') ? 'branch' : 'tag'
  const isNew = name.endsWith('Created')
  const details = {
    org_name: org,
    repo_name: repo,
    repo_id: id,
    [kind]: ref,
    snapshot_id: isNew ? snapshotId : null,
    previous_snapshot_id: isNew ? null : snapshotId,
  }
  return {
    name,
    payload: JSON.stringify(SentRefEvent.parse({ event: name, details })),
    line: cutLine(`${org}/${repo} ${kind} ${ref} was ${isNew ? 'created' : 'deleted'} at ${snapshotId}`),
  }
}
