import { recordNextEvents } from '../events/record-events.ts'
import { lockName } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { DescribeExpectation, ExpectationStateChange } from './expectation.ts'

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
  changes: readonly ExpectationStateChange[],
  describe: DescribeExpectation,
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += eventsAtOnce) {
    const events = changes.slice(start, start + eventsAtOnce).map((change) => {
      const { name, repository, expectation, branch } = change
      const ref = { kind: 'expectation', id: expectation.id, name: branch } as const
      return { repoId: repository.id, name, ref, expectationKind: expectation.kind, ...describe(change, now) }
    })
    await recordNextEvents(tx, events, now)
  }
}
