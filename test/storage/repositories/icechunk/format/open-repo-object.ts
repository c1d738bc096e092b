import { defaultLimits, type ReaderLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import {
  openRepoObject as openFile,
  type RepoObject,
} from '../../../../../storage/repositories/icechunk/format/repository/repo-object.ts'
import { buildRepo, type RepoDescription } from '../build-object.ts'

/** Opens the bytes of a `repo` object. */
export function openRepoObject(bytes: Uint8Array, limits: Partial<ReaderLimits> = {}): Promise<RepoObject> {
  return openFile({ repository: 'memory', key: 'repo', bytes }, '"1"', { ...defaultLimits, ...limits })
}

/** Builds a `repo` object and opens it. */
export function openBuilt(description: RepoDescription, limits: Partial<ReaderLimits> = {}): Promise<RepoObject> {
  return openRepoObject(buildRepo(description), limits)
}
