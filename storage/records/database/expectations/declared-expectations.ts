// Expectations that the configuration file declares, each for the repositories of an organisation that match a pattern.
import type { Database } from '../open-database.ts'
import type { DescribeExpectation } from './expectation.ts'
import type { NewExpectation } from './change-expectations.ts'

/** An expectation that the configuration file declares. The alias tells it from others of its organisation and kind. */
export type DeclaredExpectation = NewExpectation & { readonly org: string; readonly repos: readonly string[] }

/**
 * Makes the database contain exactly the declared expectations of all organisations. Those that were declared before
 * with the same organisation, kind and alias, or without an alias with the same settings, keep their states. The states
 * of the others are closed, with an event for each branch that was unmet.
 */
export async function applyDeclaredExpectations(
  db: Database,
  declared: readonly DeclaredExpectation[],
  describe: DescribeExpectation,
  now: Date,
): Promise<{ readonly hasEvents: boolean }> {
  throw new Error(`to be written ${String(db)} ${declared.length} ${String(describe)} ${String(now)}`)
}
