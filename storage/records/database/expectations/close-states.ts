// Closes states of expectations that end, that no longer cover a branch, or that get another severity.
import { isDeepStrictEqual } from 'node:util'
import { matchesSome } from '../../../globs.ts'
import { lockRepositories } from '../events/record-notice.ts'
import type { Database } from '../open-database.ts'
import type { Expectation, ExpectationStateChange, GoodMove } from './expectation.ts'
import { coversName } from './read-expectations.ts'
import { findGoodMove } from './record-changes.ts'
import { deleteStates, type SavedState, saveStates, stateColumns, toState } from './stored-states.ts'

/** Which states end. */
export type Closing = {
  readonly expectation: Expectation
  readonly reason: string
  /** The expectation from now on: states that do not fit it end. Undefined if it is deleted: then all states end. */
  readonly next?: NextExpectation
}

type NextExpectation = Pick<Expectation, 'branch' | 'repos' | 'severity'>

const otherSeverity = 'The expectation starts over with another severity'

/** Which states end with another branch, other repositories or another severity. */
export function findChanged(
  expectation: Expectation,
  { branch, repos, severity }: NextExpectation,
): readonly Closing[] {
  const before = [expectation.branch, expectation.repos, expectation.severity]
  if (isDeepStrictEqual([branch, repos, severity], before)) return []
  return [{ expectation, reason: 'The expectation no longer covers this branch', next: { branch, repos, severity } }]
}

/**
 * Forgets states, and returns a change for each of those that were unmet or knew a good head, whose repositories it
 * locks in the order of their ids. With another severity, what is unmet ends for those who were told of it, and is told
 * again with its next judgement; the rest of the state stays. Call it once in a transaction that has the expectations
 * alone.
 */
export async function closeStates(
  tx: Database,
  closings: readonly Closing[],
): Promise<readonly (ExpectationStateChange | GoodMove)[]> {
  const changes: (ExpectationStateChange | GoodMove)[] = []
  for (const { expectation, reason, next } of closings) {
    const isCovered = ({ name, branch }: { readonly name: string; readonly branch: string }) =>
      next !== undefined && coversName(next, name) && matchesSome([next.branch], branch)
    const isSame = next?.severity === expectation.severity
    const told = await selectStates(tx, expectation)
      .select(['expectation_id', 'expectation_states.branch'])
      .select(stateColumns)
      .where(expectation.kind === 'good' ? 'facts' : 'unmet_since', 'is not', null)
      .execute()
    const ended: SavedState[] = []
    for (const row of told) {
      const stays = isCovered(row)
      if (stays && isSame) continue
      const { repo_id: id, org, name, branch } = row
      const { unmetSince, ...state } = toState(row, expectation)
      const repository = { id, org, name }
      if (!stays) changes.push(...findGoodMove({ repository, expectation, branch }, state.facts, null, reason))
      if (unmetSince === null) continue
      const change = {
        name: 'ExpectationMet',
        repository,
        expectation,
        branch,
        since: unmetSince,
        isReminder: false,
      } as const
      changes.push({ ...change, state: { ...state, reason: stays ? otherSeverity : reason }, commit: null })
      if (stays) ended.push({ ...row, state: { ...state, verdict: null, unmetSince: null, toldAt: null } })
    }
    await saveStates(tx, ended)
    if (next === undefined) continue
    const rows = await selectStates(tx, expectation).select(['expectation_id', 'branch']).execute()
    await deleteStates(
      tx,
      rows.filter((row) => !isCovered(row)),
    )
  }
  await lockRepositories(tx, [...new Set(changes.map(({ repository }) => repository.id))])
  return changes
}

function selectStates(tx: Database, { id }: Expectation) {
  return tx
    .selectFrom('expectation_states')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['repo_id', 'org', 'name'])
    .where('expectation_id', '=', id)
    .orderBy('repo_id')
    .orderBy('branch')
}
