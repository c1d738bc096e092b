import type { RepoObject } from '../format/repository/repo-object.ts'
import type { RefFiles } from './ref-files.ts'

/** A repository at one moment: a `RepoObject` if its `formatVersion` is 2, a `RefFiles` if it is 1. */
export type RepositoryState = RepoObject | RefFiles

/** The `repo` objects that repositories have read, by their serial numbers. It may drop any of them. */
export type RepoCache = {
  readonly get: (repository: number) => RepoObject | undefined
  readonly set: (repository: number, repo: RepoObject) => unknown
  readonly delete: (repository: number) => unknown
}
