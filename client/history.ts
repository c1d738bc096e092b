import type { HistoryCommit, HistoryPage } from './generated/types.ts'
import type { RefAddress, RepositoryAddress } from './addresses.ts'

/** Which commits to list. */
export type HistorySelection = RefAddress & {
  /** Begin with the parent of this commit, a snapshot id. Default: begin with the commit that the ref names. */
  readonly before?: string | undefined
  /** Stop before this commit, a snapshot id. If the history does not contain it, the list continues to the first snapshot. */
  readonly until?: string | undefined
}

/** Which part of a list to read. */
export type HistoryPageSelection = HistorySelection & {
  /** Maximum number of commits per page, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined
}

/** Which part of the operations log to read. */
export type OperationsSelection = RepositoryAddress & {
  /** `next` of the previous page. Default: begin with the newest operation. */
  readonly before?: string | undefined
  /** Maximum number of operations per page, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined
}

/** The history of a ref no longer contains a commit: the branch was reset, or the commit has expired. */
export class HistoryRewrittenError extends Error {
  override readonly name = 'HistoryRewrittenError'

  constructor() {
    super('The history no longer contains the commit at which the list should end')
  }
}

/**
 * Iterates over the commits of all pages, newest first.
 *
 * @param readPage - reads the page that begins with the parent of `before`, or with the head
 * @param requiresUntil - whether to reject when the history does not contain the commit at which the list should end
 * @param signal - ends the iteration, even between two commits of a page
 */
export async function* iterateCommits(
  readPage: (before: string | undefined) => Promise<HistoryPage>,
  {
    before,
    requiresUntil,
    signal,
  }: { readonly before: string | undefined; readonly requiresUntil: boolean; readonly signal: AbortSignal | undefined },
): AsyncGenerator<HistoryCommit, void, undefined> {
  const seen = new Set<string>()
  for (let next: string | null | undefined = before; next !== null;) {
    const page: HistoryPage = await readPage(next)
    if (requiresUntil && page.until_found === false) throw new HistoryRewrittenError()
    for (const commit of page.commits) {
      yield commit
      signal?.throwIfAborted()
    }
    next = page.next
    // A damaged repository can have a circular history.
    if (next !== null && seen.size === seen.add(next).size)
      throw new TypeError(`the history runs in a circle at ${next}`)
  }
}
