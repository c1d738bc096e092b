// The routes of all questions about snapshots. Each is answered in the same way: find the snapshots, answer 304 if the
// caller has the answer, else send it from the cache or from a reader thread. This file alone decides what the entity
// tag of such an answer covers, and which answers never change for caches.
import { type Question as Declared, questions } from '@floe/contract'
import { makeReadingSignal, makeRequestSignal } from '../../catalog/reading-signals.ts'
import { readNamedContainers } from '../../catalog/read-containers.ts'
import { makeEntityTag } from '../../http/representation/entity-tag.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { DiffPageFacts } from '../../reading/diff/build-diff-page.ts'
import { isPassing } from '../../reading/manifests/passing-answers.ts'
import type { PageFacts } from '../../reading/page-facts.ts'
import type { Answers, Question, QuestionKind } from '../../reading/questions/question.ts'
import { parseGroupPath } from '../../groups/group-path.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { findKnownRemarks } from '../../remarks/known-remarks.ts'
import {
  type Asked,
  gatherDocumentFacts,
  gatherPageFacts,
  gatherRefPageFacts,
  seesStorage,
  showRef,
} from '../show-service.ts'
import { answerAtRef, makeIsStateUnchanged, type RefOfRepository } from './answer-at-ref.ts'
import { answerTagged, answerUnchanged, answerWith, type BodyFormat, type RequestAndReply } from './answers.ts'
import type { ServedNames } from '../../catalog/served-catalog.ts'

/** A request for an answer. Its route says which parameters it has; without a ref, it is about `main`. */
type QuestionCall = RequestAndReply & {
  readonly params: ServedNames & { readonly [name in 'ref' | 'from' | 'to' | 'group']?: string }
  readonly query?: { readonly group?: string; readonly [name: string]: unknown }
}

type QuestionHandler = (call: QuestionCall) => Promise<object>

/** The snapshots that an answer is about: one, or the later one and the earlier one of a change. */
type Snapshots = { readonly at: RefOfRepository; readonly earlier?: RefOfRepository }

/** The kind of question that is asked, and the format of its answer. */
type Form<Kind extends QuestionKind = QuestionKind> = {
  readonly kind: Kind
  readonly format: BodyFormat
  readonly needsService?: boolean | undefined
  readonly showsStorage?: boolean | undefined
}

/** Implements the routes of all questions, by router and route. */
export function makeQuestionHandlers(
  context: MetadataContext,
): Readonly<Record<string, Record<string, QuestionHandler>>> {
  const handlers: Record<string, Record<string, QuestionHandler>> = {}
  for (const [kind, question] of Object.entries<Declared>(questions)) {
    // The names of questions are their kinds.
    const json = { ...question, kind, format: question.format ?? 'json' } as Form
    const handler = makeHandler(context, question, json)
    for (const name of Object.keys(question.routes)) (handlers[question.router] ??= {})[name] = handler
  }
  return handlers
}

function makeHandler(context: MetadataContext, { about, page }: Declared, json: Form): QuestionHandler {
  const html = page && ({ kind: page, format: 'html' } as const)
  return async (call) => {
    const { params, request } = call
    const form = html !== undefined && prefersHtml(request) ? html : json
    if (about !== 'change') {
      const names = { ...params, ref: params.ref ?? 'main' }
      return answerAtRef(context, names, request, async (at) => answerQuestion(context, call, { at }, form))
    }
    const { from = '', to = '' } = params
    return answerAtRef(context, { ...params, ref: from, parameter: 'from' }, request, (earlier) =>
      answerAtRef(context, { ...params, ref: to, parameter: 'to' }, request, (at) =>
        answerQuestion(context, call, { at, earlier }, form),
      ),
    )
  }
}

/**
 * Answers a question about snapshots. Its entity tag covers the snapshot and the whole question, which names everything
 * else that the answer depends on. An answer never changes if its address names snapshots by their ids, unless it also
 * depends on the service.
 *
 * @throws RequestProblem, MissingObjectError, ObjectStoreError
 */
