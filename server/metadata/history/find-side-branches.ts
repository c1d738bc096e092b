// Finds the branches and tags that leave a part of a history, for the graph of its page.
import { type Commit, MissingObjectError, type Refs, type SnapshotId } from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'

/** How much is read to find them. */
export type SideBranchLimits = {
  /** Branches and tags that are looked at, branches first. */
  readonly maxRefs: number
  /** Commits of one branch. A longer one is not drawn. */
  readonly maxCommits: number
  /** Commits of all branches that are read. */
  readonly maxReads: number
}

/** Commits that another branch or tag holds beside a part of a history. */
export type SideBranches = {
  /** Newest first. The parent of the last one is in the part, or in a branch before this one. */
  readonly branches: readonly (readonly Commit[])[]
  /** Branches and tags that leave the part too far back, or elsewhere. */
  readonly elsewhere: readonly string[]
}

/** Reads a commit. `isKept` says that this costs nothing. */
export type CommitReader = {
  readonly isKept: (id: SnapshotId) => boolean
  readonly read: (id: SnapshotId, signal: AbortSignal) => Commit | Promise<Commit>
}

/** A part of a history. `before` is the commit after its first one, if there is any: who gets there has left the history later. */
export type HistoryPart = { readonly commits: readonly Commit[]; readonly before: SnapshotId | undefined }

/** Walks back from each branch and tag to the part. Throws the errors of the reader, except that an absent object ends a walk. */
export async function findSideBranches(
  { branches, tags }: Refs,
  { commits: part, before }: HistoryPart,
  reader: CommitReader,
  limits: SideBranchLimits,
  signal: AbortSignal,
): Promise<SideBranches> {
  const drawn = new Set<SnapshotId>(part.map(({ id }) => id))
  const slices = new Slices(signal)
  const search = new Search(reader, limits, { drawn, before }, slices, signal)
  const found: (readonly Commit[])[] = []
  const elsewhere: string[] = []
  let looks = 0
  for (const [name, head] of chain(branches, tags)) {
    if (slices.isOver) await slices.next()
    if (drawn.has(head)) continue
    const commits = ++looks > limits.maxRefs ? undefined : await search.walkBack(head)
    if (commits === undefined) {
      elsewhere.push(name)
      continue
    }
    found.push(commits)
    for (const { id } of commits) drawn.add(id)
  }
  return { branches: found, elsewhere }
}

function* chain<Item>(...lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list
}

/** Where walks end. */
type Ends = { readonly drawn: ReadonlySet<SnapshotId>; readonly before: SnapshotId | undefined }

class Search {
  readonly #reader: CommitReader
  readonly #limits: SideBranchLimits
  readonly #ends: Ends
  readonly #signal: AbortSignal
  readonly #slices: Slices
  #readsLeft: number

  constructor(reader: CommitReader, limits: SideBranchLimits, ends: Ends, slices: Slices, signal: AbortSignal) {
    this.#reader = reader
    this.#limits = limits
    this.#ends = ends
    this.#signal = signal
    this.#slices = slices
    this.#readsLeft = limits.maxReads
  }

  /** The commits from a head to one that is drawn; undefined when none is within the limits. */
  async walkBack(head: SnapshotId): Promise<Commit[] | undefined> {
    const commits: Commit[] = []
    for (let next: SnapshotId | null = head; next !== null; next = commits.at(-1)?.parentId ?? null) {
      if (this.#ends.drawn.has(next)) return commits
      if (next === this.#ends.before) return undefined
      if (commits.length === this.#limits.maxCommits) return undefined
      if (!this.#reader.isKept(next) && this.#readsLeft-- <= 0) return undefined
      if (this.#slices.isOver) await this.#slices.next()
      try {
        commits.push(await this.#reader.read(next, this.#signal))
      } catch (error) {
        if (error instanceof MissingObjectError) return undefined
        throw error
      }
    }
    return undefined
  }
}
