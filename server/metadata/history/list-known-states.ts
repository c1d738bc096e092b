import { type ListedBranch, listStates, unlessUnavailable } from '@floe/storage/database'
import type { MetadataContext } from '../metadata-context.ts'
import type { RepositoryNames } from '../../catalog/find-repository.ts'

/** Maximum number of branches of expectations in an answer about a repository. */
const maxStates = 100

/**
 * Lists the judged branches of a repository that are expected to be something: unmet ones first. Undefined while the
 * database is away: then only these are missing from an answer.
 */
export function listKnownStates(
  { db }: Pick<MetadataContext, 'db'>,
  { org, repo }: RepositoryNames,
): Promise<readonly ListedBranch[] | undefined> {
  return unlessUnavailable(listStates(db, { org, names: [repo] }, maxStates), undefined)
}
