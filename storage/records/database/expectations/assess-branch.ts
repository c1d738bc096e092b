// The states of a branch, and how judgements change them.
import { makeStorable } from '../../../storable-text.ts'
import type { BranchState, Expectation, ExpectedBranch, Judgement } from './expectation.ts'

/** When a check began, which says what is due, and the time of the events that it causes. */
export type AssessedMoment = { readonly checkedAt: Date; readonly now: Date }

/** Returns what is known about a branch after a judgement; null if it is forgotten. */
export function assessBranch(from: ExpectedBranch, judgement: Judgement, moment: AssessedMoment): BranchState | null {
  const { expectation, head, state } = from
  const { checkedAt } = moment
  if (judgement.verdict === 'gone') return null
  if (judgement.verdict === 'unchanged') return state && tell(state, from, moment)
  const judged = { version: expectation.version, headId: head?.snapshotId ?? '' }
  const { verdict = null, failingSince = null, unmetSince = null, toldAt = null } = state ?? {}
  const before = { verdict, failingSince, unmetSince, toldAt }
  if (judgement.verdict === 'undecided') {
    const { facts, dueAt } = judgement
    return tell({ ...judged, ...before, facts, reason: null, dueAt }, from, moment)
  }
  if (judgement.verdict === 'unknown') {
    const { facts = null, dueAt = null } = state ?? {}
    const known = { ...before, facts, reason: makeStorable(judgement.reason) }
    // What was due cannot be judged any more before something changes.
    const due = { dueAt: dueAt !== null && dueAt > checkedAt ? dueAt : null }
    // The facts are still about these.
    const about = { version: state?.version ?? expectation.version, headId: state?.headId ?? '' }
    return tell({ ...(judgement.mayPass ? about : judged), ...known, ...due }, from, moment)
  }
  const { facts, reason, since, dueAt = null } = judgement
  const found = { ...judged, facts, reason: reason === undefined ? null : makeStorable(reason) }
  if (judgement.verdict === 'met')
    return { ...found, verdict: 'met', failingSince: null, unmetSince: null, toldAt: null, dueAt }
  return tell({ ...found, ...before, failingSince: failingSince ?? since ?? checkedAt, dueAt: null }, from, moment)
}

/**
 * Tells a failure for which the grace is over, and tells it again after each period of reminders. Before the end of the
 * grace, it is due then, and the verdict stays the earlier one.
 */
function tell(state: BranchState, { expectation }: ExpectedBranch, { checkedAt, now }: AssessedMoment): BranchState {
  const { failingSince, unmetSince, dueAt } = state
  const tellAt = findTellTime(expectation, state)
  if (tellAt === null) return state
  if (tellAt > checkedAt) return unmetSince === null ? { ...state, dueAt: tellAt } : state
  const told = { ...state, verdict: 'unmet', unmetSince: failingSince, toldAt: now } as const
  return { ...told, dueAt: unmetSince === null ? null : dueAt }
}

/** When an event tells that a branch fails: at the end of the grace, or of a period of reminders; null if never. */
export function findTellTime({ withinMs, remindMs }: Expectation, { failingSince, toldAt }: BranchState): Date | null {
  const [from, ms] = toldAt === null ? [failingSince, withinMs ?? 0] : [toldAt, remindMs]
  return from === null || ms === null ? null : new Date(from.getTime() + ms)
}

/** Lists when a branch must be judged or told although nothing has changed, in milliseconds since 1970. */
export function listDueTimes(expectation: Expectation, state: BranchState): readonly number[] {
  return [state.dueAt, findTellTime(expectation, state)].flatMap((time) => time?.getTime() ?? [])
}

/**
 * Whether a judgement says that a branch meets its expectation until a time since which the branch is known to fail it:
 * the check of the judgement began before that of the state.
 */
export function isOvertaken({ state }: ExpectedBranch, judgement: Judgement): boolean {
  if (judgement.verdict !== 'met' || judgement.dueAt === undefined) return false
  const failingSince = state?.failingSince ?? null
  return failingSince !== null && judgement.dueAt <= failingSince
}
