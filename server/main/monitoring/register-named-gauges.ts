// Gauges whose labels have names of organisations, repositories and branches: what was found about expectations and
// contracts.
import {
  type ContractVerdict,
  listNewestFindings,
  listNewestVerdicts,
  type ListedExpectation,
} from '@floe/storage/database'
import { Gauge, type Registry } from 'prom-client'
import type { ObservedParts } from './register-gauges.ts'
import { secondsSince, shareReads } from './share-reads.ts'

/** Maximum number of expectations that have gauges, and of contracts. */
const maxSeries = 1_000

/**
 * Registers gauges of expectations and contracts, each of which has its own series, for the repositories that this
 * process checks: a repository that is gone has none. Those that have been unmet or broken for the shortest time come
 * first. While the database does not answer, the series stay as they were.
 */
export function registerNamedGauges(
  registry: Registry,
  { db, now, notifier: { watcher } }: Pick<ObservedParts, 'db' | 'now' | 'notifier'>,
): void {
  const readChecked = <Found extends { readonly repoId: string }>(list: () => Promise<readonly Found[]>) => {
    const read = shareReads(list)
    return async () => (await read()).value?.filter(({ repoId }) => watcher.findLastCheck(repoId) !== undefined) ?? []
  }
  registerExpectationGauges(
    registry,
    now,
    readChecked(() => listNewestFindings(db, maxSeries)),
  )
  makeContractGauge(
    registry,
    readChecked(() => listNewestVerdicts(db, maxSeries)),
  )
}

function makeContractGauge(registry: Registry, list: () => Promise<readonly ContractVerdict[]>) {
  return new Gauge({
    name: 'floe_contract_broken',
    help: 'Whether a branch breaks a contract, as far as was told',
    registers: [registry],
    labelNames: ['org', 'repo', 'branch', 'contract'],
    async collect() {
      const listed = await list()
      this.reset()
      for (const { org, repo, branch, name, isBroken } of listed)
        this.set({ org, repo, branch, contract: name }, Number(isBroken))
    },
  })
}

function registerExpectationGauges(
  registry: Registry,
  now: () => number,
  list: () => Promise<readonly ListedExpectation[]>,
): void {
  const gauge = (
    name: string,
    help: string,
    demand: 'max_age' | 'written',
    choose: (expected: ListedExpectation) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      labelNames: ['org', 'repo', 'branch', 'path', demand],
      async collect() {
        const listed = await list()
        this.reset()
        for (const expected of listed) {
          const { org, repo, branch, path, maxAge, written } = expected
          const value = choose(expected)
          const demanded = (demand === 'max_age' ? maxAge : written) ?? ''
          if (value !== undefined) this.set({ org, repo, branch, path: path ?? '', [demand]: demanded }, value)
        }
      },
    })
  gauge(
    'floe_repository_age_seconds',
    'Age of the last commit that an expectation counts',
    'max_age',
    ({ freshness }) => freshness?.countsFrom && secondsSince(freshness.countsFrom, now),
  )
  gauge('floe_repository_max_age_seconds', 'How old this commit may become', 'max_age', ({ maxAgeMs }) =>
    maxAgeMs === null ? undefined : maxAgeMs / 1_000,
  )
  gauge('floe_repository_stale', 'Whether it is older, as far as was told', 'max_age', ({ freshness }) =>
    freshness === null ? undefined : Number(freshness.staleSince !== null),
  )
  gauge(
    'floe_repository_incomplete',
    'Whether an array has fewer chunks written than an expectation asks',
    'written',
    ({ completeness }) => (completeness === null ? undefined : Number(completeness.incompleteSince !== null)),
  )
}
