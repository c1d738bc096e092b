import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import { nameRepositoryInErrors } from '../catalog/find-repository.ts'
import { findRepository } from '../catalog/find-repository.ts'
import type { RequestAndReply } from './answers.ts'
import { makeIsAnswerCurrent } from './is-answer-current.ts'
import type { MetadataContext } from './metadata-context.ts'

/** A request for an answer about a ref. */
type RefCall = Pick<RequestAndReply, 'request'> & {
  readonly params: { readonly org: string; readonly repo: string; readonly ref: string }
}

/** A repository, and the ref of the address resolved in it. */
export type RefOfRepository = { readonly repository: Repository; readonly resolved: ResolvedRef }

/**
 * Builds an answer about the ref in an address, which is current until the ref or the name of the repository leads elsewhere. The ref is
 * resolved once for the whole answer. {@link RepositoryReading.answerAt} says when the answer is built a second time.
 *
 * @throws RequestProblem `repository-not-found` or `ref-not-found`
 */
export async function answerAtRef<Answer>(
  context: MetadataContext,
  { request, params: { org, repo, ref } }: RefCall,
  answer: (at: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  const { repository } = await findRepository(context, { org, repo })
  return nameRepositoryInErrors(repo, () =>
    context.reading.answerAt(repository, ref, (resolved) => {
      request.isAnswerCurrent = makeIsAnswerCurrent(context, { org, repo }, repository, (current) => {
        const { kind, snapshotId } = context.reading.getKnown(current, ref) ?? {}
        return kind === resolved.kind && snapshotId === resolved.snapshotId
      })
      return answer({ repository, resolved })
    }),
  )
}
