// Finds what has happened to the selected branches, besides `main`, and to the tags of a repository.
import { type RefEvent, SentRefEvent } from '@floe/contract'
import {
  changeSelection,
  findSelection,
  type EventTexts,
  type Head,
  readHead,
  recordBranchCreated,
  recordBranchDeleted,
  type RecordedChange,
  recordTagChange,
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

type CheckedRefs = {
  /** Number of recorded events. */
  readonly events: number
  /** Whether the check must be repeated: another process recorded a change meanwhile, or other refs are watched from now on. */
  readonly isOutdated: boolean
}

/**
 * Records the differences between a repository and what was last seen of it, each with its event in a transaction of its own, so that a
 * process that is killed leaves the others for the next check.
 */
export async function checkRefs(parts: CheckParts, checked: Checked, signal: AbortSignal): Promise<CheckedRefs> {
  const { entry, state, watched, lastSeen } = checked
  const isSame = writeSelection(watched) === writeSelection(checked.selection)
  // This process may not have heard of the latest change, and must not undo it.
  const selection = isSame
    ? watched
    : await findSelection(parts.db, entry, parts.alwaysWatched, new Date(parts.timing.now()))
  // In version 1, the files may be deleted by a migration while they are read.
  const refs = await (state.formatVersion === 2 ? state.readRefs(signal) : entry.repository.readRefs(signal))
  const check = new RefCheck(parts, { ...checked, selection }, omitUnstorable(refs), signal)
  if (writeSelection(watched) !== writeSelection(selection)) {
    await check.changeSelection(lastSeen)
    return { events: 0, isOutdated: true }
  }
  await check.checkBranches(lastSeen)
  if (selection.tags) await check.checkTags(lastSeen)
  return check.result
}

/** Leaves out names with a NUL, which PostgreSQL refuses. */
function omitUnstorable({ branches, tags }: Refs): Refs {
  const isStorable = ([name]: readonly [string, SnapshotId]) => !name.includes('\0')
  return { branches: new Map([...branches].filter(isStorable)), tags: new Map([...tags].filter(isStorable)) }
}

type LastSeen = Pick<Head, 'snapshotId' | 'sequence'>

class RefCheck {
  readonly #parts: CheckParts
  readonly #checked: Checked
  readonly #refs: Refs
  readonly #signal: AbortSignal
  #events = 0
  #isOutdated = false

  constructor(parts: CheckParts, checked: Checked, refs: Refs, signal: AbortSignal) {
    this.#parts = parts
    this.#checked = checked
    this.#refs = refs
    this.#signal = signal
  }

  get result(): CheckedRefs {
    return { events: this.#events, isOutdated: this.#isOutdated }
  }

  #note({ kind }: RecordedChange): void {
    if (kind === 'recorded') this.#events++
    else this.#isOutdated = true
  }

  /** Begins to count at the heads and tags that are there now, for what was not watched before. */
  async changeSelection({ branches: known }: WatchedRefs): Promise<void> {
    const { entry, watched, selection } = this.#checked
    const { db, timing } = this.#parts
    const isNew = (branch: string) => !known.has(branch) && !matchesSome(watched.branches, branch)
    const found = this.#listSelected().filter(([branch]) => isNew(branch))
    const branches = []
    for (const [branch, snapshotId] of found.slice(0, maxWatched.branches)) {
      const commit = toHeadCommit(await this.#checked.state.readCommit(snapshotId, this.#signal))
      branches.push({ repoId: entry.id, branch, snapshotId, commit })
    }
    const tags = selection.tags && !watched.tags ? [...this.#refs.tags].slice(0, maxWatched.tags) : []
    const forgotten = [...known.keys()].filter((branch) => !matchesSome(selection.branches, branch))
    const change = { repoId: entry.id, from: watched, to: selection, branches, tags: new Map(tags), forgotten }
    await changeSelection(db, change, new Date(timing.now()))
  }

  /** Records moves before creations, so that a branch that was created at a new head is not taken for a commit of its own. */
  async checkBranches({ branches: known }: WatchedRefs): Promise<void> {
    for (const [branch, last] of known) {
      const snapshotId = this.#refs.branches.get(branch)
      if (snapshotId === last.snapshotId) continue
      if (snapshotId === undefined) await this.#recordDeleted(branch, last)
      else await this.#recordMoved(branch, snapshotId, last)
    }
    const created = this.#listSelected().filter(([branch]) => !known.has(branch))
    const room = Math.max(0, maxWatched.branches - known.size)
    if (created.length > 0) await this.#recordCreated(created.slice(0, room), known)
  }

  async checkTags({ tags: known }: WatchedRefs): Promise<void> {
    const { tags } = this.#refs
    // A tag never moves, so another snapshot means that it was deleted and made again.
    for (const [tag, snapshotId] of known) {
      if (tags.get(tag) !== snapshotId) await this.#recordTag('TagDeleted', tag, snapshotId)
    }
    const created = [...tags].filter(([tag, snapshotId]) => known.get(tag) !== snapshotId)
    for (const [tag, snapshotId] of created.slice(0, Math.max(0, maxWatched.tags - known.size))) {
      await this.#recordTag('TagCreated', tag, snapshotId)
    }
  }

  #listSelected(): (readonly [string, SnapshotId])[] {
    const { branches } = this.#checked.selection
    return [...this.#refs.branches].filter(([name]) => name !== 'main' && matchesSome(branches, name))
  }

  async #recordMoved(branch: string, snapshotId: SnapshotId, previous: LastSeen): Promise<void> {
    const { entry: repository, state } = this.#checked
    const move = { repository, branch, state, snapshotId, previous }
    this.#note(await recordMove(this.#parts, move, this.#signal))
  }

  async #recordDeleted(branch: string, last: LastSeen): Promise<void> {
    const details = { branch, snapshot_id: null, previous_snapshot_id: last.snapshotId }
    const event = this.#describe(
      { event: 'BranchDeleted', details },
      `branch ${branch} was deleted at ${last.snapshotId}`,
    )
    const { db, timing } = this.#parts
    const deleted = { repoId: this.#checked.entry.id, branch, last, event }
    this.#note(await recordBranchDeleted(db, deleted, new Date(timing.now())))
  }

  async #recordCreated(
    created: readonly (readonly [string, SnapshotId])[],
    known: WatchedRefs['branches'],
  ): Promise<void> {
    const { entry, state } = this.#checked
    const refs = this.#refs
    const { db, timing } = this.#parts
    const main = await readHead(db, entry.id, 'main')
    const reached = state.trackReached(this.#signal)
    const heads = [
      main?.snapshotId ?? '',
      ...[...known].map(([name, last]) => refs.branches.get(name) ?? last.snapshotId),
    ]
    for (const id of heads.map(parseSnapshotId)) if (id !== undefined) await reached.add(id)
    for (const [branch, snapshotId] of created) {
      const details = { branch, snapshot_id: snapshotId, previous_snapshot_id: null }
      const event = this.#describe({ event: 'BranchCreated', details }, `branch ${branch} was created at ${snapshotId}`)
      const move = { repository: entry, branch, state, snapshotId, previous: null }
      const limits = { maxCommits: this.#parts.maxCommits, signal: this.#signal }
      const { commit, ...firstCommit } = await describeHeadMove(move, limits)
      const isReached = reached.has(snapshotId)
      const facts = { repoId: entry.id, branch, snapshotId, commit, event }
      const newBranch = { ...facts, firstCommit: isReached ? undefined : firstCommit }
      this.#note(await recordBranchCreated(db, newBranch, new Date(timing.now())))
      await reached.add(snapshotId)
    }
  }

  async #recordTag(name: 'TagCreated' | 'TagDeleted', tag: string, snapshotId: string): Promise<void> {
    const isNew = name === 'TagCreated'
    const ids = isNew
      ? { snapshot_id: snapshotId, previous_snapshot_id: null }
      : { snapshot_id: null, previous_snapshot_id: snapshotId }
    const what = `tag ${tag} was ${isNew ? 'created' : 'deleted'} at ${snapshotId}`
    const event = this.#describe({ event: name, details: { tag, ...ids } }, what)
    const { db, timing } = this.#parts
    const change = { repoId: this.#checked.entry.id, tag, snapshotId, name, event }
    this.#note(await recordTagChange(db, change, new Date(timing.now())))
  }

  #describe({ event, details }: { event: RefEvent['event']; details: object }, what: string): EventTexts {
    const { org, name, id } = this.#checked.entry
    const repository = { org_name: org, repo_name: name, repo_id: id }
    return {
      payload: JSON.stringify(SentRefEvent.parse({ event, details: { ...repository, ...details } })),
      line: cutLine(`${org}/${name} ${what}`),
    }
  }
}
