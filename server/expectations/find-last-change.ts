// Searches the history of a branch for the last commit that changed a path that an expectation names.
import type { Commit, SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes } from '@floe/storage/json'
import { passingProblems, toReadingProblem } from '../problems/reading-problem.ts'
import { maxExaminedCommits } from '../reading/questions/question.ts'
import type { Reading } from './kind.ts'

/** Longest time to read the history of a branch and to search it, in milliseconds. */
const searchLimitMs = 10_000

/** Where a search begins and ends. */
type Search = {
  readonly path: string
  readonly headId: SnapshotId
  /** Undefined if it ends nowhere before the limit. */
  readonly sinceId: SnapshotId | undefined
}

/**
 * What was found: the last commit that changed the path, or no such commit. Then the last change is not later than the
 * oldest commit that was searched, from which the age counts, or no commit after `sinceId` counts (`unchanged`).
 */
type FoundChange = { readonly lastCommitAt: Date | null; readonly countsFrom: Date } | 'unchanged'

/**
 * Finds the last commit that counts.
 *
 * @returns undefined if the history could not be read in time; the next check tries again
 * @throws the reason of the signal
 */
export async function findLastChange(reading: Reading, search: Search): Promise<FoundChange | undefined> {
  const { timing, signal } = reading
  const limit = new AbortController()
  const limited = AbortSignal.any([signal, limit.signal])
  const cancelLimit = timing.after(searchLimitMs, () => limit.abort(new Error('the search took too long')))
  try {
    const found = await searchBranch({ ...reading, signal: limited }, search)
    signal.throwIfAborted()
    return found
  } catch (error) {
    signal.throwIfAborted()
    if (!limited.aborted && toReadingProblem(error) === undefined) throw error
    return undefined
  } finally {
    cancelLimit()
  }
}

/** @throws the reason of the signal if it aborts before the history is read. Later, it only ends the search. */
async function searchBranch(reading: Reading, search: Search): Promise<FoundChange> {
  const { entry, signal } = reading
  const state = await entry.repository.readState(signal)
  const limits = { limit: maxExaminedCommits[state.formatVersion], until: search.sinceId, signal }
  const { commits, untilFound } = await state.readHistory(search.headId, limits)
  signal.throwIfAborted()
  let oldest = clampTime(commits[0], reading)
  for (const commit of commits) {
    const isChanged = await changes(reading, commit, search.path)
    if (isChanged === undefined) break
    oldest = clampTime(commit, reading)
    if (isChanged) return { lastCommitAt: oldest, countsFrom: oldest }
  }
  return untilFound === true && !signal.aborted ? 'unchanged' : { lastCommitAt: null, countsFrom: oldest }
}

/** A clock of a writer can be ahead. */
function clampTime(commit: Commit | undefined, { timing }: Pick<Reading, 'timing'>): Date {
  return new Date(Math.min(commit?.writtenAt.getTime() ?? Infinity, timing.now()))
}

/** Whether a commit changed the path; undefined when the time is over. */
async function changes(
  { readers, entry, signal }: Reading,
  { id, parentId }: Commit,
  path: string,
): Promise<boolean | undefined> {
  if (signal.aborted) return undefined
  // The first snapshot of a repository is empty.
  if (parentId === null) return false
  const { org, repository } = entry
  try {
    const question = { kind: 'changed-paths' as const, from: parentId, filters: [[path]] }
    const { matches } = readJsonBytes(await readers.ask({ org, repository }, id, question, signal))
    return matches[0] ?? true
  } catch (error) {
    if (signal.aborted) return undefined
    const problem = toReadingProblem(error)
    if (problem === undefined || passingProblems.has(problem.code)) throw error
    // A commit whose changes are unknown counts, as receivers with any filter get it.
    return true
  }
}
