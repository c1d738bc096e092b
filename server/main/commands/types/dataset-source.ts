import type { DatasetContract, ProblemCode } from '@floe/contract'

/** What readers rely on of one dataset. */
export type Contract = DatasetContract['datasets'][string]

/** Where datasets are read from. */
export type DatasetSource = {
  readonly listRepositories: () => Promise<readonly string[]>
  /**
   * Reads the contracts of the datasets at a ref.
   *
   * @throws LeftOutError if the whole ref cannot be read
   */
  readonly readDatasets: (repo: string, ref: string) => AsyncIterable<ReadDataset>
}

/** A dataset; or why it cannot be read. */
export type ReadDataset = { readonly path: string } & (
  { readonly contract: Contract } | { readonly unreadable: string }
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
