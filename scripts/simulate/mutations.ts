// Faults that somebody could make, or has made and mended. The simulation must find each of them.
import type { Mutation } from '../mutants.ts'
import { deliveryMutations } from './mutations/deliveries.ts'
import { digestMutations } from './mutations/digests.ts'
import { expectationMutations } from './mutations/expectations.ts'
import { repositoryMutations } from './mutations/repositories.ts'

/** By what is wrong. */
export const mutations: Readonly<Record<string, Mutation>> = {
  ...deliveryMutations,
  ...digestMutations,
  ...repositoryMutations,
  ...expectationMutations,
}

/** Mutations that only runs with PostgreSQL can find. */
export const postgresMutations: Readonly<Record<string, Mutation>> = {
  'a connection is used again inside its transaction': [
    'storage/records/database/postgres/timed-client.ts',
    " && this.#client.getTransactionStatus() === 'I'",
    '',
  ],
  'each replica goes by the clock of its computer': [
    'server/notifications/database-clock.ts',
    'this.#offsetMs === undefined ? now()',
    'elapsed() >= 0 ? now()',
  ],
}
