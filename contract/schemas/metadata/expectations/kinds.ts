import type { ExpectationKindName } from '../../../lists.ts'
import type { ExpectationKind } from './expectation-kind.ts'
import { datasetContract } from './kinds/contract.ts'
import { freshness } from './kinds/freshness.ts'
import { good } from './kinds/good.ts'
import { protection } from './kinds/protected.ts'
import { written } from './kinds/written.ts'

/** All kinds of expectations by their names, in the order in which they are offered. */
export const expectationKinds = {
  freshness,
  written,
  contract: datasetContract,
  protected: protection,
  good,
} as const satisfies Record<ExpectationKindName, ExpectationKind>

/** All kinds by their names. */
export type ExpectationKinds = typeof expectationKinds
