import { ensureRepositories, mainAlone, selectRefs } from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import { openHeadRecords } from '../../../../server/notifications/watch/checks/head-records.ts'
import { PollQueue } from '../../../../server/notifications/watch/poll-queue.ts'
import { WatchedRepositories } from '../../../../server/notifications/watch/watched-repositories.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { makeStore, watch } from './watch.ts'

/** Remembers which keys were looked up. */
class AskedMap<Value> extends Map<string, Value> {
  readonly asked: string[] = []

  override get(key: string): Value | undefined {
    this.asked.push(key)
    return super.get(key)
  }
}

t.test('a new selection of an organisation is passed on to its repositories only', async (t) => {
  const { db, timing, states, watcher } = await watch(t, {})
  await watcher.stop()
  const makeCatalog = (org: string) => {
    const sources = [{ kind: 'repository', name: 'weather', store: makeStore() }] as const
    const ensureIds = (org: string, names: readonly string[]) => ensureRepositories(db, org, names, new Date())
    return new Catalog(org, sources, { ensureIds, timing, limits: defaultLimits, states })
  }
  const catalogs = new Map(['acme', 'globex'].map((org) => [org, makeCatalog(org)]))
  const onError = (error: unknown) => t.error(error)
  const metrics = createMetrics()
  const parts = { db, timing, states, metrics, alwaysWatched: mainAlone, onError, onEvent: () => {} }
  const repositories = new WatchedRepositories({
    ...parts,
    catalogs,
    pollIntervalMs: 10_000,
    polls: new PollQueue(timing),
    heads: openHeadRecords(parts),
    isPolling: () => false,
    readers: { ask: () => Promise.reject(new Error('nobody reads')) },
  })
  for (const catalog of catalogs.values()) {
    const entry = await catalog.findEntry('weather', () => AbortSignal.timeout(60_000))
    if (entry === undefined) throw new Error('weather is not there')
    repositories.open(entry)
    t.teardown(() => catalog.close())
  }
  t.teardown(() => repositories.close())
  const selection = selectRefs({ events: ['NewCommit'], branches: ['dev'] })
  const scoped = { selection, isFollowed: false, judgedKey: '', repos: ['**'], names: null }
  const organisations = new AskedMap([['globex', [scoped]]])
  const everywhere = { selection: mainAlone, isFollowed: false, judgedKey: '' }
  const wanted = { repositories: new Map(), organisations, everywhere }
  await repositories.setWantedSelections(wanted, { orgs: new Set(['globex']), ids: new Set() })
  t.strictSame(organisations.asked, ['globex'])
})
