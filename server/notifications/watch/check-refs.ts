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
  const selection = isSame ? watched : await readSelected(parts, entry)
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

/** Reads what receivers and streams select of a repository now. */
async function readSelected({ db, alwaysWatched, timing }: CheckParts, entry: CatalogEntry): Promise<WatchedSelection> {
  return findSubscription(await listSubscriptions(db, alwaysWatched, new Date(timing.now()), entry), entry).selection
}

/** Leaves out names with a NUL, which PostgreSQL refuses. */
function omitUnstorable({ branches, tags }: Refs): Refs {
  const isStorable = ([name]: readonly [string, SnapshotId]) => !name.includes('\0')
  return { branches: new Map([...branches].filter(isStorable)), tags: new Map([...tags].filter(isStorable)) }
}

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

  #note(isRecorded: boolean): void {
    if (isRecorded) this.#events++
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
    const { entry: repository, state } = this.#checked
    for (const [name, last] of known) {
      const snapshotId = this.#refs.branches.get(name)
      if (snapshotId === last.snapshotId) continue
      if (snapshotId === undefined) {
        const event = this.#describe('BranchDeleted', name, last.snapshotId)
        await this.#record({ kind: 'branch', name, from: last, to: null, events: [event] })
      } else {
        const move = { repository, branch: name, state, snapshotId, previous: last }
        const { kind } = await recordMove(this.#parts, move, this.#signal)
        this.#note(kind === 'recorded')
      }
    }
    const created = this.#listSelected().filter(([branch]) => !known.has(branch))
    const room = Math.max(0, maxWatched.branches - known.size)
    if (created.length > 0) await this.#recordCreated(created.slice(0, room), known)
  }

  async checkTags({ tags: known }: WatchedRefs): Promise<void> {
    const { tags } = this.#refs
    // A tag never moves, so another snapshot means that it was deleted and made again.
    for (const [name, snapshotId] of known) {
      if (tags.get(name) === snapshotId) continue
      const event = this.#describe('TagDeleted', name, snapshotId)
      await this.#record({ kind: 'tag', name, from: { snapshotId }, to: null, events: [event] })
    }
    const created = [...tags].filter(([name, snapshotId]) => known.get(name) !== snapshotId)
    for (const [name, snapshotId] of created.slice(0, Math.max(0, maxWatched.tags - known.size))) {
      const event = this.#describe('TagCreated', name, snapshotId)
      await this.#record({ kind: 'tag', name, from: null, to: { snapshotId }, events: [event] })
    }
  }

  #listSelected(): (readonly [string, SnapshotId])[] {
    const { branches } = this.#checked.selection
    return [...this.#refs.branches].filter(([name]) => name !== 'main' && matchesSome(branches, name))
  }

  async #recordCreated(
    created: readonly (readonly [string, SnapshotId])[],
    known: WatchedRefs['branches'],
  ): Promise<void> {
    const { entry, state } = this.#checked
    const { db, maxCommits } = this.#parts
    const signal = this.#signal
    const main = await readHead(db, entry.id, 'main')
    const reached = state.trackReached(signal)
    const heads = [...known].map(([name, last]) => this.#refs.branches.get(name) ?? last.snapshotId)
    for (const id of [main?.snapshotId ?? '', ...heads].map(parseSnapshotId))
      if (id !== undefined) await reached.add(id)
    for (const [name, snapshotId] of created) {
      const move = { repository: entry, branch: name, state, snapshotId, previous: null }
      const { commit, ...texts } = await describeHeadMove(move, { maxCommits, signal })
      const first = reached.has(snapshotId) ? [] : [{ name: 'NewCommit' as const, ...texts }]
      const events = [this.#describe('BranchCreated', name, snapshotId), ...first]
      await this.#record({ kind: 'branch', name, from: null, to: { snapshotId, commit }, events })
      await reached.add(snapshotId)
    }
  }

  async #record(change: RefChange): Promise<void> {
    const { db, timing } = this.#parts
    this.#note(await recordRefChange(db, this.#checked.entry.id, change, new Date(timing.now())))
  }

  /** Describes a branch or tag that was created or deleted at a snapshot. */
  #describe(name: `${'Branch' | 'Tag'}${'Created' | 'Deleted'}`, ref: string, snapshotId: string) {
    const { org, name: repo, id } = this.#checked.entry
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
}
