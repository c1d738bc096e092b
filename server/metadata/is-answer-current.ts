import type { Repository } from '@floe/storage/icechunk'
import type { MetadataContext } from './metadata-context.ts'

/**
 * Makes the function that tells whether an answer about a repository is current: the name still leads to that repository, and `isUnchanged`
 * holds of it. The function does not keep the repository in memory.
 */
export function makeIsAnswerCurrent(
  { catalogs }: MetadataContext,
  { org, repo }: { readonly org: string; readonly repo: string },
  repository: Repository,
  isUnchanged: (repository: Repository) => boolean,
): () => boolean {
  const answered = new WeakRef(repository)
  return () => {
    const current = catalogs.get(org)?.getKnown(repo)?.repository
    return current !== undefined && current === answered.deref() && isUnchanged(current)
  }
}
