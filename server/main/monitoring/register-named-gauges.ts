// Gauges whose labels have names of organisations, repositories and branches: whether expectations are met.
import { listNewestStates } from '@floe/storage/database'
import { Gauge, type Registry } from 'prom-client'
import type { ObservedParts } from './register-gauges.ts'
import { shareReads } from './share-reads.ts'

/** Maximum number of branches of expectations that have a series. */
const maxSeries = 1_000

/**
 * Registers the gauge of expectations. Each judged branch of the repositories that this process checks has a series; a
 * repository that is gone has none. Branches that have been unmet for the shortest time come first.
 * While the database does not answer, the series stay as they were.
 */
export function registerNamedGauges(
  registry: Registry,
  { db, notifier: { watcher } }: Pick<ObservedParts, 'db' | 'notifier'>,
): Gauge {
  const read = shareReads(() => listNewestStates(db, maxSeries))
  return new Gauge({
    name: 'floe_expectation_unmet',
    help: '1 for a branch that does not meet an expectation, once an event has reported it',
    registers: [registry],
    labelNames: ['kind', 'severity', 'org', 'repo', 'branch', 'expectation'],
    async collect() {
      const listed = (await read()).value ?? []
      this.reset()
      // Unmet ones last, because they decide if expectations have the same alias.
      for (const { expectation, repo, repoId, branch, state } of listed.toReversed()) {
        if (state.verdict === null || watcher.repositories.find(repoId)?.lastCheck === undefined) continue
        const { kind, severity, org, alias, id } = expectation
        this.set({ kind, severity, org, repo, branch, expectation: alias ?? id }, Number(state.unmetSince !== null))
      }
    },
  })
}
