import { openEnvelope } from '../../../../storage/icechunk/format/envelope.ts'
import { defaultLimits, type ReaderLimits } from '../../../../storage/icechunk/index.ts'
import { RepoObject } from '../../../../storage/icechunk/format/repo-object.ts'
import { buildRepo, type RepoDescription } from '../build-object.ts'

/** Opens the bytes of a `repo` object. */
export async function openRepoObject(bytes: Uint8Array, limits: Partial<ReaderLimits> = {}): Promise<RepoObject> {
  const all = { ...defaultLimits, ...limits }
  const envelope = await openEnvelope({ repository: 'memory', key: 'repo', bytes }, 'repo', all)
  return new RepoObject('memory', envelope, '"1"', all)
}

/** Builds a `repo` object and opens it. */
export function openBuilt(description: RepoDescription, limits: Partial<ReaderLimits> = {}): Promise<RepoObject> {
  return openRepoObject(buildRepo(description), limits)
}