export async function answerQuestion<Kind extends QuestionKind>(
  context: MetadataContext,
  call: QuestionCall,
  snapshots: Snapshots,
  { kind, format, needsService, showsStorage }: Form<Kind>,
) {
  const { params, query: { group: groupInQuery, ...options } = {} } = call
  const { at, earlier } = snapshots
  const { snapshotId } = at.resolved
  const group = parseGroupPath(params.group ?? groupInQuery)
  const service = await describeService(context, call, snapshots, { format, needsService })
  const storage = showsStorage ? await readStorage(context, call, at) : undefined
  const from = earlier?.resolved.snapshotId
  // The compiler demands functions that need no more than what the declaration of a question promises.
  const question = {
    kind,
    group,
    ...options,
    ...(from && { from }),
    ...(service && { page: service.page }),
    ...(storage && { containers: storage.containers }),
  } as Question
  const isFixed = at.isFixed && earlier?.isFixed !== false
  const parts = [at, earlier, service, storage].filter((part) => part !== undefined)
  const sending = {
    context,
    tag: makeEntityTag(snapshotId, JSON.stringify(question)),
    format,
    // The address of sitemaps also has the index of all, which is about no snapshot.
    ...(format === 'xml' ? {} : { resolved: at.resolved }),
    isCurrent: () => parts.every((part) => part.isCurrent()),
    isImmutable: isFixed && service === undefined && storage === undefined,
  }
  const unchanged = answerUnchanged(call, sending)
  if (unchanged !== undefined) return unchanged
  const body = (await at.ask(question)) as Answers[Kind] // the kind decides what answers it
  // Another answer may follow about the same snapshot, so the tag can only be that of the body.
  if (isPassing(body)) return answerTagged(call, { ...sending, isCurrent: undefined, isImmutable: false }, body)
  return answerWith(call, sending, body)
}

/** Describes what a page or a document says about the service; undefined for an answer that needs none of it. */
async function describeService(
  context: MetadataContext,
  { params, request }: { readonly params: ServedNames; readonly request: Asked },
  { at, earlier }: Snapshots,
  { format, needsService }: Pick<Form, 'format' | 'needsService'>,
): Promise<{ readonly page: PageFacts; readonly isCurrent: () => boolean } | undefined> {
  if (format !== 'html' && !needsService) return undefined
  const until = context.timing.elapsed() + context.cachedRefs.refMaxAgeMs
  const refs = [at, ...(earlier ? [earlier] : [])].map(({ resolved }) => resolved)
  const remarked = { ...at, remarks: await findKnownRemarks(context, params, refs) }
  // Remarks and checks change although the snapshot stays.
  const isRecent = () => context.timing.elapsed() < until
  if (format === 'html' && earlier !== undefined) {
    const page: DiffPageFacts = {
      ...gatherPageFacts(context, params, remarked, request),
      fromRef: showRef(earlier.resolved),
    }
    return { page, isCurrent: isRecent }
  }
  const { page, isCurrent } =
    format === 'html'
      ? await gatherRefPageFacts(context, params, remarked, request)
      : await gatherDocumentFacts(context, params, remarked)
  return { page, isCurrent: () => isCurrent() && isRecent() }
}

/**
 * Reads what an answer about where chunks are stored depends on besides the snapshot. When the setting `open` changes,
 * the repository is opened again, and no answer about it stays current.
 *
 * @throws RequestProblem `forbidden` for callers who must not see it
 */
async function readStorage(
  context: MetadataContext,
  { params, request }: { readonly params: ServedNames; readonly request: Asked & { readonly signal: AbortSignal } },
  { repository }: RefOfRepository,
) {
  if (!seesStorage(context, params, request))
    throw new RequestProblem(
      'forbidden',
      `Where ${JSON.stringify(params.repo)} is stored is not published, so this needs an administrator's API key`,
    )
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  return {
    containers: await readNamedContainers(state, makeRequestSignal(request)),
    isCurrent: makeIsStateUnchanged(repository, state),
  }
}
