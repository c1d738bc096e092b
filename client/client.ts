import type { GroupAddress, GroupOfSnapshot, Notified, RefAddress, RepositoryAddress } from './addresses.ts'
import type { CallOptions, VersionedOptions, VersionedView } from './calls.ts'
import type { DatasetContracts } from './datasets/dataset-contracts.ts'
import type { EventOptions, EventSelection, RecordedEvent } from './follow-events.ts'
import type {
  DiscoverySourcesQuery,
  HistoryCommitsQuery,
  HistoryOperationsQuery,
  ReaderMethods,
} from './generated/reader-methods.ts'
import type * as types from './generated/types.ts'
import type { SearchPageSelection, SearchSelection } from './datasets/search.ts'

/** The methods of a client. Pass names as they are; the client encodes them. */
export type Client = ReaderMethods & FurtherMethods

/** The views of a dataset. */
export type DatasetViews = Pick<ReaderMethods, 'info' | 'keys' | 'dict'>

/** The methods that do more than call one route. */
type FurtherMethods = {
  /**
   * The three views, each with its ETag and the id of the snapshot that it describes. A later call with that ETag
   * as `ifNoneMatch` gets the value only when it has changed.
   *
   * @example
   * ```ts
   * const first = await floe.versioned.info(names)
   * const later = await floe.versioned.info(names, { ifNoneMatch: first.etag })
   * if (later.isModified) console.log(later.snapshotId, later.value)
   * ```
   */
  readonly versioned: VersionedViews
  /**
   * Resolves if all refs keep the contracts of their datasets. Asks one question for each ref.
   *
   * @throws ContractBrokenError (as a rejection) with the changes that break a contract or may break it
   * @example
   * ```ts
   * import { datasets } from './datasets.ts' // written by `npx floe types`
   * await floe.verify(datasets)
   * ```
   */
  readonly verify: (contracts: DatasetContracts, call?: CallOptions) => Promise<void>
  /**
   * Finds datasets of all repositories that the key may read, best matches first. Reads pages as they are needed.
   *
   * @example
   * ```ts
   * const found = floe.search({ q: 'temperature', units: ['K', 'degC'], bbox: [-25, 34, 45, 72] })
   * for await (const { repo, group, variables } of found) console.log(repo, group, variables[0]?.name)
   * ```
   */
  readonly search: (
    selection: SearchSelection,
    call?: CallOptions,
  ) => AsyncGenerator<types.FoundDataset, void, undefined>
  /** One page of a search, with the number of all results, counts of values, and how current the index is. */
  readonly searchPage: (selection: SearchPageSelection, call?: CallOptions) => Promise<types.SearchAnswer>
  /**
   * Iterates over the commits of a ref, newest first: the head, then its ancestors. Reads pages as they are needed.
   *
   * @example
   * ```ts
   * for await (const commit of floe.history({ repo: 'weather', ref: 'main' })) console.log(commit.commit_message)
   * ```
   * With `path`, only over the commits that changed a group or an array with such a path.
   */
  readonly history: (selection: HistorySelection, call?: CallOptions) => CommitIterator
  /**
   * Iterates over the repositories that declare virtual chunk containers at, below or around an address. Declared, not
   * proof of use.
   *
   * @example
   * ```ts
   * for await (const { name } of floe.sources({ prefix: 's3://noaa-gfs/' })) console.log(name)
   * ```
   */
  readonly sources: (
    selection?: SourcesSelection,
    call?: CallOptions,
  ) => AsyncGenerator<types.SourceList['repositories'][number], void, undefined>
  /** Iterates over the operations log of a repository, newest first: who created, reset or deleted what, and when. */
  readonly operations: (
    selection: OperationsSelection,
    call?: CallOptions,
  ) => AsyncGenerator<types.OperationsPage['operations'][number], void, undefined>
  /**
   * Follows the events of the repositories that the key may read. The iterator reconnects, with increasing waits, when
   * the connection is lost or the service restarts, and continues after the last event: each event comes once and in
   * order. `onReconnect` is told of each wait; a wrong host name, for example, shows only there. Events that this
   * version of the package does not know are skipped. It throws errors that a retry cannot fix: a ProblemResponseError
   * (`unauthorized`, `forbidden`, `repository-not-found`, `events-gone`), an UnexpectedResponseError, a
   * ContractViolationError, or the signal's reason. Leaving the loop ends the connection.
   *
   * @example
   * ```ts
   * for await (const { id, notification } of floe.events({ repo: 'weather', after: lastId })) {
   *   console.log(id, notification.details.snapshot_id)
   * }
   * ```
   */
  readonly events: <Name extends types.StreamedEventName = 'NewCommit'>(
    selection?: EventSelection<Name>,
    call?: EventOptions,
  ) => AsyncGenerator<RecordedEvent<Name>, never, undefined>
  /**
   * A client for the snapshot of a notification: its answers are about that snapshot, even after the branch has moved
   * on.
   *
   * @throws TypeError when the notification is from another organisation
   * @example
   * ```ts
   * const { dimensions } = await floe.at(details).info({ group: 'wind/speed' })
   * ```
   */
  readonly at: (notified: Notified) => SnapshotClient
  /**
   * Iterates over the commits of a notification that does not list them (`too_many_commits`, `repo_format_v1`): newest
   * first, from its head back to its previous head, which is excluded. If the notification lists its commits, they are
   * the same. Rejects with a HistoryRewrittenError when the previous head is no longer an ancestor; in format version
   * 1, only at the end of the history.
   *
   * @throws TypeError when the notification is from another organisation, or its reason (`first_observation`,
   * `history_rewritten`) means that there is no such range
   */
  readonly missed: (notified: Notified, call?: CallOptions) => CommitIterator
}

/** Commits, newest first. */
export type CommitIterator = AsyncGenerator<types.HistoryCommit, void, undefined>

/** The views of a dataset with their versions. */
export type VersionedViews = {
  readonly [View in keyof DatasetViews]: (
    names: GroupAddress,
    call?: VersionedOptions,
  ) => Promise<VersionedView<Awaited<ReturnType<DatasetViews[View]>>>>
}

/** The methods of a client that read one snapshot. */
export type SnapshotClient = {
  readonly [Method in 'datasets' | 'info' | 'keys' | 'dict']: (
    group?: GroupOfSnapshot,
    call?: CallOptions,
  ) => ReturnType<Client[Method]>
} & { readonly history: (part?: Omit<HistorySelection, keyof RefAddress>, call?: CallOptions) => CommitIterator }

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
