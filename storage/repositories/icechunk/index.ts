export { authorItems, measureCommit, readAuthor, readAuthorId } from './format/repository/commit.ts'
export {
  DamagedObjectError,
  IcechunkError,
  LimitExceededError,
  MissingObjectError,
  NotARepositoryError,
  NotATimeError,
  NotInHistoryError,
  RangeTooLongError,
  RefNotFoundError,
  TimeTooEarlyError,
  TimeTooFarError,
  UnsupportedFormatError,
} from './errors.ts'
export { parseTime, timeForms, type TimeSpan } from './time.ts'
export type { CachedCommits, History, LogFiles } from './history.ts'
export { mainRefKey, repoKey } from './layout.ts'
export type { StoredFile } from './format/envelope.ts'
export type { NamedManifest } from './format/snapshot/chunk-references.ts'
export { defaultLimits } from './limits.ts'
export type { ReaderLimits } from './limits.ts'
export { parseSnapshotId } from './format/object-id.ts'
export { decodeSnapshot, type Snapshot } from './format/snapshot/read-snapshot.ts'
export type { FeatureFlag, RepositoryFacts, RepositoryStatus } from './format/read-facts.ts'
export type { Operation } from './format/repository/read-operations.ts'
export type { OperationsCursor, OperationsPage } from './repository/operation-log.ts'
export type { AskedFiles, ChunkFile } from './format/manifest/chunk-files.ts'
export { FirstFiles } from './format/manifest/first-files.ts'
export { mergeRanges } from './format/manifest/chunk-ranges.ts'
export { decodeManifest } from './format/manifest/decode-manifest.ts'
export type { ManifestArray, ManifestChunks } from './format/manifest/manifest-chunks.ts'
export { openRepository } from './repository/repository.ts'
export type { Repository } from './repository/repository.ts'
export type { RepoCache, RepositoryState } from './repository/repository-state.ts'
export type { NodeList } from './format/snapshot/node-list.ts'
export { combineLogs, type CombinedLogs } from './transactions/combine-logs.ts'
export type * from './types.ts'
