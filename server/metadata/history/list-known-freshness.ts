import { explainUnavailable, type ListedFreshness, listFreshness, maxExpectations } from '@floe/storage/database'
import type { MetadataContext } from '../metadata-context.ts'

/**
 * Lists what checks have found about the expectations of a repository, those that are not met first. Undefined while
 * the database is away: then only these are missing from an answer.
 */
export async function listKnownFreshness(
  { db }: Pick<MetadataContext, 'db'>,
  { org, repo }: { readonly org: string; readonly repo: string },
): Promise<readonly ListedFreshness[] | undefined> {
  try {
    return await listFreshness(db, { org, names: [repo] }, maxExpectations)
  } catch (error) {
    if (explainUnavailable(error) === undefined) throw error
    return undefined
  }
}
