// The states of a branch, and how judgements change them.
import { makeStorable } from '../../../storable-text.ts'
import type { BranchState, ExpectedBranch, Judgement } from './expectation.ts'

/** Returns what is known about a branch after a judgement; null if it is forgotten. */
export function assessBranch(from: ExpectedBranch, judgement: Judgement, now: Date): BranchState | null {
  const { expectation, head, state } = from
  if (judgement.verdict === 'gone') return null
  if (judgement.verdict === 'unchanged') return state && endGrace(state, from, now)
  const judged = { version: expectation.version, headId: head?.snapshotId ?? '' }
  if (judgement.verdict === 'unknown') {
    const { verdict = null, failingSince = null, unmetSince = null, facts = null, dueAt = null } = state ?? {}
    const known = { verdict, failingSince, unmetSince, facts, reason: makeStorable(judgement.reason) }
    // What was due cannot be judged any more before something changes.
    const due = { dueAt: dueAt !== null && dueAt > now ? dueAt : null }
    // The facts are still about these.
    const before = { version: state?.version ?? expectation.version, headId: state?.headId ?? '' }
    return endGrace({ ...(judgement.mayPass ? before : judged), ...known, ...due }, from, now)
  }
  const { facts, reason, since, dueAt = null } = judgement
  const found = { ...judged, facts, reason: reason === undefined ? null : makeStorable(reason) }
  if (judgement.verdict === 'met') return { ...found, verdict: 'met', failingSince: null, unmetSince: null, dueAt }
  const { verdict = null, unmetSince = null } = state ?? {}
  const failingSince = state?.failingSince ?? since ?? now
  return endGrace({ ...found, verdict, failingSince, unmetSince, dueAt: null }, from, now)
}

/** Tells a failure for which the grace is over; otherwise it is due then, and the verdict stays the earlier one. */
function endGrace(state: BranchState, { expectation: { withinMs } }: ExpectedBranch, now: Date): BranchState {
  const { failingSince, unmetSince } = state
  if (failingSince === null || unmetSince !== null) return state
  const dueAt = new Date(failingSince.getTime() + (withinMs ?? 0))
  return dueAt <= now ? { ...state, verdict: 'unmet', unmetSince: failingSince, dueAt: null } : { ...state, dueAt }
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
