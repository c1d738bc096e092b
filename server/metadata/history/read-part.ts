// Reads the part of a history for which a query asks.
import {
  type History,
  parseSnapshotId,
  parseTime,
  type RepositoryState,
  type SnapshotId,
  timeForms,
  type TimeSpan,
} from '@floe/storage/icechunk'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'

/** The query of a history, as the contract has it. */
export type HistoryQuery = {
  readonly before?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

type ReadOptions = Omit<Parameters<RepositoryState['readHistory']>[1], 'before' | 'since' | 'until'>

/** A part of a history. */
export type ReadPart = {
  readonly history: History
  /** The part begins with the parent of this commit, if there is one. */
  readonly before: SnapshotId | undefined
  readonly isFromHead: boolean
}

/**
 * Reads a part of the history of `head`. Throws what reading it throws.
 *
 * @throws RequestProblem `invalid-request` for a malformed time
 */
export async function readPart(
  state: RepositoryState,
  head: SnapshotId,
  query: HistoryQuery,
  options: ReadOptions,
): Promise<ReadPart> {
  const before = parseId(query.before)
  const until = parseId(query.until)
  const latest = until === undefined ? parseQueryTime('until', query.until) : undefined
  const since = parseQueryTime('since', query.since)
  // A later page needs no search: its `before` comes from an earlier page, which already began at the time.
  const isInside = latest === undefined || before !== undefined
  const start = isInside ? undefined : await state.findAtTime(head, latest.last, options)
  if (start?.kind === 'too-early') {
    return { before, history: { commits: [], next: null, untilFound: null, missing: null }, isFromHead: false }
  }
  const first = start?.snapshotId ?? head
  const history = await state.readHistory(first, { ...options, before, until, since: since?.first })
  return { before, history, isFromHead: before === undefined && first === head }
}

/** Parses an id; undefined for another text. */
function parseId(text: string | undefined): SnapshotId | undefined {
  return text === undefined ? undefined : parseSnapshotId(text)
}

function parseQueryTime(name: 'since' | 'until', text: string | undefined): TimeSpan | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time !== undefined) return time
  const forms = name === 'until' ? `a snapshot id, ${timeForms}` : timeForms
  const message = `must be ${forms}; in a query, + is written as %2B`
  throw explainInvalidRequest([{ pointer: `/query/${name}`, message }])
}
