import type { RefAddress, RepositoryAddress } from './addresses.ts'
import type { DiscoverySourcesQuery, HistoryCommitsQuery, HistoryOperationsQuery } from './generated/reader-methods.ts'

/** Which page of commits to read. */
export type HistoryPageSelection = RefAddress & HistoryCommitsQuery

/** Which commits to list. */
export type HistorySelection = Omit<HistoryPageSelection, 'limit'>

/** Which page of the operations log to read. */
export type OperationsPageSelection = RepositoryAddress & HistoryOperationsQuery

/** Which operations to list. */
export type OperationsSelection = Omit<OperationsPageSelection, 'limit'>

/** Which repositories to list. */
export type SourcesSelection = Omit<DiscoverySourcesQuery, 'limit'>

/**
 * The history of a ref does not contain a commit at which a list should end: the branch was reset, or the commit has
 * expired.
 */
export class HistoryRewrittenError extends Error {
  override readonly name = 'HistoryRewrittenError'

  constructor() {
    super('The history no longer contains the commit at which the list should end')
  }
}
