export { commitAuthor, commitAuthorId } from './commit.ts'
export {
  DamagedObjectError,
  IcechunkError,
  MissingObjectError,
  NotARepositoryError,
  RefNotFoundError,
  UnsupportedFormatError,
} from './errors.ts'
export type { CommitsSince, History, HistoryOptions } from './history.ts'
export { mainRefKey, repoKey } from './layout.ts'
export type { StoredFile } from './envelope.ts'
export { defaultLimits } from './limits.ts'
export type { ReaderLimits } from './limits.ts'
export { parseSnapshotId } from './object-id.ts'
export { decodeSnapshot } from './read-snapshot.ts'
export { openRepository } from './repository.ts'
export type { Repository, RepositoryState } from './repository.ts'
export { SharedRead } from './shared-read.ts'
export type { Snapshot } from './snapshot.ts'
export type { Commit, CommitMetadata, FormatVersion, Node, Refs, ResolvedRef, SnapshotId } from './types.ts'
