import {
  MissingObjectError,
  NotATimeError,
  RefNotFoundError,
  type Repository,
  type RepositoryState,
  TimeTooEarlyError,
} from '@floe/storage/icechunk'
import type { ResolvedAddress } from '../../catalog/cached-refs.ts'
import { makeRequestSignal } from '../../catalog/reading-signals.ts'
import { makeRefProblem } from '../../catalog/ref-problem.ts'
import { findServedRepository, requireServedCatalog, type ServedNames } from '../../catalog/served-catalog.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import type { Answers, Question } from '../../reading/questions/question.ts'
import { helpFindRef } from './help-find-ref.ts'
import { makeResolveGood, NoGoodHeadError } from './last-good.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** A repository, and the ref of the address resolved in it. */
export type RefOfRepository = {
  readonly repository: Repository
  readonly resolved: ResolvedAddress
  /** Whether the address names the snapshot by its id. At a time, an expiration of snapshots can change the answer. */
  readonly isFixed: boolean
  /** Answers a question about the snapshot, until the caller leaves. */
  readonly ask: <Asked extends Question>(question: Asked) => Promise<Answers[Asked['kind']]>
  /** Whether the names in the address still lead to this repository and this snapshot. Reads nothing from a store. */
  readonly isCurrent: () => boolean
}

type Names = ServedNames & {
  readonly ref: string
  /** The parameter that has the ref. Default: `ref`. */
  readonly parameter?: 'from' | 'to'
  readonly group?: string
}
type Request = { readonly signal: AbortSignal }

/**
 * Resolves the ref in an address once, then calls `answer`, so that all of the answer describes one snapshot. If an
 * object of the snapshot is gone (garbage collection after a reset) and the ref now points to another snapshot, calls
 * `answer` once more for that one.
 *
 * @throws RequestProblem `repository-not-found`, `ref-not-found`, or `invalid-request` for a malformed time
 * @throws MissingObjectError when an object is gone and the ref still points to its snapshot, or in the second call
 */
export async function answerAtRef<Answer>(
  context: MetadataContext,
  names: Names,
  request: Request,
  answer: (at: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  const repository = await findServedRepository(context, names)
  const { cachedRefs } = context
  const resolveGood = makeResolveGood(context, names)
  const explain = (error: unknown) => explainUnknownRef(error, context, names, repository)
  const resolved = await cachedRefs.resolve(repository, names.ref, resolveGood).catch(explain)
  try {
    return await answer(describeRef(context, names, request, { repository, resolved }))
  } catch (error) {
    if (!(error instanceof MissingObjectError)) throw error
    const again = await cachedRefs.resolveAgain(repository, names.ref, resolveGood).catch(explain)
    if (again.snapshotId === resolved.snapshotId) throw error
    return answer(describeRef(context, names, request, { repository, resolved: again }))
  }
}

/** @throws RequestProblem for an unknown ref or a malformed time, else the error itself */
async function explainUnknownRef(
  error: unknown,
  context: MetadataContext,
  names: Names,
  repository: Repository,
): Promise<never> {
  if (!(error instanceof RefNotFoundError)) throw error
  if (error instanceof NoGoodHeadError)
    throw makeRefProblem(names.repo, error, { hint: '', see: linkGood(context, names, error.branch) })
  if (error instanceof NotATimeError) {
    const pointer = `/path/${names.parameter ?? 'ref'}`
    throw explainInvalidRequest([{ pointer, message: `${names.repo} has ${error.fault}` }], error)
  }
  if (error instanceof TimeTooEarlyError) throw makeRefProblem(names.repo, error)
  throw makeRefProblem(names.repo, error, await helpFindRef(context, { ...names, ref: error.ref }, repository))
}

function linkGood({ buildLinks }: MetadataContext, { deployment, org, repo }: Names, branch: string): string {
  return buildLinks(deployment, org).good(repo, branch)
}

function describeRef(
  context: MetadataContext,
  names: Names,
  request: Request,
  { repository, resolved }: Pick<RefOfRepository, 'repository' | 'resolved'>,
): RefOfRepository {
  const { kind, snapshotId, behind } = resolved
  return {
    repository,
    resolved,
    isFixed: kind === 'snapshot' && resolved.at === undefined,
    ask: (question) =>
      context.answers.ask({ org: names.org, repository }, snapshotId, question, () => makeRequestSignal(request)),
    isCurrent: makeIsAnswerCurrent(context, names, repository, (current) => {
      const now = context.cachedRefs.getResolved(current, names.ref)
      return now?.kind === kind && now.snapshotId === snapshotId && now.behind === behind
    }),
  }
}

/**
 * Makes the function that checks whether an answer about a repository is current: the name still leads to that
 * repository, and `isUnchanged` returns true for it. The function does not keep the repository in memory.
 */
export function makeIsAnswerCurrent(
  context: MetadataContext,
  names: ServedNames,
  repository: Repository,
  isUnchanged: (repository: Repository) => boolean,
): () => boolean {
  const catalog = requireServedCatalog(context, names)
  const answered = new WeakRef(repository)
  return () => {
    const current = catalog.getKnown(names.repo)
    return current !== undefined && current === answered.deref() && isUnchanged(current)
  }
}

/** Makes the function that checks whether no later state of a repository was read. It keeps neither in memory. */
export function makeIsStateUnchanged(repository: Repository, state: RepositoryState): () => boolean {
  const [weakRepository, weakState] = [new WeakRef(repository), new WeakRef(state)]
  return () => {
    const before = weakState.deref()
    return before !== undefined && weakRepository.deref()?.lastState === before
  }
}
