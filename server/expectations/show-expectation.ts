// Shows expectations in answers, as the contract declares them, and in words.
import { type Expectation as ShownExpectation, expectationKinds, type ExpectationState } from '@floe/contract'
import type { BranchState, Expectation, ListedBranch } from '@floe/storage/database'
import type { Encodable } from '@floe/storage/json'
import type { Found } from './kind.ts'
import { findKind } from './kinds.ts'

/**
 * Shows an expectation to administrators, with the first branches that match, also in words.
 */
export function showExpectation(
  expectation: Expectation,
  branches: readonly Pick<ListedBranch, 'repo' | 'branch' | 'state'>[],
  /** The number of all branches that do not meet it, who is told of them, and the time for ages in words. */
  { unmet, told, now }: { readonly unmet: number; readonly told: boolean; readonly now: number },
): Encodable<ShownExpectation> {
  const { id, isDeclared: declared, repos, createdAt, updatedAt } = expectation
  return {
    id,
    ...showExpected(expectation),
    declared,
    repos,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    unmet,
    told,
    states: branches.map(({ repo, branch, state }) => {
      const summary = describeState(showState(expectation, branch, state), now)
      return { repo, branch, ...showKnown(expectation, state), summary }
    }),
  } as Encodable<ShownExpectation> // settings and facts are those of its kind, as the schemas let them in
}

/** Shows an expectation of a branch to readers. */
export function showState(
  expectation: Expectation,
  branch: string,
  state: BranchState | null,
): Encodable<ExpectationState> {
  return {
    ...showExpected({ ...expectation, branch }),
    ...showKnown(expectation, state),
  } as Encodable<ExpectationState> // as above
}

function showExpected({ kind, branch, alias, severity, within, remind, settings }: Expectation) {
  return { kind, branch, alias, severity, within, remind, ...settings }
}

function showKnown({ withinMs }: Pick<Expectation, 'withinMs'>, state: BranchState | null) {
  return {
    state: state?.verdict ?? 'unknown',
    since: state?.unmetSince?.toISOString() ?? null,
    // Empty while the head could not be judged yet.
    snapshot_id: state?.headId || null,
    due_at: findDueAt(state, withinMs ?? 0)?.toISOString() ?? null,
    reason: state?.reason ?? null,
    facts: state?.facts ?? null,
  }
}

/** A branch that begins to fail with time is unmet when the grace is over too. */
function findDueAt(state: BranchState | null, withinMs: number): Date | null {
  if (!state?.dueAt || state.unmetSince) return null
  return state.failingSince === null ? new Date(state.dueAt.getTime() + withinMs) : state.dueAt
}

/** Describes a branch in a few words for pages, without its name: `updated 8 h ago, expected every 6 h: late`. */
export function describeState(shown: Encodable<ExpectationState>, now: number): string {
  const { kind, alias, state, facts, reason } = shown
  if (facts === null) {
    const name = `${expectationKinds[kind].title}${alias === null ? '' : ` ${alias}`}`
    return `${name}: ${reason ?? 'not judged yet'}`
  }
  const found = { alias, settings: shown, facts, reason } as Found<typeof kind> // the facts are those of its kind
  const words = findKind(kind).words.state(found, state, now)
  return reason === null ? words : `${words}; ${reason}`
}
