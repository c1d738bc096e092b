// Reads a part of a history with the branches beside it, for pages.
import { type History, type Refs, type Repository, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'
import { showCommit } from '../../reading/page-facts.ts'
import type { GraphCommit, RefLabel } from '../../pages/commits/commit-graph.ts'
import { historyPage, type HistoryPageData, type ShownHistory } from '../../pages/commits/history-page.ts'
import { type ListMarks, makeListMarks } from '../checks/list-marks.ts'
import { makeFindNaming } from '../../remarks/known-remarks.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'
import { readCalendar } from './read-calendar.ts'
import type { KeptHistory } from './keep-changes.ts'
import type { ReadPart } from './read-part.ts'
import { findSideBranches, type SideBranchLimits } from './find-side-branches.ts'
import type { CommitCache } from './commit-cache.ts'
import type { ServedNames } from '../../catalog/served-catalog.ts'

/** Maximum memory of the commits of side branches, in bytes. */
const maxBytes = 2 * 1024 * 1024

/** In version 1 each commit costs a read of the object store, unless it is cached. */
const limitsByVersion: Readonly<Record<1 | 2, SideBranchLimits>> = {
  1: { maxRefs: 20, maxCommits: 10, maxReads: 30, maxBytes },
  2: { maxRefs: 100, maxCommits: 30, maxReads: 200, maxBytes },
}

/** A part of the history of a ref. */
type PartOfRef = ReadPart &
  Partial<Pick<KeptHistory, 'changes'>> & {
    readonly ref: ShownHistory['ref']
    readonly selection: ShownHistory['selection']
  }

/** The sources of the page of a history. */
export type HistorySources = {
  readonly repository: Repository
  readonly state: RepositoryState
  readonly refs: Refs
  readonly commitCache: CommitCache
  readonly listMarks: ListMarks
  readonly findNaming: ReturnType<typeof makeFindNaming>
}

/**
 * Shows a part of the history of a ref, with the branches that branch off it. Throws as `RepositoryState.readCommit`.
 *
 * @param limits of the search for these branches; null for a history without them
 */
export async function showHistory(
  { repository, state, refs, commitCache, listMarks, findNaming }: HistorySources,
  { ref, selection, history, changes, before, isFromHead }: PartOfRef,
  signal: AbortSignal,
  limits: SideBranchLimits | null = limitsByVersion[state.formatVersion],
): Promise<ShownHistory> {
  const { commits, next, missing } = history
  const reader = commitCache.openReader(repository, state)
  const { branches, elsewhere } =
    limits === null
      ? { branches: [], elsewhere: [] }
      : await findSideBranches(refs, { commits, before }, reader, limits, signal)
  const shown = new Set([commits, ...branches].flatMap((list) => list.map(({ id }) => id)))
  const [marks, remarksOf] = await Promise.all([listMarks([...shown]), findNaming([...shown])])
  const labels = await listLabels(refs, shown, new Slices(signal))
  const show = (commit: History['commits'][number]): GraphCommit => ({
    ...showCommit(commit),
    parentId: commit.parentId,
    refs: labels.get(commit.id) ?? [],
    changes: changes?.get(commit.id),
    marks: marks.get(commit.id),
    remarks: remarksOf(commit.id),
  })
  return {
    ref,
    selection,
    commits: commits.map(show),
    sides: branches.map((side) => ({ commits: side.map(show) })),
    notDrawn: elsewhere.filter((name) => name !== ref.name),
    isFromHead,
    next,
    missing,
  }
}

/** The branches and tags that point to each of the commits. */
async function listLabels(
  { branches, tags }: Refs,
  shown: ReadonlySet<SnapshotId>,
  slices: Slices,
): Promise<Map<SnapshotId, RefLabel[]>> {
  const labels = new Map<SnapshotId, RefLabel[]>()
  const add = async (kind: RefLabel['kind'], refs: ReadonlyMap<string, SnapshotId>) => {
    for (const [name, id] of refs) {
      if (slices.isOver) await slices.next()
      if (shown.has(id)) labels.set(id, [...(labels.get(id) ?? []), { kind, name }])
    }
  }
  await add('branch', branches)
  await add('tag', tags)
  return labels
}

/** The head of a branch, if a part of its history begins there and leaves out no commits. */
function findWholeHead({ ref, selection, history, isFromHead }: PartOfRef, asOf: HistoryPageData['asOf']) {
  const { path, since, until } = selection
  const isWhole = isFromHead && [path, since, until].every((bound) => bound === undefined)
  return isWhole && ref.kind === 'branch' && asOf === null ? history.commits[0]?.id : undefined
}

/** Opens the sources of the page of a history. */
export async function openHistorySources(
  context: MetadataContext,
  address: ServedNames,
  read: Pick<HistorySources, 'repository' | 'state'>,
): Promise<HistorySources> {
  return {
    ...read,
    refs: await context.cachedRefs.readRefs(read.repository),
    commitCache: context.commitCache,
    listMarks: makeListMarks(context, address),
    findNaming: makeFindNaming(context, address),
  }
}

/** Builds the page of a part of a history as an HTML document. Throws as {@link showHistory}. */
export async function buildHistoryPage(
  context: MetadataContext,
  address: ServedNames,
  {
    repository,
    state,
    asOf,
    ...part
  }: PartOfRef & Pick<HistorySources, 'repository' | 'state'> & Pick<HistoryPageData, 'asOf'>,
  signal: AbortSignal,
): Promise<string> {
  const sources = await openHistorySources(context, address, { repository, state })
  // Branches leave the history at commits that a history of a path may not list.
  const history = await showHistory(sources, part, signal, part.selection.path === undefined ? undefined : null)
  const head = findWholeHead(part, asOf)
  const subject = { repository, state, branch: part.ref.name }
  const calendar = head === undefined ? null : await readCalendar(context, address, { ...subject, head }, signal)
  const data = { deployment: showDeployment(context, address), repository: address.repo, asOf, history, calendar }
  return historyPage(data, context.buildLinks(address.deployment, address.org))
}
