import { once, EventEmitter } from 'node:events'
import { openStore, type ObjectStore } from '@floe/storage/objects'
import { t } from 'tap'
import { type Mood, makeMoodyStore } from '../../catalog/moody-store.ts'
import { buildId, buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { startLoopback } from '../../../storage/repositories/objects/loopback-server.ts'
import {
  allPartitions,
  countQueries,
  describeFirst,
  describeRewritten,
  findWeather,
  intervalMs,
  makeHangingStore,
  makeStore,
  makeWatcher,
  newer,
  newerBytes,
  noPartitions,
  older,
  olderBytes,
  startWatcher,
  watch,
} from './watch.ts'

/** Stores that answer no read before `open`. `most` is the largest number of concurrent reads. */
function makeGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let underWay = 0
  const gate = {
    most: 0,
    open: () => resolve(),
    makeStore: (location: string): ObjectStore => {
      const store = Object.assign(makeStore(), { location })
      const readNow = store.read.bind(store)
      const read: ObjectStore['read'] = async (key, options) => {
        if (key === 'repo') gate.most = Math.max(gate.most, ++underWay)
        await promise
        if (key === 'repo') underWay--
        return readNow(key, options)
      }
      return Object.assign(store, { read })
    },
  }
  return gate
}

// Proves: `previous_snapshot_id` is the previously recorded head; null in the first notification
t.test('every head is recorded once, and again when it has moved', async (t) => {
  const store = makeStore()
  const { timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather')])
  store.objects.set('repo', newerBytes)
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
})

// Proves: `branch` is `main`, unless a receiver or a stream names others; their moves are not notified
t.test('only main is watched: the head of another branch that moves is no event', async (t) => {
  const snapshots = [1, 2, 3].map((number) => ({ id: buildId(number), parent: number - 2 }))
  const repository = (dev: number, main: number) =>
    buildRepo({ snapshots, branches: Object.entries({ dev, main, zebra: dev }) })
  const store = makeStore(repository(0, 0))
  const { timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  const first = `weather null -> ${buildId(1)} first_observation`
  t.strictSame(await listEvents(), [first])
  store.objects.set('repo', repository(1, 0))
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [first])
  store.objects.set('repo', repository(1, 2))
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [first, `weather ${buildId(1)} -> ${buildId(3)} null`])
})

// Proves: after a reset, the line for chats names the older commit that the branch points at
t.test('after a reset, the line for chats names the older commit', async (t) => {
  const store = makeStore(newerBytes)
  const { db, timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  store.objects.set('repo', olderBytes)
  await timing.pass(3 * intervalMs)
  t.match((await listEvents()).at(-1), `${newer.head} -> ${older.head} history_rewritten`)
  const rows = await db.selectFrom('events').select('line').orderBy('sequence').execute()
  const message = older.snapshots[older.head]?.message
  t.equal(rows.at(-1)?.line, `acme/weather branch main is now at ${older.head}: ${message}`)
})

t.test('at most 16 scheduled checks run at the same time below one location', async (t) => {
  const gate = makeGate()
  const names = Array.from({ length: 40 }, (_, index) => `repo-${index}`)
  const stores = Object.fromEntries(names.map((name) => [name, gate.makeStore('memory')]))
  const { timing, listEvents } = await watch(t, stores, names)
  await timing.pass(intervalMs)
  t.equal(gate.most, 16)
  gate.open()
  await timing.pass(1_000)
  t.equal((await listEvents()).length, 40)
})

t.test(
  'at most 32 scheduled checks of an organisation run at the same time, below any number of locations',
  async (t) => {
    const gate = makeGate()
    const repositories = Array.from({ length: 100 }, (_, index) => [
      `repo-${index}`,
      gate.makeStore(`s3://location-${index}/repo`),
    ])
    const { db, timing } = await watch(t, Object.fromEntries(repositories))
    await timing.pass(intervalMs)
    t.equal(gate.most, 32)
    gate.open()
    await timing.pass(1_000)
    t.equal((await db.selectFrom('heads').selectAll().execute()).length, 100)
  },
)

t.test('first heads that have no receivers are recorded together, without events', async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `repo-${index}`)
  const { watcher, ...parts } = await watch(t, Object.fromEntries(names.map((name) => [name, makeStore()])), ['repo-7'])
  await watcher.stop()
  await parts.db.deleteFrom('events').execute()
  await parts.db.deleteFrom('heads').execute()
  const { queries, counting } = countQueries(parts.db)
  const again = startWatcher({ ...parts, db: counting })
  t.teardown(() => again.stop())
  await parts.timing.pass(1_000)
  const heads = await parts.db.selectFrom('heads').select(['snapshot_id', 'format_version', 'message']).execute()
  const { message = '' } = older.snapshots[older.head] ?? {}
  const head = { snapshot_id: older.head, format_version: 2, message }
  t.strictSame(
    heads,
    names.map(() => head),
  )
  t.strictSame(await parts.listEvents(), [describeFirst('repo-7')], 'but the one with a receiver has its event')
  t.ok(queries.length < 50, `${queries.length} statements`)
})

