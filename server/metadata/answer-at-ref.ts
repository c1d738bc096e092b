import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import { nameRepositoryInErrors } from '../catalog/find-repository.ts'
import { findRepository } from '../catalog/find-repository.ts'
import { makeIsAnswerCurrent } from './is-answer-current.ts'
import type { MetadataContext } from './metadata-context.ts'

/** The names in an address. */
type RefNames = { readonly org: string; readonly repo: string; readonly ref: string }

/** A repository, and the ref of the address resolved in it. */
export type RefOfRepository = {
  readonly repository: Repository
  readonly resolved: ResolvedRef
  /** Whether the names of the address still lead to both. Reads nothing. */
  readonly isCurrent: () => boolean
}

/**
 * Builds an answer about the ref in an address. The ref is resolved once for the whole answer. {@link RepositoryReading.answerAt} says when
 * the answer is built a second time.
 *
 * @throws RequestProblem `repository-not-found` or `ref-not-found`
 */
export async function answerAtRef<Answer>(
  context: MetadataContext,
  { org, repo, ref }: RefNames,
  answer: (at: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  const { repository } = await findRepository(context, { org, repo })
  return nameRepositoryInErrors(repo, () =>
    context.reading.answerAt(repository, ref, (resolved) => {
      const isCurrent = makeIsAnswerCurrent(context, { org, repo }, repository, (current) => {
        const { kind, snapshotId } = context.reading.getCached(current, ref) ?? {}
        return kind === resolved.kind && snapshotId === resolved.snapshotId
      })
      return answer({ repository, resolved, isCurrent })
    }),
  )
}
