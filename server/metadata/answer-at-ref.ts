import type { Repository, RepositoryState, ResolvedRef } from '@floe/storage/icechunk'
import { nameRepositoryInErrors } from '../catalog/find-repository.ts'
import { makeRequestSignal } from '../catalog/reading.ts'
import { findServedRepository, type ServedNames } from '../catalog/served-catalog.ts'
import { helpFindRef } from './help-find-ref.ts'
import type { Answers, Question } from '../reading/question.ts'
import type { MetadataContext } from './metadata-context.ts'

/** A repository, and the ref of the address resolved in it. */
export type RefOfRepository = {
  readonly repository: Repository
  readonly resolved: ResolvedRef
  /** Answers a question about the snapshot, until the caller leaves. */
  readonly ask: <Asked extends Question>(question: Asked) => Promise<Answers[Asked['kind']]>
  /** Whether the names in the address still lead to this repository and this snapshot. Reads nothing. */
  readonly isCurrent: () => boolean
}

/**
 * Builds an answer about the ref in an address, which is resolved once for the whole answer. {@link RepositoryReading.answerAt} says when
 * it builds the answer a second time.
 *
 * @throws RequestProblem `repository-not-found` or `ref-not-found`
 */
export async function answerAtRef<Answer>(
  context: MetadataContext,
  names: ServedNames & { readonly ref: string; readonly group?: string },
  request: { readonly signal: AbortSignal },
  answer: (at: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  const { org, repo, ref } = names
  const repository = await findServedRepository(context, names)
  const read = () =>
    context.reading.answerAt(repository, ref, (resolved) => {
      const isCurrent = makeIsAnswerCurrent(context, names, repository, (current) => {
        const { kind, snapshotId } = context.reading.getCached(current, ref) ?? {}
        return kind === resolved.kind && snapshotId === resolved.snapshotId
      })
      const ask = <Asked extends Question>(question: Asked) =>
        context.answers.ask({ org, repository }, resolved.snapshotId, question, () => makeRequestSignal(request))
      return answer({ repository, resolved, ask, isCurrent })
    })
  return nameRepositoryInErrors(repo, read, (unknown) => helpFindRef(context, { ...names, ref: unknown }, repository))
}

/**
 * Makes the function that checks whether an answer about a repository is current: the name still leads to that repository, and
 * `isUnchanged` returns true for it. The function holds the repository weakly.
 */
export function makeIsAnswerCurrent(
  { catalogs }: MetadataContext,
  names: ServedNames,
  repository: Repository,
  isUnchanged: (repository: Repository) => boolean,
): () => boolean {
  const answered = new WeakRef(repository)
  return () => {
    const current = catalogs.get(names)?.getKnown(names.repo)
    return current !== undefined && current === answered.deref() && isUnchanged(current)
  }
}

/** Makes the function that checks whether no later state of a repository was read. It holds both weakly. */
export function makeIsStateUnchanged(repository: Repository, state: RepositoryState): () => boolean {
  const [answered, read] = [new WeakRef(repository), new WeakRef(state)]
  return () => {
    const before = read.deref()
    return before !== undefined && answered.deref()?.lastState === before
  }
}