t.test('a scan that finds nothing new, and a review without changes, check no repository', async (t) => {
  const { watcher, timing, db, ...parts } = await watch(t, { weather: makeStore(), ice: makeStore() })
  await watcher.stop()
  let checks = 0
  const share = { partitions: allPartitions }
  const counting = makeWatcher({ db, timing, ...parts }, () => {}, {
    get partitions() {
      return share.partitions
    },
    get isLeased() {
      checks++
      return true
    },
  })
  t.teardown(() => counting.stop())
  counting.start()
  await timing.pass(intervalMs)
  checks = 0
  await timing.pass(3 * intervalMs)
  counting.review()
  await timing.pass(100)
  t.equal(checks, 0)
  share.partitions = noPartitions
  counting.review()
  await timing.pass(100)
  t.equal(counting.repositories.size, 0)
  t.equal(await parts.findLastCheck(counting), undefined, 'nothing is kept of what another process polls')
})

t.test(
  'repositories are watched although a scanned location hangs or fails, and its own once it answers',
  async (t) => {
    for (const is of ['hanging', 'down'] as const) {
      const mood: Mood = { is }
      const scan = makeMoodyStore(['ice'], mood)
      const store = makeStore()
      const { watcher, timing, listEvents, lines } = await watch(t, { weather: store }, ['weather'], [scan])
      await timing.pass(100)
      t.strictSame(await listEvents(), [describeFirst('weather')], is)
      store.objects.set('repo', newerBytes)
      await timing.pass(2 * intervalMs)
      t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')], is)
      t.equal(watcher.repositories.size, 1)
      mood.is = 'well'
      await timing.pass(4 * intervalMs)
      t.equal(watcher.repositories.size, 2)
      const failed = lines.find((line) => 'err' in line)
      t.match(failed, { err: { message: is === 'down' ? 'moody is down' : /took longer than 30 s/ } })
      mood.is = 'hanging'
      await timing.pass(4 * intervalMs)
      t.equal(watcher.repositories.size, 2, 'what was known is still watched')
      await watcher.stop()
    }
  },
)

t.test('checks that hang below one location do not delay those below another', async (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `ice-${index}`)
  const { timing, listEvents, watcher } = await watch(
    t,
    {},
    ['weather'],
    [
      makeMoodyStore(names, { is: 'listing' }),
      Object.assign(makeStore(), {
        list: async () => ({ objects: [], prefixes: ['weather'] }),
        below: () => makeStore(),
      }),
    ],
  )
  await timing.pass(intervalMs)
  t.equal(watcher.repositories.size, 41)
  t.strictSame(await listEvents(), [describeFirst('weather')])
})

