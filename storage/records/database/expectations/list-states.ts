// The states of branches of many repositories.
import type { Database } from '../open-database.ts'
import type { ListedBranch } from './expectation.ts'

/** Lists the judged branches of these repositories: unmet ones first, then those of the oldest expectations. */
export async function listStates(
  db: Database,
  { org, names }: { readonly org: string; readonly names: readonly string[] },
  limit: number,
): Promise<readonly ListedBranch[]> {
  throw new Error(`to be written ${String(db)} ${org} ${names.length} ${limit}`)
}

/** Lists the judged branches of expectations of an organisation, and the number of unmet ones, by expectation. */
export async function listStatesOfExpectations(
  db: Database,
  { org, ids }: { readonly org: string; readonly ids: readonly string[] },
  limit: number,
): Promise<ReadonlyMap<string, { readonly unmet: number; readonly branches: readonly ListedBranch[] }>> {
  throw new Error(`to be written ${String(db)} ${org} ${ids.length} ${limit}`)
}

/**
 * Lists judged branches of all organisations: first those that are unmet for the shortest time. Reads no more states
 * than twice the limit, however many there are.
 */
export async function listNewestStates(db: Database, limit: number): Promise<readonly ListedBranch[]> {
  throw new Error(`to be written ${String(db)} ${limit}`)
}
