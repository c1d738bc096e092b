import { once, EventEmitter } from 'node:events'
import { openStore, type ObjectStore } from '@floe/storage/objects'
import { t } from 'tap'
import { type Mood, makeMoodyStore } from '../../catalog/moody-store.ts'
import { buildId, buildRepo } from '../../../storage/icechunk/build-object.ts'
import { startLoopback } from '../../../storage/objects/loopback-server.ts'
import {
  describeFirst,
  describeRewritten,
  findWeather,
  intervalMs,
  makeHangingStore,
  makeStore,
  makeWatcher,
  newer,
  newerBytes,
  older,
  olderBytes,
  startWatcher,
  watch,
} from './watch.ts'

t.test('every head is recorded once, and again when it has moved', async (t) => {
  const store = makeStore()
  const { timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather')])
  store.objects.set('repo', newerBytes)
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
})

t.test('only main is watched: the head of another branch that moves is no event', async (t) => {
  const snapshots = [1, 2, 3].map((number) => ({ id: buildId(number), parent: number - 2 }))
  const place = (dev: number, main: number) =>
    buildRepo({ snapshots, branches: Object.entries({ dev, main, zebra: dev }) })
  const store = makeStore(place(0, 0))
  const { timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  const first = `weather null -> ${buildId(1)} first_observation`
  t.strictSame(await listEvents(), [first])
  store.objects.set('repo', place(1, 0))
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [first])
  store.objects.set('repo', place(1, 2))
  await timing.pass(3 * intervalMs)
  t.strictSame(await listEvents(), [first, `weather ${buildId(1)} -> ${buildId(3)} null`])
})

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

t.test('at most 16 scheduled checks run at the same time', async (t) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let underWay = 0
  let most = 0
  const makeSlowStore = (): ObjectStore => {
    const store = makeStore()
    const readNow = store.read.bind(store)
    const read: ObjectStore['read'] = async (key, options) => {
      if (key === 'repo') most = Math.max(most, ++underWay)
      await gate
      if (key === 'repo') underWay--
      return readNow(key, options)
    }
    return Object.assign(store, { read })
  }
  const names = Array.from({ length: 40 }, (_, index) => `repo-${index}`)
  const { timing, listEvents } = await watch(t, Object.fromEntries(names.map((name) => [name, makeSlowStore()])))
  await timing.pass(intervalMs)
  t.equal(most, 16)
  open()
  await timing.pass(1_000)
  t.equal((await listEvents()).length, 40)
})

t.test(
  'repositories are watched although a scanned location hangs or fails, and its own once it answers',
  async (t) => {
    for (const is of ['hanging', 'down'] as const) {
      const mood: Mood = { is }
      const scan = makeMoodyStore(['ice'], mood)
      const store = makeStore()
      const { watcher, timing, listEvents, errors } = await watch(t, { weather: store }, ['weather'], [scan])
      const listNames = () => watcher.listLastChecks().map(({ name }) => name)
      await timing.pass(100)
      t.strictSame(await listEvents(), [describeFirst('weather')], is)
      store.objects.set('repo', newerBytes)
      await timing.pass(2 * intervalMs)
      t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')], is)
      t.strictSame(listNames(), ['weather'])
      mood.is = 'well'
      await timing.pass(4 * intervalMs)
      t.strictSame(listNames(), ['weather', 'ice'])
      t.match(errors[0], { message: is === 'down' ? 'moody is down' : /took longer than 30 s/ })
      mood.is = 'hanging'
      await timing.pass(4 * intervalMs)
      t.strictSame(listNames(), ['weather', 'ice'], 'what was known is still watched')
      await watcher.stop()
    }
  },
)

t.test('checks that hang in one place keep no repository of another from its checks', async (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `ice-${index}`)
  const { timing, listEvents, watcher } = await watch(
    t,
    {},
    [],
    [
      makeMoodyStore(names, { is: 'listing' }),
      Object.assign(makeStore(), {
        list: async () => ({ objects: [], prefixes: ['weather'] }),
        below: () => makeStore(),
      }),
    ],
  )
  await timing.pass(intervalMs)
  t.equal(watcher.listLastChecks().length, 41)
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
  const { db, watcher, catalog, timing } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  const entry = await findWeather(catalog)
  const still = { snapshotId: older.head, previousSnapshotId: older.head, eventId: null }
  t.match(await watcher.check(entry), still)
  store.objects.set('repo', newerBytes)
  const moved = await watcher.check(entry)
  t.match(moved, { snapshotId: newer.head, previousSnapshotId: older.head })
  const recorded = await db.selectFrom('events').select(['id', 'sequence']).orderBy('sequence').execute()
  t.strictSame(recorded.at(-1), { id: moved.eventId, sequence: 2 })
  t.match(watcher.listLastChecks(), [{ name: 'weather', snapshotId: newer.head, formatVersion: 2, error: undefined }])
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
  const place = Object.assign(makeStore(), { list: async () => ({ objects: [], prefixes }), below: () => slow })
  const { watcher, catalog, timing } = await watch(t, {}, [], [place])
  await timing.pass(intervalMs)
  const entry = await findWeather(catalog)
  isSlow = true
  const checked = watcher.check(entry)
  prefixes = []
  await timing.pass(2 * intervalMs)
  t.strictSame(watcher.listLastChecks(), [], 'it is watched no more')
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

t.test('a stop does not wait for a store that does not answer', async (t) => {
  const { watcher, timing, listEvents } = await watch(t, { weather: makeHangingStore(t) }, ['weather'])
  await timing.pass(1_000)
  await watcher.stop()
  t.match(watcher.listLastChecks(), [{ error: { message: 'the service is stopping' } }])
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
