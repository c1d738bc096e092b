// Expectations of the repository `weather` in the organisation `acme`, judged by a watcher whose time passes by hand.
import {
  addExpectation,
  type BranchState,
  type Database,
  type ExpectedBranch,
  listExpectedBranches,
  type NewExpectation,
  updateExpectation,
} from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { describeExpectation } from '../../../server/expectations/describe-event.ts'
import { createMetrics } from '../../../server/observation/metrics.ts'
import { ReaderPool } from '../../../server/reading/threads/reader-pool.ts'
import { findWeather, startWatcher, watch } from '../notifications/watch/watch.ts'

const by = { org: 'acme', id: '0123456789abcdef', name: null }

/** An expectation of the branch `main` without settings. */
export function expectMain(kind: NewExpectation['kind'], changes: Partial<NewExpectation> = {}): NewExpectation {
  const nothing = {
    within: null,
    withinMs: null,
    remind: null,
    remindMs: null,
    settings: {},
    document: null,
    repos: null,
  }
  const none = { alias: null, severity: 'warning' as const, ...nothing }
  return { kind, branch: 'main', ...none, ...changes }
}

/** Settings of written chunks that expect all chunks of each array. */
export const wholeArrays = { share: 1, path: null, along: null, except_last: null, ignore: null, accepted: null }

/** `EVENT #SEQUENCE BRANCH`, with what `add` adds, of each event about an expectation. */
export async function listExpectationEvents(
  db: Database,
  add: (details: Record<string, string | null>) => string = () => '',
): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['name', 'sequence', 'payload'])
    .where('name', 'in', ['ExpectationUnmet', 'ExpectationMet'])
    .orderBy('number')
    .execute()
  return rows.map(({ name, sequence, payload }) => {
    const { details } = JSON.parse(payload)
    return `${name} #${sequence} ${details.branch}${add(details)}`
  })
}

/** The lines for chats of all events about expectations. */
export async function listLines(db: Database): Promise<string[]> {
  const query = db.selectFrom('events').select('line').where('name', 'in', ['ExpectationUnmet', 'ExpectationMet'])
  return (await query.orderBy('number').execute()).map(({ line }) => line ?? '')
}

/** Watches a repository, which real reader threads read. */
export async function startJudging(t: Test, store: ObjectStore) {
  const parts = await watch(t, { weather: store })
  const { db, timing, watcher: first, catalog } = parts
  await first.stop()
  const settings = { cacheBytes: 10_000_000, limits: defaultLimits }
  // Without time limits: on a busy machine, a thread may take longer than 10 s to start.
  const unhurried = { after: () => () => {}, elapsed: () => 0 }
  const readers = new ReaderPool(1, { ...unhurried, settings, manifestBytes: 1_000_000, metrics: createMetrics() })
  const watcher = startWatcher(parts, () => {}, readers)
  t.teardown(async () => {
    await watcher.stop()
    await readers.close()
  })
  const entry = await findWeather(catalog)
  // The commits of fixtures are from the 22nd.
  timing.setClock(3 * 86_400_000)
  const check = () => watcher.checkSelection(entry)
  const options = () => ({ by, now: new Date(timing.now()) })
  const list = (): Promise<readonly ExpectedBranch[]> => listExpectedBranches(db, entry)
  const find = async (branch = 'main'): Promise<BranchState | null | undefined> =>
    (await list()).find((one) => one.branch === branch)?.state
  return {
    ...parts,
    watcher,
    entry,
    check,
    list,
    find,
    /** Adds an expectation, and judges it. */
    expect: async (added: NewExpectation) => {
      // Expectations are listed in the order in which they were added.
      await timing.pass(1)
      const { expectation } = await addExpectation(db, entry, added, options())
      await check()
      return expectation.id
    },
    change: async (id: string, change: Partial<Omit<NewExpectation, 'kind'>>) => {
      await updateExpectation(db, { owner: entry, id }, change, describeExpectation, options())
      await check()
    },
  }
}
