// Searches the history of branches for the last commit that changed a path that an expectation names.
import type { ExpectationState, FoundChange } from '@floe/storage/database'
import { type Commit, parseSnapshotId, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import { readWritten } from '@floe/storage/json'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import { passingProblems, toReadingProblem } from '../../../problems/reading-problem.ts'
import { maxExaminedCommits } from '../../../reading/questions/question.ts'
import type { CheckParts } from '../checks/check-parts.ts'

type SearchParts = Pick<CheckParts, 'readers' | 'timing'>

/** Longest time to read the history of a repository and to search all its branches, in milliseconds. */
const searchLimitMs = 10_000

/** An expectation with a path, and where its search begins and ends. */
type Search = {
  readonly id: string
  readonly path: string
  readonly headId: SnapshotId
  /** Empty if it ends nowhere before the limit. */
  readonly sinceId: string
}

/** What was found, by the ids of expectations. `isComplete`: all branches were read in time. */
type FoundChanges = { readonly found: ReadonlyMap<string, FoundChange>; readonly isComplete: boolean }

/**
 * Finds what counts for the expectations with a path whose branch has moved. If none of the searched commits changed
 * the path, its last change is not later than the oldest of them, from which the age then counts.
 *
 * @throws the reason of the signal
 */
export async function findLastChanges(
  parts: SearchParts,
  entry: CatalogEntry,
  expectations: readonly ExpectationState[],
  signal: AbortSignal,
): Promise<FoundChanges> {
  const searches = expectations.flatMap(({ id, path, head, freshness }): Search[] => {
    const headId = parseSnapshotId(head?.snapshotId ?? '')
    const sinceId = freshness?.headId ?? ''
    return path === null || headId === undefined || headId === sinceId ? [] : [{ id, path, headId, sinceId }]
  })
  const found = new Map<string, FoundChange>()
  if (searches.length === 0) return { found, isComplete: true }
  const limit = new AbortController()
  const limited = AbortSignal.any([signal, limit.signal])
  const cancelLimit = parts.timing.after(searchLimitMs, () => limit.abort(new Error('the search took too long')))
  try {
    const state = await entry.repository.readState(limited)
    for (const ofBranch of Map.groupBy(searches, ({ headId }) => headId).values())
      await searchBranch(parts, { entry, state, searches: ofBranch, found }, limited)
    signal.throwIfAborted()
    return { found, isComplete: true }
  } catch (error) {
    signal.throwIfAborted()
    if (!limited.aborted && toReadingProblem(error) === undefined) throw error
    // The head itself was read; the next check tries again to read what lies behind it.
    return { found, isComplete: false }
  } finally {
    cancelLimit()
  }
}

type BranchSearch = {
  readonly entry: CatalogEntry
  readonly state: RepositoryState
  /** They begin at the same head. */
  readonly searches: readonly Search[]
  /** Gets what is found. */
  readonly found: Map<string, FoundChange>
}

/** @throws the reason of the signal if it aborts before the history is read. Later, it only ends the search. */
async function searchBranch(
  parts: SearchParts,
  { entry, state, searches, found }: BranchSearch,
  limited: AbortSignal,
): Promise<void> {
  const { history, isWhole } = await readHistory(state, searches, limited)
  limited.throwIfAborted()
  const open = new Set(searches)
  const close = (search: Search, change: FoundChange['change']) => {
    open.delete(search)
    found.set(search.id, { headId: search.headId, sinceId: search.sinceId, change })
  }
  let oldest = clampTime(history[0], parts)
  for (const commit of history) {
    for (const search of open) if (search.sinceId === commit.id) close(search, 'unchanged')
    if (open.size === 0 || limited.aborted) break
    const changed = await findChanged(parts, entry, { commit, searches: [...open] }, limited)
    if (changed === undefined) break
    oldest = clampTime(commit, parts)
    for (const search of changed) close(search, { lastCommitAt: oldest, countsFrom: oldest })
  }
  for (const search of open)
    close(search, isWhole && !limited.aborted ? 'unchanged' : { lastCommitAt: null, countsFrom: oldest })
}

/** Reads the commits to search, newest first. `isWhole`: they are all commits since the common end of the searches. */
async function readHistory(
  state: RepositoryState,
  searches: readonly Search[],
  signal: AbortSignal,
): Promise<{ readonly history: readonly Commit[]; readonly isWhole: boolean }> {
  const [first] = searches
  if (first === undefined) return { history: [], isWhole: true }
  const isCommon = searches.every(({ sinceId }) => sinceId === first.sinceId)
  const until = isCommon ? parseSnapshotId(first.sinceId) : undefined
  const limit = maxExaminedCommits[state.formatVersion]
  const { commits, untilFound } = await state.readHistory(first.headId, { limit, until, signal })
  return { history: commits, isWhole: untilFound === true }
}

/** A clock of a writer can be ahead. */
function clampTime(commit: Commit | undefined, { timing }: Pick<SearchParts, 'timing'>): Date {
  return new Date(Math.min(commit?.writtenAt.getTime() ?? Infinity, timing.now()))
}

/** Finds the searches whose path a commit changed; undefined when the time is over. */
async function findChanged(
  { readers }: Pick<SearchParts, 'readers'>,
  { org, repository }: CatalogEntry,
  { commit, searches }: { readonly commit: Commit; readonly searches: readonly Search[] },
  limited: AbortSignal,
): Promise<readonly Search[] | undefined> {
  const { id, parentId } = commit
  // The first snapshot of a repository is empty.
  if (parentId === null) return []
  const filters = searches.map(({ path }) => [path])
  try {
    const question = { kind: 'changed-paths' as const, from: parentId, filters }
    const { matches } = readWritten(await readers.ask({ org, repository }, id, question, limited))
    return searches.filter((_, index) => matches[index] ?? true)
  } catch (error) {
    if (limited.aborted) return undefined
    const problem = toReadingProblem(error)
    if (problem === undefined || passingProblems.has(problem.code)) throw error
    // A commit whose changes are unknown counts, as receivers with any filter get it.
    return searches
  }
}
