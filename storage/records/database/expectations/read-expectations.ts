import type { Database } from '../open-database.ts'
import type { Expectation, ExpectationOwner, ExpectedBranch, RepositoryName } from './expectation.ts'

/**
 * Lists the expectations of a repository, those of its organisation that match it included, or those of an
 * organisation; oldest first.
 */
export async function listExpectations(db: Database, owner: ExpectationOwner): Promise<readonly Expectation[]> {
  throw new Error(`to be written ${String(db)} ${owner.org}`)
}

/** Finds an expectation of a repository or of an organisation; undefined if it has none with this id. */
export async function findExpectation(
  db: Database,
  owner: ExpectationOwner,
  id: string,
): Promise<Expectation | undefined> {
  throw new Error(`to be written ${String(db)} ${owner.org} ${id}`)
}

/** Reads the document of this version of an expectation; undefined if it has none, or another version now. */
export async function readContractDocument(
  db: Database,
  { id, version }: Pick<Expectation, 'id' | 'version'>,
): Promise<string | undefined> {
  throw new Error(`to be written ${String(db)} ${id} ${version}`)
}

/**
 * Lists the branches of a repository that its expectations match, with their heads and states, in the order of the
 * expectations. A branch is listed while it has a head or a state; the only branch that a name matches always is.
 */
export async function listExpectedBranches(
  db: Database,
  repository: RepositoryName,
): Promise<readonly ExpectedBranch[]> {
  throw new Error(`to be written ${String(db)} ${repository.org}`)
}
