// Finds the branches and tags that branch off a part of a history, for the graph of its page.
import { type Commit, measureCommit, MissingObjectError, type Refs, type SnapshotId } from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'

/** How much is read to find side branches. */
export type SideBranchLimits = {
  /** Maximum number of branches and tags to follow, branches first. */
  readonly maxRefs: number
  /** Maximum number of commits per side branch. A longer one is not drawn. */
  readonly maxCommits: number
  /** Maximum number of commits to read in total. */
  readonly maxReads: number
  /** Maximum memory of these commits, in bytes. The commit that exceeds it is the last one that is read. */
  readonly maxBytes: number
}

/** Commits of other branches and tags that are not in a part of a history. */
export type SideBranches = {
  /** Newest first. The parent of the last one is in the part, or in a branch before this one. */
  readonly branches: readonly (readonly Commit[])[]
  /** Branches and tags that branch off too far back, or from no commit of the part. */
  readonly elsewhere: readonly string[]
}

/** Reads a commit. `isCached` says whether that costs nothing. */
export type CommitReader = {
  readonly isCached: (id: SnapshotId) => boolean
  readonly read: (id: SnapshotId, signal: AbortSignal) => Commit | Promise<Commit>
}

/**
 * A part of a history. `before` is the child of its first commit, if there is one. A branch that contains it branches
 * off at a later commit.
 */
export type HistoryPart = { readonly commits: readonly Commit[]; readonly before: SnapshotId | undefined }

/**
 * Walks back from each branch and tag to the part. Throws the errors of the reader, except that a missing object ends a
 * walk.
 */
export async function findSideBranches(
  { branches, tags }: Refs,
  { commits: part, before }: HistoryPart,
  reader: CommitReader,
  limits: SideBranchLimits,
  signal: AbortSignal,
): Promise<SideBranches> {
  const drawn = new Set<SnapshotId>(part.map(({ id }) => id))
  const slices = new Slices(signal)
  let readsLeft = limits.maxReads
  let bytesLeft = limits.maxBytes
  /** Lists the commits from a head to one that is drawn; undefined when none is within the limits. */
  const walkBack = async (head: SnapshotId): Promise<Commit[] | undefined> => {
    const commits: Commit[] = []
    for (let next: SnapshotId | null = head; next !== null; next = commits.at(-1)?.parentId ?? null) {
      if (drawn.has(next)) return commits
      if (next === before || commits.length === limits.maxCommits || bytesLeft < 0) return undefined
      if (!reader.isCached(next) && readsLeft-- <= 0) return undefined
      if (slices.isOver) await slices.next()
      try {
        const commit = await reader.read(next, signal)
        bytesLeft -= measureCommit(commit)
        commits.push(commit)
      } catch (error) {
        if (error instanceof MissingObjectError) return undefined
        throw error
      }
    }
    return undefined
  }
  const sideBranches: (readonly Commit[])[] = []
  const elsewhere: string[] = []
  let followed = 0
  for (const [name, head] of [...branches, ...tags]) {
    if (slices.isOver) await slices.next()
    if (drawn.has(head)) continue
    const commits = ++followed > limits.maxRefs ? undefined : await walkBack(head)
    if (commits === undefined) {
      elsewhere.push(name)
      continue
    }
    sideBranches.push(commits)
    for (const { id } of commits) drawn.add(id)
  }
  return { branches: sideBranches, elsewhere }
}
