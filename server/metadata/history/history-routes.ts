// The history of a ref, and the operations and state of a repository.
import type { IncomingMessage } from 'node:http'
import { contract, type HistoryPage, type OperationsPage } from '@floe/contract'
import { type Commit, type History, readAuthorId, type Repository, type RepositoryState } from '@floe/storage/icechunk'
import { type Encodable, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { implement } from '../../http/contract.ts'
import { makeEntityTag } from '../../http/representation/entity-tag.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { makeReadingSignal, makeRequestSignal } from '../../catalog/reading-signals.ts'
import { findServedRepository, type ServedNames } from '../../catalog/served-catalog.ts'
import { historyFeed } from '../../pages/commits/history-feed.ts'
import type { HistorySelection } from '../../pages/commits/history-page.ts'
import { encodePage, type Page } from '../../pages/page.ts'
import { maxExaminedCommits } from '../../reading/questions/question.ts'
import { buildPageLinks, type PageLinks } from '../../pages/page-links.ts'
import {
  answerAtRef,
  makeIsAnswerCurrent,
  makeIsStateUnchanged,
  type RefOfRepository,
} from '../answering/answer-at-ref.ts'
import { answerJson, answerTagged, answerUnchanged, answerWith, type RequestAndReply } from '../answering/answers.ts'
import type { Stopwatch } from '../../timing.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showChoice, showRef } from '../show-service.ts'
import { buildHistoryPage } from './show-history.ts'
import { commitMaxAgeMs } from './commit-cache.ts'
import { keepChanges, type KeptHistory } from './keep-changes.ts'
import { buildOperationsPage, parseCursor, readOperations } from './operations.ts'
import { type HistoryQuery, readPart } from './read-part.ts'
import { summarize } from './summarize.ts'

const defaultLimit = 100

/** Maximum number of commits or operations in an HTML page. */
const maxPageLimit = 100

/** How long the states of expectations of a repository are cached, in milliseconds. Each time, the database is read. */
const statesMaxAgeMs = 1_000

/** Implements `contract.history`. */
export function makeHistoryRoutes(context: MetadataContext) {
  return implement(contract.history, {
    commits: async ({ params, query, request, reply }) =>
      answerAtRef(context, params, request, (at) => answerCommits(context, { params, query, request, reply }, at)),
    repository: async ({ params, request, reply }) => {
      const repository = await findServedRepository(context, params)
      const { state, isCurrent } = await readCurrentState(context, params, repository)
      const until = context.timing.elapsed() + statesMaxAgeMs
      const summary = await summarize(context, params, { repository, state }, request, makeRequestSignal(request))
      const isSummaryCurrent = () => isCurrent() && context.timing.elapsed() < until
      return answerTagged({ request, reply }, { context, isCurrent: isSummaryCurrent }, summary)
    },
    operations: async ({ params, query, request, reply }) => {
      const repository = await findServedRepository(context, params)
      const { state, isCurrent } = await readCurrentState(context, params, repository)
      const isPage = prefersHtml(request)
      const limit = query.limit ?? defaultLimit
      const page = await readOperations(repository, state, {
        limit: isPage ? Math.min(limit, maxPageLimit) : limit,
        before: parseCursor(query.before),
        signal: makeRequestSignal(request),
      })
      if (!isPage) return answerJson<OperationsPage>({ request, reply }, { context, isCurrent }, page)
      const markup = buildOperationsPage(context, params, page, query.before === undefined)
      return answerTagged({ request, reply }, { context, isCurrent, format: 'html' }, encodePage(markup))
    },
  })
}

type CommitsCall = RequestAndReply & {
  readonly params: ServedNames & { readonly ref: string }
  readonly query: HistoryQuery & {
    readonly limit?: number | undefined
    readonly path?: string | undefined
    readonly format?: 'json' | 'atom' | undefined
  }
  readonly request: { readonly raw: IncomingMessage }
}

/** Answers with a part of the history of a ref: a page for browsers, a feed if it is asked for, JSON otherwise. */
async function answerCommits(
  context: MetadataContext,
  { params, query, ...call }: CommitsCall,
  { repository, resolved, isCurrent: isAtRef }: RefOfRepository,
) {
  const { snapshotId } = resolved
  const { before: _, format: asked, ...selection } = query
  const { path } = selection
  const signal = makeRequestSignal(call.request)
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  const format = asked ?? (prefersHtml(call.request) ? 'html' : 'json')
  const limit = query.limit ?? defaultLimit
  const largest =
    path === undefined ? (format === 'json' ? limit : maxPageLimit) : maxExaminedCommits[state.formatVersion]
  const read = await readPart(state, snapshotId, query, {
    limit: Math.min(limit, largest),
    cached: context.commitCache.openCommits(repository),
    signal,
  })
  const kept =
    path === undefined
      ? undefined
      : await keepChanges(context, { org: params.org, repository, path }, read.history, signal)
  const part = { ...read, ...kept, selection }
  if (format === 'html') {
    const shown = { repository, state, ref: showRef(resolved), asOf: showChoice(resolved), ...part }
    const page = await buildHistoryPage(context, params, shown, signal)
    return answerTagged(call, { context, format, resolved }, encodePage(page))
  }
  const isUnchanged = makeIsHistoryUnchanged(repository, state, context.timing.elapsed)
  const isCurrent = kept?.isWhole === false ? undefined : () => isAtRef() && isUnchanged()
  const sending = { context, format, resolved, isCurrent }
  if (format === 'json') {
    const tagged = { ...sending, tag: makeTag(part) }
    return answerUnchanged(call, tagged) ?? answerWith(call, tagged, await writeHistory(part, signal))
  }
  const links = buildPageLinks(context.baseUrl(), params.deployment, params.org, context.assetsRoot)
  const tagged = { ...sending, tag: makeTag(part, links.home) }
  return answerUnchanged(call, tagged) ?? answerWith(call, tagged, await writeFeed(params, part, links, signal))
}

/** Reads the state of a repository. `isCurrent` returns true until the state changes. */
async function readCurrentState(
  context: MetadataContext,
  names: ServedNames,
  repository: Repository,
): Promise<{ readonly state: RepositoryState; readonly isCurrent: () => boolean }> {
  const state = await context.cachedRefs.readState(repository)
  const read = new WeakRef(state)
  const isCurrent = makeIsAnswerCurrent(context, names, repository, (current) =>
    context.cachedRefs.isCached(current, read.deref()),
  )
  return { state, isCurrent }
}

/**
 * Makes the function that checks whether a history is unchanged since a state. An expiration of snapshots shortens it,
 * although the ref points to the same snapshot.
 */
function makeIsHistoryUnchanged(repository: Repository, state: RepositoryState, elapsed: Stopwatch): () => boolean {
  if (state.formatVersion === 1) {
    const until = elapsed() + commitMaxAgeMs
    return () => elapsed() < until
  }
  return makeIsStateUnchanged(repository, state)
}

/** A part of a history, or of that of a path. */
type AnsweredPart = { readonly history: History } & Partial<Pick<KeptHistory, 'changes'>> & {
    readonly selection: HistorySelection
  }

async function writeHistory({ history, changes }: AnsweredPart, signal: AbortSignal): Promise<JsonBytes<HistoryPage>> {
  const slices = new Slices(signal)
  // Reading the commits may have filled a slice.
  await slices.next()
  return new JsonWriter().writeInSlices<HistoryPage>(describeHistory(history, changes), slices)
}

/** @param links absolute */
async function writeFeed(
  { org, repo, ref }: { readonly org: string; readonly repo: string; readonly ref: string },
  { history: { commits, next, missing }, selection }: AnsweredPart,
  links: PageLinks,
  signal: AbortSignal,
): Promise<Page> {
  const shown = commits.map(({ metadata, parentId, ...commit }) => ({
    ...commit,
    // Nothing can be compared with a snapshot that no longer exists.
    parentId: parentId === missing ? null : parentId,
    author: readAuthorId(metadata),
  }))
  const slices = new Slices(signal)
  await slices.next()
  return encodePage(await historyFeed({ org, repository: repo, ref, selection, commits: shown, next }, links, slices))
}

/**
 * Makes the entity tag from the ids, because commits never change, and from what they did to a path.
 *
 * @param home the address on which the links of a feed are built; undefined for JSON
 */
function makeTag(
  { history: { commits, next, untilFound, missing }, changes, selection: { path } }: AnsweredPart,
  home?: string,
): string {
  const ids = commits.map(({ id }) => id)
  const parent = commits.at(-1)?.parentId ?? null
  const ofPath = path === undefined ? [] : [path, ids.map((id) => changes?.get(id))]
  const parts = [ids, parent, next, untilFound, missing, home, ...ofPath]
  return makeEntityTag('history', JSON.stringify(parts))
}

/**
 * Describes a part of a history in the form of the contract.
 *
 * @param changes what the commits did to a path; undefined for a history of all commits
 */
export function describeHistory(
  { commits, next, untilFound, missing }: History,
  changes?: KeptHistory['changes'],
): Encodable<HistoryPage> {
  return {
    commits: commits.values().map((commit) => ({ ...describeCommit(commit), changes: changes?.get(commit.id) })),
    next,
    until_found: untilFound,
    missing_snapshot_id: missing,
  }
}

function describeCommit({
  id,
  parentId,
  message,
  writtenAt,
  metadata,
}: Commit): Encodable<Omit<HistoryPage['commits'][number], 'changes'>> {
  return {
    snapshot_id: id,
    parent_snapshot_id: parentId,
    commit_message: message,
    written_at: writtenAt.toISOString(),
    author_id: readAuthorId(metadata),
    metadata,
  }
}
