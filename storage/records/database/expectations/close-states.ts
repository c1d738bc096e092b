// Closes states of expectations that end, or that no longer cover a branch.
import { isDeepStrictEqual } from 'node:util'
import { matchesSome } from '../../../globs.ts'
import { lockRepositories } from '../events/record-notice.ts'
import type { Database } from '../open-database.ts'
import type { Expectation, ExpectationStateChange, GoodMove } from './expectation.ts'
import { coversName } from './read-expectations.ts'
import { findGoodMove } from './record-changes.ts'
import { deleteStates, stateColumns, toState } from './stored-states.ts'

/** Which states end. */
export type Closing = {
  readonly expectation: Expectation
  readonly reason: string
  /** What it covers from now on: other states end. Undefined if it is deleted then, which forgets all. */
  readonly next?: Coverage
}

type Coverage = Pick<Expectation, 'branch' | 'repos'>

/** Which states end with another branch or other repositories. */
export function findUncovered(expectation: Expectation, { branch, repos }: Coverage): readonly Closing[] {
  const { branch: branchBefore, repos: reposBefore } = expectation
  if (isDeepStrictEqual([branch, repos], [branchBefore, reposBefore])) return []
  return [{ expectation, reason: 'The expectation no longer covers this branch', next: { branch, repos } }]
}

/**
 * Forgets states, and returns a change for each of those that were unmet or knew a good head, whose repositories it
 * locks in the order of their ids. Call it once in a transaction that has the expectations alone.
 */
export async function closeStates(
  tx: Database,
  closings: readonly Closing[],
): Promise<readonly (ExpectationStateChange | GoodMove)[]> {
  const changes: (ExpectationStateChange | GoodMove)[] = []
  for (const { expectation, reason, next } of closings) {
    const isClosed = ({ name, branch }: { readonly name: string; readonly branch: string }) =>
      next === undefined || !coversName(next, name) || !matchesSome([next.branch], branch)
    const told = await selectStates(tx, expectation)
      .select('expectation_states.branch')
      .select(stateColumns)
      .where(expectation.kind === 'good' ? 'facts' : 'unmet_since', 'is not', null)
      .execute()
    for (const row of told.filter(isClosed)) {
      const { repo_id: id, org, name, branch } = row
      const { unmetSince, ...state } = toState(row, expectation)
      const repository = { id, org, name }
      changes.push(...findGoodMove({ repository, expectation, branch }, state.facts, null, reason))
      if (unmetSince === null) continue
      const change = {
        name: 'ExpectationMet',
        repository,
        expectation,
        branch,
        since: unmetSince,
        isReminder: false,
      } as const
      changes.push({ ...change, state: { ...state, reason }, commit: null })
    }
    if (next === undefined) continue
    const rows = await selectStates(tx, expectation).select(['expectation_id', 'branch']).execute()
    await deleteStates(tx, rows.filter(isClosed))
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
