import { recordNextEvents } from '../events/record-events.ts'
import { lockName } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { DescribeExpectation, ExpectationStateChange, GoodMove, KindObject } from './expectation.ts'

/**
 * Locks the expectations of an organisation: judgements share them, and who changes one has them alone. Otherwise, a
 * judgement could tell a state of an expectation that is being deleted, and nothing would ever end it. Call it first in
 * a transaction, because repositories are locked after it.
 */
export async function lockExpectations(tx: Database, org: string, mode: 'shared' | 'alone'): Promise<void> {
  await lockName(tx, `expectations of ${org}`, mode)
}

/** Number of events that one statement records. Each takes a dozen parameters, and the engines have limits. */
const eventsAtOnce = 500

/** Records an event for each change of a state. The repositories must be locked. Call it last in a transaction. */
export async function recordChanges(
  tx: Database,
  changes: readonly (ExpectationStateChange | GoodMove)[],
  describe: DescribeExpectation,
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += eventsAtOnce) {
    const events = changes.slice(start, start + eventsAtOnce).map((change) => {
      const { name, repository, expectation, branch } = change
      const kind = name === 'GoodMoved' ? ('good' as const) : ('expectation' as const)
      const ref = { kind, id: expectation.id, name: branch }
      const severity = name === 'GoodMoved' ? undefined : expectation.severity
      const about = { name, ref, expectationKind: expectation.kind, severity }
      return { repoId: repository.id, ...about, ...describe(change, now) }
    })
    await recordNextEvents(tx, events, now)
  }
}

/** The facts of the kind `good` about a branch, as the contract declares them. */
type GoodFacts = { readonly last_good_snapshot_id: string | null; readonly behind: number | null }

const noFacts: GoodFacts = { last_good_snapshot_id: null, behind: null }

/** Finds out whether another head of a branch is the last good one: one move, or none. */
export function findGoodMove(
  change: Pick<GoodMove, 'repository' | 'expectation' | 'branch'>,
  before: KindObject | null,
  after: KindObject | null,
  reason: string | null,
): readonly GoodMove[] {
  if (change.expectation.kind !== 'good') return []
  const { last_good_snapshot_id: from } = (before ?? noFacts) as GoodFacts
  const { last_good_snapshot_id: to, behind } = (after ?? noFacts) as GoodFacts
  return from === to ? [] : [{ name: 'GoodMoved', ...change, from, to, behind, reason }]
}
