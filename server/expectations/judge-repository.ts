// Judges the branches of a repository that its expectations match: first by what is recorded, then those that must be
// read.
import {
  type ExpectedBranch,
  findTellTime,
  type JudgedBranch,
  type Judgement,
  listDueTimes,
  listExpectedBranches,
  recordJudgements,
  type RecordedRepository,
} from '@floe/storage/database'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import { temporaryProblems, toReadingProblem } from '../problems/reading-problem.ts'
import { TaskTimeoutProblem } from '../reading/threads/reader.ts'
import { describeExpectation } from './describe-event.ts'
import type { BranchToJudge, Found, Kind, Reading } from './kind.ts'
import { findKind } from './kinds.ts'

export type JudgeParts = Pick<Reading, 'db' | 'readers' | 'timing'> & {
  /** Called when an event was recorded. */
  readonly onEvent: () => void
}

/** A branch that is judged by reading. */
export type UnreadBranch = {
  /** Tells it from the other branches and expectations of the repository. */
  readonly key: string
  readonly from: ExpectedBranch
  readonly read: (reading: Reading) => Promise<Judgement>
  /** Whether it is read after the others, whose verdicts decide about it. */
  readonly isLast: boolean
}

type Judged = {
  /** Whether the next check need not judge again unless something has changed. */
  readonly isComplete: boolean
  /** When it must be judged again in any case, in milliseconds since 1970; undefined if that is not known. */
  readonly nextDueAt: number | undefined
}

/**
 * Judges the branches for which the records are enough, and records each change of state with one event. A branch whose
 * grace or period of reminders is over needs no other judgement.
 *
 * @param startedAt when a check that has succeeded began, by the clock of the database
 * @returns also the branches that must be read
 */
export async function judgeRecorded(
  parts: JudgeParts,
  entry: CatalogEntry,
  startedAt: number,
): Promise<Judged & { readonly unread: readonly UnreadBranch[] }> {
  const judged: JudgedBranch[] = []
  const unread: UnreadBranch[] = []
  const due: number[] = []
  const branches = await listExpectedBranches(parts.db, nameRepository(entry))
  for (const from of branches) {
    const { expectation, branch, state } = from
    const found = judge(from, startedAt)
    if (typeof found === 'object') judged.push({ from, judgement: found, isAboutHead: isAboutHead(from) })
    else if (isToBeTold(from, startedAt)) {
      judged.push({ from, judgement: { verdict: 'unchanged' } })
      // It is read when this is recorded.
      if (found !== undefined) due.push(startedAt)
    } else if (found !== undefined) {
      const isLast = findKind(expectation.kind).asks === 'verdicts'
      unread.push({ key: `${expectation.id} ${branch}`, from, read: found, isLast })
    } else if (state !== null) due.push(...listDueTimes(expectation, state))
  }
  const recorded = await record(parts, entry, judged, startedAt, branches)
  if (recorded.nextDueAt !== undefined) due.push(recorded.nextDueAt)
  return { isComplete: recorded.isComplete, nextDueAt: due.length === 0 ? undefined : Math.min(...due), unread }
}

/** Judges a branch by reading, and records a change of its state with an event. */
export async function judgeUnread(
  parts: JudgeParts,
  entry: CatalogEntry,
  { from, read }: UnreadBranch,
  signal: AbortSignal,
): Promise<Judged> {
  const judgement = await read({ ...parts, entry, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    return explainUnread(error, from.state?.reason ?? null)
  })
  const words = describeJudgement(from, judgement)
  return record(parts, entry, [{ from, judgement, isAboutHead: isAboutHead(from), words }], parts.timing.now())
}

/** What people read of a head that does not meet an expectation. */
function describeJudgement({ expectation }: ExpectedBranch, judgement: Judgement): string | undefined {
  if (judgement.verdict !== 'unmet') return undefined
  const { kind, alias, settings } = expectation
  const { facts, reason = null } = judgement
  const found = { alias, settings, facts, reason } as Found<typeof kind> // as in `findKind`
  return findKind(kind).words.state(found, 'unmet', 0)
}

/** Returns why a branch could not be read. Throws errors that are no problems of reading. */
function explainUnread(error: unknown, lastReason: string | null): Judgement {
  const problem = toReadingProblem(error)
  if (problem === undefined) throw error
  const { code, message: reason } = problem
  // A snapshot that takes too long twice would hold a thread at each check.
  const isTooSlow = problem instanceof TaskTimeoutProblem && lastReason === reason
  return { verdict: 'unknown', reason, mayPass: temporaryProblems.has(code) && !isTooSlow }
}

/** Judges a branch by what is recorded. Returns undefined if there is nothing new to judge. */
function judge(from: ExpectedBranch, startedAt: number): ReturnType<Kind['judge']> | undefined {
  const { expectation, head, state } = from
  const { kind, settings } = expectation
  const isJudged = state?.version === expectation.version && state.headId === (head?.snapshotId ?? '')
  if (isJudged && isAboutHead(from)) return undefined
  const toJudge = { ...from, settings, checkedAt: new Date(startedAt) }
  return findKind(kind).judge(toJudge as BranchToJudge<typeof kind>) // as in `findKind`
}

/** Whether a judgement depends on the head alone. */
function isAboutHead({ expectation }: ExpectedBranch): boolean {
  return findKind(expectation.kind).asks === 'head'
}

/**
 * Whether the grace of a branch that fails is over, or a period of reminders, which is not recorded yet. After a change
 * of the expectation, the branch may not fail it any more.
 */
function isToBeTold({ expectation, state }: ExpectedBranch, now: number): boolean {
  if (state?.version !== expectation.version) return false
  const tellAt = findTellTime(expectation, state)
  return tellAt !== null && tellAt.getTime() <= now
}

async function record(
  { db, onEvent, timing }: JudgeParts,
  entry: CatalogEntry,
  judged: readonly JudgedBranch[],
  checkedAt: number,
  branches?: readonly ExpectedBranch[],
): Promise<Judged> {
  if (judged.length === 0) return { isComplete: true, nextDueAt: undefined }
  const repository = nameRepository(entry)
  const moment = { checkedAt: new Date(checkedAt), now: new Date(timing.now()), branches }
  const recorded = await recordJudgements(db, repository, judged, describeExpectation, moment)
  if (recorded.hasEvents) onEvent()
  return { isComplete: recorded.isCurrent, nextDueAt: recorded.nextDueAt?.getTime() }
}

function nameRepository({ id, org, name }: CatalogEntry): RecordedRepository {
  return { id, org, name }
}
