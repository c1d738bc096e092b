import { explainUnavailable, type ListedBranch, listStates } from '@floe/storage/database'
import type { MetadataContext } from '../metadata-context.ts'

/** Maximum number of branches of expectations in an answer about a repository. */
const maxStates = 100

/**
 * Lists the judged branches of a repository that are expected to be something: unmet ones first. Undefined while the
 * database is away: then only these are missing from an answer.
 */
export async function listKnownStates(
  { db }: Pick<MetadataContext, 'db'>,
  { org, repo }: { readonly org: string; readonly repo: string },
): Promise<readonly ListedBranch[] | undefined> {
  try {
    return await listStates(db, { org, names: [repo] }, maxStates)
  } catch (error) {
    if (explainUnavailable(error) === undefined) throw error
    return undefined
  }
}
