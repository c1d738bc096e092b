// Adds, changes and deletes expectations for administrators. Each change, its audit entry and the events that close
// states are written in one transaction, which locks the owner, as that of a judgement does.
import type { AuditEntry, ChangeOptions } from '../audit.ts'
import type { Database } from '../open-database.ts'
import type { DescribeExpectation, Expectation, ExpectationOwner, ExpectationSettings } from './expectation.ts'

/** Who makes a change, and when. `versions`: the versions of the expectation that may be changed; default: any. */
export type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

/** What is expected, and of which repositories of an organisation; null for an expectation of a repository. */
export type NewExpectation = ExpectationSettings & { readonly repos: readonly string[] | null }

export type ChangedExpectation = {
  readonly expectation: Expectation
  /** Undefined when nothing changed. */
  readonly audit: AuditEntry | undefined
  readonly hasEvents: boolean
}

/**
 * Adds an expectation to a repository or an organisation.
 *
 * @throws TooManyExpectationsError
 */
export async function addExpectation(
  db: Database,
  owner: ExpectationOwner,
  added: NewExpectation,
  options: ChangeOptions,
): Promise<ChangedExpectation> {
  throw new Error(`to be written ${String(db)} ${owner.org} ${added.kind} ${String(options)}`)
}

/**
 * Changes an expectation. Missing members stay as they are. All branches are judged again; states of branches and
 * repositories that no longer match are closed, with an event for those that were unmet.
 *
 * @throws ExpectationNotFoundError, ExpectationChangedError, DeclaredInFileError
 */
export async function updateExpectation(
  db: Database,
  address: { readonly owner: ExpectationOwner; readonly id: string },
  change: Partial<Omit<NewExpectation, 'kind'>>,
  describe: DescribeExpectation,
  options: EditOptions,
): Promise<ChangedExpectation> {
  throw new Error(`to be written ${String(db)} ${address.id} ${String(change)} ${String(options)} ${String(describe)}`)
}

/**
 * Deletes an expectation, with an event for each branch that was unmet.
 *
 * @throws ExpectationNotFoundError, ExpectationChangedError, DeclaredInFileError
 */
export async function deleteExpectation(
  db: Database,
  address: { readonly owner: ExpectationOwner; readonly id: string },
  describe: DescribeExpectation,
  options: EditOptions,
): Promise<{ readonly audit: AuditEntry; readonly hasEvents: boolean }> {
  throw new Error(`to be written ${String(db)} ${address.id} ${String(options)} ${String(describe)}`)
}
