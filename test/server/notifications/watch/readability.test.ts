// Which changes of a repository, and of the processes that poll it, cause notices.
import { defaultFilter } from '@floe/contract/lists'
import { addReceiver, type Database } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { secrets } from '../../../storage/sample-secrets.ts'
import { findWeather, makeStore, makeWatcher, noPartitions, olderBytes, startWatcher, watch } from './watch.ts'

const secondMs = 1_000
const minuteMs = 60_000

/** A polled repository, and `EVENT REASON #SEQUENCE` of each notice about it. */
async function follow(t: Test) {
  const store = makeStore()
  const parts = await watch(t, { weather: store })
  const { db, timing } = parts
  await addListener(db)
  await timing.pass(secondMs)
  const fail = () => store.objects.delete('repo')
  const repair = () => store.objects.set('repo', olderBytes)
  const listNotices = async () => {
    const rows = await db.selectFrom('events').selectAll().where('ref', '=', 'notice').orderBy('sequence').execute()
    return rows.map(({ name, payload, sequence }) => {
      const { reason = '-' } = JSON.parse(payload).details
      return `${name} ${reason} #${sequence}`
    })
  }
  return { ...parts, store, fail, repair, listNotices }
}

async function addListener(db: Database): Promise<void> {
  const webhook = {
    kind: 'webhook',
    alias: 'ops',
    url: 'https://example.org/',
    service: null,
    secretToken: null,
    headers: {},
  } as const
  const filter = { ...defaultFilter, repos: ['**'], events: ['RepositoryUnreadable', 'RepositoryBack'] as const }
  const owner = { org: 'acme', repoId: null, isEnabled: true }
  const by = { org: 'acme', id: '0123456789abcdef', name: null }
  await addReceiver(db, { ...webhook, filter, ...owner }, { secrets, by, now: new Date() })
}

const unreadable = 'RepositoryUnreadable not-a-repository #1'
const back = 'RepositoryBack - #2'

// Proves: `RepositoryUnreadable` and `RepositoryBack` are sent once, after at least a minute
t.test('a repository that cannot be read for a minute is told of once, and so is its return', async (t) => {
  const { timing, fail, repair, listNotices, db } = await follow(t)
  const before = timing.now()
  fail()
  await timing.pass(55 * secondMs)
  t.strictSame(await listNotices(), [], 'it may be a short fault')
  await timing.pass(10 * minuteMs)
  t.strictSame(await listNotices(), [unreadable])
  repair()
  await timing.pass(5 * minuteMs)
  t.strictSame(await listNotices(), [unreadable, back])
  const rows = await db
    .selectFrom('events')
    .select(['payload', 'line'])
    .where('ref', '=', 'notice')
    .orderBy('sequence')
    .execute()
  const [first, second] = rows.map(({ payload, line }) => ({ ...JSON.parse(payload).details, line }))
  t.equal(first.unreadable_since, second.unreadable_since)
  t.ok(Date.parse(first.unreadable_since) > before && Date.parse(first.unreadable_since) <= before + 10 * secondMs)
  t.match(first.line, /^UNREADABLE: acme\/weather: not-a-repository, since 2026-\S+ \d\d:\d\d UTC$/)
  t.match(second.line, /^READABLE AGAIN: acme\/weather: it was unreadable since 2026-/)
})

t.test('faults of less than a minute, or with a success between them, cause no notice', async (t) => {
  const { timing, fail, repair, listNotices, watcher, catalog } = await follow(t)
  const entry = await findWeather(catalog)
  for (let round = 0; round < 5; round++) {
    fail()
    await timing.pass(50 * secondMs)
    repair()
    await watcher.check(entry)
  }
  t.strictSame(await listNotices(), [])
})

t.test('another process does not repeat the notices', async (t) => {
  const { timing, fail, repair, listNotices, watcher, ...parts } = await follow(t)
  fail()
  await timing.pass(3 * minuteMs)
  await watcher.stop()
  const second = startWatcher({ ...parts, timing })
  await timing.pass(5 * minuteMs)
  t.strictSame(await listNotices(), [unreadable])
  await second.stop()
  repair()
  const third = startWatcher({ ...parts, timing })
  t.teardown(() => third.stop())
  await timing.pass(5 * minuteMs)
  t.strictSame(await listNotices(), [unreadable, back], 'it knows what the first has recorded')
})

t.test('a process that does not poll the repository changes nothing', async (t) => {
  const { timing, fail, repair, listNotices, catalog, watcher, ...parts } = await follow(t)
  const idle = makeWatcher({ ...parts, timing, catalog }, () => {}, { partitions: noPartitions, isLeased: true })
  t.teardown(() => idle.stop())
  const entry = await findWeather(catalog)
  await watcher.stop()
  fail()
  for (let failedChecks = 0; failedChecks < 5; failedChecks++) {
    await idle.check(entry).catch(() => {})
    await timing.pass(minuteMs, minuteMs)
  }
  t.strictSame(await listNotices(), [])
  repair()
})

t.test('faults of the service itself do not count', async (t) => {
  const { timing, listNotices, store } = await follow(t)
  const read = store.read.bind(store)
  Object.assign(store, { read: () => Promise.reject(new Error('the database is away')) })
  await timing.pass(10 * minuteMs)
  t.strictSame(await listNotices(), [])
  Object.assign(store, { read })
})
