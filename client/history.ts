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

/** Which operations to list. */
export type OperationsSelection = RepositoryAddress & {
  /** `next` of a page. Default: begin with the newest operation. */
  readonly before?: string | undefined
}

/** Which part of the operations log to read. */
export type OperationsPageSelection = OperationsSelection & {
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
