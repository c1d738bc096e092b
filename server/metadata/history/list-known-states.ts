import {
  explainUnavailable,
  type ListedContract,
  type ListedExpectation,
  listFoundExpectations,
  listJudgedContracts,
  maxExpectations,
} from '@floe/storage/database'
import type { MetadataContext } from '../metadata-context.ts'

/** What judgements have found about a repository; what is not met or broken first. */
type KnownStates = {
  readonly expectations: readonly ListedExpectation[]
  readonly contracts: readonly ListedContract[]
}

/**
 * Lists what judgements have found about the expectations and contracts of a repository. Undefined while the database
 * is away: then only these are missing from an answer.
 */
export async function listKnownStates(
  { db }: Pick<MetadataContext, 'db'>,
  { org, repo: name }: { readonly org: string; readonly repo: string },
): Promise<KnownStates | undefined> {
  try {
    const [expectations, contracts] = await Promise.all([
      listFoundExpectations(db, { org, names: [name] }, maxExpectations),
      listJudgedContracts(db, { org, name }),
    ])
    return { expectations, contracts }
  } catch (error) {
    if (explainUnavailable(error) === undefined) throw error
    return undefined
  }
}
