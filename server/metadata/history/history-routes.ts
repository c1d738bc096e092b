// The history of a ref, and the operations and state of a repository.
import { contract, type HistoryPage, type OperationsPage } from '@floe/contract'
import {
  type Commit,
  type History,
  parseSnapshotId,
  readAuthorId,
  type Repository,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { type Encodable, JsonWriter, type Written } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { implement } from '../../http/contract.ts'
import { makeEntityTag } from '../../http/representation/entity-tag.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { makeReadingSignal, makeRequestSignal } from '../../catalog/reading.ts'
import { findServedRepository, type ServedNames } from '../../catalog/served-catalog.ts'
import { encodePage } from '../../pages/page.ts'
import { answerAtRef, makeIsAnswerCurrent, makeIsStateUnchanged } from '../answer-at-ref.ts'
import { answerJson, answerSnapshot, answerTagged } from '../answers.ts'
import type { Stopwatch } from '../../timing.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { buildHistoryPage } from './show-history.ts'
import { commitMaxAgeMs } from './commit-cache.ts'
import { buildOperationsPage, parseCursor, readOperations } from './operations.ts'
import { summarize } from './summarize.ts'

/** Part of the entity tags. Increase it when the answers about unchanged commits change; otherwise callers keep old answers. */
const representationVersion = '1'

const defaultLimit = 100

/** Maximum number of commits in an HTML page, and in version 1, where each costs a read of the object store. */
const maxCostlyLimit = 100

/** Implements `contract.history`. */
export function makeHistoryRoutes(context: MetadataContext) {
  return implement(contract.history, {
    commits: async ({ params, query, request, reply }) =>
      answerAtRef(context, params, request, async ({ repository, resolved, isCurrent: isAtRef }) => {
        const { snapshotId } = resolved
        const signal = makeRequestSignal(request)
        const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
        const limit = query.limit === undefined ? defaultLimit : Number(query.limit)
        const isPage = prefersHtml(request)
        const history = await state.readHistory(snapshotId, {
          limit: state.formatVersion === 1 || isPage ? Math.min(limit, maxCostlyLimit) : limit,
          before: parseId(query.before),
          until: parseId(query.until),
          memory: context.commitCache.openMemory(repository),
          signal,
        })
        if (isPage) {
          const part = { ref: { ...resolved, name: params.ref }, history, before: parseId(query.before) }
          const page = await buildHistoryPage(context, params, { repository, state, ...part }, signal)
          return answerTagged({ request, reply }, { context, format: 'html', snapshotId }, encodePage(page))
        }
        const isUnchanged = makeIsHistoryUnchanged(repository, state, context.timing.elapsed)
        const isCurrent = () => isAtRef() && isUnchanged()
        const tag = makeTag(history)
        return answerSnapshot({ request, reply }, { context, tag, snapshotId, isCurrent }, () =>
          writeHistory(history, signal),
        )
      }),
    repository: async ({ params, request, reply }) => {
      const repository = await findServedRepository(context, params)
      const { state, isCurrent } = await readCurrentState(context, params, repository)
      const summary = await summarize(context, { name: params.repo, repository, state }, makeRequestSignal(request))
      return answerTagged({ request, reply }, { context, isCurrent }, summary)
    },
    operations: async ({ params, query, request, reply }) => {
      const repository = await findServedRepository(context, params)
      const { state, isCurrent } = await readCurrentState(context, params, repository)
      const isPage = prefersHtml(request)
      const limit = query.limit === undefined ? defaultLimit : Number(query.limit)
      const page = await readOperations(repository, state, {
        limit: isPage ? Math.min(limit, maxCostlyLimit) : limit,
        before: parseCursor(query.before),
        signal: makeRequestSignal(request),
      })
      if (!isPage) return answerJson<OperationsPage>({ request, reply }, { context, isCurrent }, page)
      const markup = buildOperationsPage(context, params, page, query.before === undefined)
      return answerTagged({ request, reply }, { context, isCurrent, format: 'html' }, encodePage(markup))
    },
  })
}

/** Reads the state of a repository. `isCurrent` returns true until the state changes. */
async function readCurrentState(
  context: MetadataContext,
  names: ServedNames,
  repository: Repository,
): Promise<{ readonly state: RepositoryState; readonly isCurrent: () => boolean }> {
  const state = await context.reading.readState(repository)
  const read = new WeakRef(state)
  const isCurrent = makeIsAnswerCurrent(context, names, repository, (current) => {
    const before = read.deref()
    return before !== undefined && context.reading.isCached(current, before)
  })
  return { state, isCurrent }
}

/**
 * Makes the function that checks whether a history is unchanged since a state. An expiration shortens it, although the ref leads to the same
 * snapshot.
 */
function makeIsHistoryUnchanged(repository: Repository, state: RepositoryState, elapsed: Stopwatch): () => boolean {
  if (state.formatVersion === 1) {
    const until = elapsed() + commitMaxAgeMs
    return () => elapsed() < until
  }
  return makeIsStateUnchanged(repository, state)
}

async function writeHistory(history: History, signal: AbortSignal): Promise<Written<HistoryPage>> {
  const slices = new Slices(signal)
  // Reading the commits may have filled a slice.
  await slices.next()
  return new JsonWriter().writeInSlices<HistoryPage>(describeHistory(history), slices)
}

/** The contract has checked that it is an id. */
function parseId(text: string | undefined): SnapshotId | undefined {
  return text === undefined ? undefined : parseSnapshotId(text)
}

/** The tag follows from the ids, because commits never change. */
function makeTag({ commits, next, untilFound, missing }: History): string {
  const ids = commits.map(({ id }) => id)
  const parent = commits.at(-1)?.parentId ?? null
  return makeEntityTag(representationVersion, 'history', JSON.stringify([ids, parent, next, untilFound, missing]))
}

/** Describes a part of a history as the contract has it. */
export function describeHistory({ commits, next, untilFound, missing }: History): Encodable<HistoryPage> {
  return { commits: commits.values().map(describeCommit), next, until_found: untilFound, missing_snapshot_id: missing }
}

function describeCommit({
  id,
  parentId,
  message,
  writtenAt,
  metadata,
}: Commit): Encodable<HistoryPage['commits'][number]> {
  return {
    snapshot_id: id,
    parent_snapshot_id: parentId,
    commit_message: message,
    written_at: writtenAt.toISOString(),
    author_id: readAuthorId(metadata),
    metadata,
  }
}
