import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import { nameRepositoryInErrors } from '../repositories/name-repository-in-errors.ts'
import { findRepository } from '../repositories/find-repository.ts'
import type { MetadataContext } from './metadata-context.ts'

type RefAddress = { readonly org: string; readonly repo: string; readonly ref: string }

/** A repository, and the ref of the address resolved in it. */
export type RefOfRepository = { readonly repository: Repository; readonly resolved: ResolvedRef }

/**
 * Builds an answer about the ref in an address. The ref is resolved once for the whole answer. {@link RepositoryReading.answerAt} says
 * when the answer is built a second time.
 *
 * @throws RequestProblem `repository-not-found` or `ref-not-found`
 */
export async function answerAtRef<Answer>(
  context: MetadataContext,
  { org, repo, ref }: RefAddress,
  answer: (at: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  const { repository } = await findRepository(context, { org, repo })
  return nameRepositoryInErrors(repo, () =>
    context.reading.answerAt(repository, ref, (resolved) => answer({ repository, resolved })),
  )
}
