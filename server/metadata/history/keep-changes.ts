// Keeps those commits of a history that changed a path, with what they did to it.
import type { CommitChanges } from '@floe/contract'
import type { Commit, History, SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes, writeBody, type JsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { passingProblems, toReadingProblem } from '../../problems/reading-problem.ts'
import type { AskedRepository } from '../../reading/threads/reader-pool.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** A page ends after the commit at which this time is over, in milliseconds. The next page goes on behind it. */
const maxTimeMs = 3_000

/** A page ends after the commit whose changes exceed this size, in bytes. */
const maxPageBytes = 2 * 1024 * 1024

/** A history of a path. */
export type KeptHistory = {
  readonly history: History
  /** By the ids of its commits. */
  readonly changes: ReadonlyMap<SnapshotId, CommitChanges>
  /** Whether all commits were examined. If not, `next` of the history is the last one that was. */
  readonly isWhole: boolean
}

type Asked = AskedRepository & {
  /** A pattern. */
  readonly path: string
}

/**
 * Examines the commits of a history, newest first. Keeps those that changed a node whose path matches, and those whose
 * changes are unknown.
 *
 * @throws RequestProblem, ObjectStoreError if the first commit cannot be examined at present
 */
export async function keepChanges(
  { answers, timing }: Pick<MetadataContext, 'answers' | 'timing'>,
  asked: Asked,
  history: History,
  signal: AbortSignal,
): Promise<KeptHistory> {
  const changes = new Map<SnapshotId, CommitChanges>()
  const slices = new Slices(signal)
  const start = timing.elapsed()
  let bytes = 0
  let examined: Commit | undefined
  for (const commit of history.commits) {
    if (examined !== undefined && (timing.elapsed() - start > maxTimeMs || bytes > maxPageBytes)) break
    if (slices.isOver) await slices.next()
    try {
      const body = await readChanges(answers, asked, commit, signal)
      const found = readJsonBytes(body)
      if (found.count > 0 || found.unknown_reason !== null) {
        changes.set(commit.id, found)
        bytes += body.length
      }
      examined = commit
    } catch (error) {
      // What was examined is an answer. The next page says what is wrong, if it still is.
      if (examined === undefined || !isPassing(error)) throw error
      break
    }
  }
  const commits = history.commits.filter(({ id }) => changes.has(id))
  const isWhole = examined === history.commits.at(-1)
  const end = isWhole ? {} : { next: examined?.id ?? null, untilFound: null, missing: null }
  return { history: { ...history, ...end, commits }, changes, isWhole }
}

/** Asks what a commit changed. */
async function readChanges(
  answers: MetadataContext['answers'],
  { path, ...asked }: Asked,
  { id, parentId }: Commit,
  signal: AbortSignal,
): Promise<JsonBytes<CommitChanges>> {
  // The first snapshot of a repository is empty.
  if (parentId === null) return writeBody<CommitChanges>(noChanges)
  try {
    return await answers.ask(asked, id, { kind: 'commit-changes', from: parentId, path }, () => signal)
  } catch (error) {
    signal.throwIfAborted()
    if (toReadingProblem(error) === undefined || isPassing(error)) throw error
    return writeBody<CommitChanges>({ ...noChanges, unknown_reason: 'unreadable' })
  }
}

function isPassing(error: unknown): boolean {
  return passingProblems.has(toReadingProblem(error)?.code ?? '')
}

const noChanges: CommitChanges = { nodes: [], count: 0, unknown_reason: null }