t.test('watchers of one database record a move once', async (t) => {
  const store = makeStore()
  const one = await watch(t, { weather: store }, ['weather'])
  const other = startWatcher(one)
  await one.timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes)
  await one.timing.pass(2 * intervalMs)
  await other.stop()
  t.strictSame(await one.listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  t.strictSame(one.errors, [])
})

t.test('a check on request runs at once and returns the head it found', async (t) => {
  const store = makeStore()
  const { db, watcher, catalog, timing, findLastCheck } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  const entry = await findWeather(catalog)
  const still = { snapshotId: older.head, previousSnapshotId: older.head, eventId: null }
  t.match(await watcher.check(entry), still)
  store.objects.set('repo', newerBytes)
  const moved = await watcher.check(entry)
  t.match(moved, { snapshotId: newer.head, previousSnapshotId: older.head })
  const recorded = await db.selectFrom('events').select(['id', 'sequence']).orderBy('sequence').execute()
  t.strictSame(recorded.at(-1), { id: moved.eventId, sequence: 2 })
  t.match(await findLastCheck(), { snapshotId: newer.head, formatVersion: 2, error: undefined })
  store.objects.delete('repo')
  await t.rejects(watcher.check(entry), { name: 'NotARepositoryError' })
})

t.test('a check on request goes on when a scan no longer finds the repository', async (t) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let isSlow = false
  let prefixes = ['weather']
  const store = makeStore()
  const readNow = store.read.bind(store)
  const slow = Object.assign(store, {
    read: async (...call: Parameters<ObjectStore['read']>) => {
      if (isSlow) await gate
      return readNow(...call)
    },
  })
  const scanned = Object.assign(makeStore(), { list: async () => ({ objects: [], prefixes }), below: () => slow })
  const { watcher, catalog, timing } = await watch(t, {}, [], [scanned])
  await timing.pass(intervalMs)
  const entry = await findWeather(catalog)
  isSlow = true
  const checked = watcher.check(entry)
  prefixes = []
  await timing.pass(2 * intervalMs)
  t.equal(watcher.repositories.size, 0, 'it is watched no more')
  open()
  t.match(await checked, { snapshotId: older.head })
})

t.test('a check on request before the start is not repeated', async (t) => {
  const store = makeStore()
  const { watcher: started, ...parts } = await watch(t, { weather: store }, ['weather'])
  await started.stop()
  const watcher = makeWatcher(parts, () => {})
  t.teardown(() => watcher.stop())
  const entry = await findWeather(parts.catalog)
  await watcher.check(entry)
  store.asked.length = 0
  await parts.timing.pass(30 * intervalMs)
  t.strictSame(store.asked, [])
  watcher.start()
  await parts.timing.pass(intervalMs / 2)
  t.strictSame(store.asked, ['repo'])
})

t.test('who saves a receiver does not wait long for a store that does not answer', async (t) => {
  const { watcher, timing, catalog } = await watch(t, { weather: makeHangingStore(t) }, ['weather'])
  const saved = watcher.checkSelection(await findWeather(catalog))
  await timing.pass(5_000)
  await t.resolves(saved)
})

t.test('a stop does not wait for a store that does not answer', async (t) => {
  const { watcher, timing, listEvents, findLastCheck } = await watch(t, { weather: makeHangingStore(t) }, ['weather'])
  await timing.pass(1_000)
  await watcher.stop()
  t.match(await findLastCheck(), { error: { message: 'the service is stopping' } })
  t.strictSame(await listEvents(), [])
})

t.test('a stop ends the requests that are under way to a remote store', async (t) => {
  const asked = new EventEmitter()
  const closed: Promise<unknown>[] = []
  const { origin } = await startLoopback(t, (_request, response) => {
    closed.push(once(response, 'close'))
    asked.emit('request')
  })
  const first = once(asked, 'request')
  const { watcher, timing } = await watch(t, { weather: await openStore(origin) }, ['weather'])
  await timing.pass(1_000)
  await first
  await watcher.stop()
  await Promise.all(closed)
})
