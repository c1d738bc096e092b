export { readAuthor, readAuthorId } from './format/commit.ts'
export {
  DamagedObjectError,
  IcechunkError,
  LimitExceededError,
  MissingObjectError,
  NotARepositoryError,
  RefNotFoundError,
  UnsupportedFormatError,
} from './errors.ts'
export type { CommitsSince, History, HistoryOptions } from './history.ts'
export { mainRefKey, repoKey } from './layout.ts'
export type { StoredFile } from './format/envelope.ts'
export { defaultLimits } from './limits.ts'
export type { ReaderLimits } from './limits.ts'
export { parseSnapshotId } from './format/object-id.ts'
export { decodeSnapshot } from './format/read-snapshot.ts'
export { openRepository } from './repository/repository.ts'
export type { Repository, RepositoryState } from './repository/repository.ts'
export { SharedRead } from './repository/shared-read.ts'
export type { Snapshot } from './format/snapshot.ts'
export type { Commit, CommitMetadata, FormatVersion, Node, Refs, ResolvedRef, SnapshotId } from './types.ts'
