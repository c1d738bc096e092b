import type { Client } from '@floe/client'
import type { ProblemCode } from '@floe/contract'
import type { RepositoryState, ResolvedRef, Snapshot } from '@floe/storage/icechunk'

/** What a command reads of each dataset, from a snapshot or from a service. */
export type DatasetReader<Value> = {
  readonly fromSnapshot: (read: ReadSnapshot, signal: AbortSignal) => Iterable<ReadDataset<Value>>
  /** Fails with what the client throws. */
  readonly fromService: (floe: Client, names: DatasetNames, signal: AbortSignal) => Promise<Value>
}

type ReadSnapshot = {
  /** Name of the repository. */
  readonly repo: string
  readonly state: RepositoryState
  readonly ref: ResolvedRef
  readonly snapshot: Snapshot
}

export type DatasetNames = {
  readonly repo: string
  readonly ref: string
  /** Id of the snapshot that the ref named when its datasets were listed. */
  readonly snapshotId: string
  readonly group: string
}

/** Where datasets are read from. */
export type DatasetSource<Value> = {
  readonly listRepositories: () => Promise<readonly string[]>
  /**
   * Reads the datasets at a ref.
   *
   * @throws LeftOutError if the whole ref cannot be read
   */
  readonly readDatasets: (repo: string, ref: string) => AsyncIterable<ReadDataset<Value>>
}

/** A dataset; or why it cannot be read. */
export type ReadDataset<Value> = { readonly path: string } & (
  { readonly value: Value } | { readonly unreadable: string }
)

/** A ref that cannot be read is left out; its message says why. */
export class LeftOutError extends Error {
  override name = 'LeftOutError'
}

/** Problems of a repository, a ref or a dataset, which concern no other. */
const ownProblems: readonly ProblemCode[] = [
  'repository-not-found',
  'ref-not-found',
  'not-a-repository',
  'not-a-dataset',
  'damaged-repository',
  'repository-too-large',
  'snapshot-gone',
  'unsupported-format',
]

/** Whether a problem concerns one repository, ref or dataset only. */
export function concernsOne(code: string): boolean {
  return ownProblems.some((known) => known === code)
}
