import type { ExpectationKindName } from '@floe/contract/lists'
import type { Kind } from './kind.ts'
import { datasetContract } from './kinds/contract.ts'
import { freshness } from './kinds/freshness.ts'
import { good } from './kinds/good.ts'
import { protection } from './kinds/protected.ts'
import { written } from './kinds/written.ts'

const kinds: { readonly [Name in ExpectationKindName]: Kind<Name> } = {
  freshness,
  written,
  contract: datasetContract,
  protected: protection,
  good,
}

/** Finds a kind by its name. Its settings and facts are those of the expectation that it is found for. */
export function findKind(name: ExpectationKindName): Kind {
  return kinds[name] as Kind // the settings and facts of an expectation are those of its kind
}
