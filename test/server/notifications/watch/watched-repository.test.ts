import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listHeads } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { readHistory } from '../fixture-histories.ts'
import { ManualTiming } from '../manual-timing.ts'
import {
  addReceiver,
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
  older,
  startWatcher,
  watch,
} from './watch.ts'

t.test('a repository without receivers is checked ten times less often', async (t) => {
  const [busy, quiet] = [makeStore(), makeStore()]
  const { db, timing, listEvents } = await watch(t, { busy, quiet }, ['busy'])
  await timing.pass(intervalMs / 2)
  t.equal((await db.selectFrom('heads').selectAll().execute()).length, 2, 'its first head is recorded at once')
  t.strictSame(await listEvents(), [describeFirst('busy')], 'and nobody could receive an event')
  busy.asked.length = 0
  quiet.asked.length = 0
  await timing.pass(20 * intervalMs)
  t.strictSame(busy.asked, Array<string>(20).fill('repo'), 'an unchanged one costs one read')
  t.strictSame(quiet.asked, ['repo', 'repo'])
})

t.test('polls keep the state of a repository in memory only if callers ask about it', async (t) => {
  const store = makeStore()
  const { catalog, timing, findLastCheck } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  const { repository } = await findWeather(catalog)
  t.equal(repository.lastState, undefined)
  t.match(await findLastCheck(), { snapshotId: older.head, formatVersion: 2 })
  const { signal } = new AbortController()
  const state = await repository.readState(signal)
  await timing.pass(intervalMs)
  t.equal(repository.lastState, state)
  await timing.pass(4 * intervalMs)
  t.equal(repository.lastState, undefined)
  store.objects.set('repo', newerBytes)
  await timing.pass(2 * intervalMs)
  t.match(await findLastCheck(), { snapshotId: newer.head }, 'a move is still seen')
})

t.test('a repository that gets its first receiver is checked within two intervals', async (t) => {
  const store = makeStore()
  const { db, timing, listEvents } = await watch(t, { weather: store })
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes)
  await timing.pass(2 * intervalMs)
  t.strictSame(await listEvents(), [])
  await addReceiver(db, 'weather')
  await timing.pass(2 * intervalMs)
  t.strictSame(await listEvents(), [describeRewritten('weather')])
})

t.test('a torn write is no event, and is checked again soon', async (t) => {
  const store = makeStore()
  const { findLastCheck, timing, listEvents, lines } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes.subarray(0, newerBytes.length / 2))
  await timing.pass(intervalMs)
  t.match(await findLastCheck(), { snapshotId: older.head, error: { name: 'DamagedObjectError' } })
  store.objects.set('repo', newerBytes)
  await timing.pass(intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  t.match(await findLastCheck(), { snapshotId: newer.head, error: undefined })
  const about = { org: 'acme', repo: 'weather' }
  t.match(lines, [
    { ...about, level: 'error', message: 'the repository cannot be checked' },
    { ...about, level: 'info', message: 'a head moved', branch: 'main', from: older.head, to: newer.head },
  ])
  t.equal(lines.length, 2, 'a lasting failure is reported once, and a first head has not moved')
})

t.test('a repository that disappears keeps its last head', async (t) => {
  const store = makeStore()
  const { findLastCheck, timing, listEvents } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  store.objects.delete('repo')
  await timing.pass(5 * intervalMs)
  t.match(await findLastCheck(), { snapshotId: older.head, error: { name: 'NotARepositoryError' } })
  store.objects.set('repo', newerBytes)
  await timing.pass(10 * intervalMs)
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
})

t.test('a migrated repository whose `repo` vanishes has not moved back to its old references', async (t) => {
  const { directory, ids } = await readHistory('migrated')
  const [head = '', lastOfVersion1 = ''] = ids
  const repo = await readFile(join(directory, 'repo'))
  const store = new MemoryStore([
    ['refs/branch.main/ref.json', Buffer.from(JSON.stringify({ snapshot: lastOfVersion1 }))],
    [`snapshots/${lastOfVersion1}`, await readFile(join(directory, 'snapshots', lastOfVersion1))],
  ])
  const { findLastCheck, listEvents, ...parts } = await watch(t, { weather: store }, ['weather'])
  const { timing } = parts
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', repo)
  await timing.pass(2 * intervalMs)
  const moves = [`weather null -> ${lastOfVersion1} first_observation`, `weather ${lastOfVersion1} -> ${head} null`]
  t.strictSame(await listEvents(), moves)
  store.objects.delete('repo')
  await timing.pass(2 * intervalMs)
  t.strictSame(await listEvents(), moves)
  t.match(await findLastCheck(), { snapshotId: head, error: { name: 'MissingObjectError', key: 'repo' } })
  const restarted = startWatcher(parts)
  await timing.pass(2 * intervalMs)
  t.match(await findLastCheck(restarted), { snapshotId: null, error: { name: 'MissingObjectError' } })
  await restarted.stop()
  store.objects.set('repo', repo)
  await timing.pass(10 * intervalMs)
  t.strictSame(await listEvents(), moves)
  t.match(await findLastCheck(), { snapshotId: head, error: undefined })
})

t.test('callers who come while a check runs share the next one', async (t) => {
  const listAsked = async (callers: number) => {
    const store = makeStore()
    const { watcher, catalog } = await watch(t, { weather: store })
    const entry = await findWeather(catalog)
    const read = store.read.bind(store)
    const [reading, callersCame] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    store.read = async (...request) => {
      const answer = await read(...request)
      reading.resolve()
      await callersCame.promise
      return answer
    }
    const running = watcher.check(entry)
    await reading.promise
    store.objects.set('repo', newerBytes)
    const waiting = Array.from({ length: callers }, () => watcher.check(entry))
    callersCame.resolve()
    t.match(await running, { snapshotId: older.head })
    for (const head of await Promise.all(waiting)) t.match(head, { snapshotId: newer.head })
    t.match(await watcher.check(entry), { previousSnapshotId: newer.head }, 'later callers get a check of their own')
    return store.asked
  }
  t.strictSame(await listAsked(5), await listAsked(1))
})

t.test('polls vary by a fifth, and begin together in tenths of a second', async (t) => {
  for (const [random, expectedMs] of [
    [0, 8_000],
    [0.99, 12_000],
    [0.999, 12_000],
  ] as const) {
    const timing = Object.assign(new ManualTiming(), { random: () => random })
    const store = makeStore()
    const { watcher: first, ...parts } = await watch(t, { weather: store }, ['weather'])
    await first.stop()
    const startedAt: number[] = []
    const read = store.read.bind(store)
    store.read = (...request) => (startedAt.push(timing.elapsed()), read(...request))
    const watcher = startWatcher({ ...parts, timing })
    await timing.pass(30_000, 20)
    await watcher.stop()
    const [last = 0, beforeLast = 0] = startedAt.toReversed()
    t.equal(last - beforeLast, expectedMs)
  }
})

t.test('checks that keep failing become rare', async (t) => {
  const store = new MemoryStore()
  const { timing } = await watch(t, { weather: store }, ['weather'])
  const countChecks = () => store.asked.filter((key) => key === 'repo').length
  await timing.pass(intervalMs)
  t.equal(countChecks(), 6, 'after 0.2, 0.4, 0.8, 1.6 and 3.2 s')
  await timing.pass(20 * intervalMs)
  const before = countChecks()
  await timing.pass(100 * intervalMs)
  t.equal(countChecks() - before, 10)
})

t.test('a store that does not answer fails after a while', async (t) => {
  const { findLastCheck, timing, listEvents } = await watch(t, { weather: makeHangingStore(t) }, ['weather'])
  await timing.pass(35_000, 1_000)
  t.match(await findLastCheck(), { error: { message: /^memory: main: was not read within 30 s$/ } })
  t.strictSame(await listEvents(), [])
})

t.test('a head that an older database has without its commit gets it at the next check', async (t) => {
  const { directory, head } = await readHistory('weather')
  const parts = await watch(t, { weather: openLocalStore(directory) })
  const watcher = makeWatcher(parts, () => {})
  t.teardown(() => watcher.stop())
  await watcher.check(await findWeather(parts.catalog))
  const recorded = (await listHeads(parts.db, 'acme', ['weather'])).get('weather')
  t.match(recorded, { snapshotId: head, formatVersion: 2, commit: { message: 'State the licence', author: null } })
})

t.test('an unchanged repository on a local disk is checked without the database', async (t) => {
  for (const name of ['weather', 'weather-v1']) {
    const { directory, head } = await readHistory(name)
    const { db, catalog, ...parts } = await watch(t, { weather: openLocalStore(directory) }, ['weather'])
    const { queries, counting } = countQueries(db)
    const watcher = makeWatcher({ db: counting, catalog, ...parts }, () => {})
    t.teardown(() => watcher.stop())
    const entry = await findWeather(catalog)
    await watcher.check(entry)
    t.not(queries.length, 0, name)
    queries.length = 0
    t.match(await watcher.check(entry), { snapshotId: head, previousSnapshotId: head, eventId: null })
    t.strictSame(queries, [], name)
  }
})

t.test('a reset of version 1 is seen although another process has recorded a move in between', async (t) => {
  const { ids, directory } = await readHistory('weather-v1')
  const [older = '', newer = ''] = ids.toReversed()
  const writeRef = (id: string) => Buffer.from(JSON.stringify({ snapshot: id }))
  const store = new MemoryStore()
  for (const id of [older, newer]) {
    store.objects.set(`snapshots/${id}`, await readFile(join(directory, 'snapshots', id)))
  }
  store.objects.set('refs/branch.main/ref.json', writeRef(older))
  const { catalog, watcher, listEvents, ...parts } = await watch(t, { weather: store }, ['weather'])
  const other = makeWatcher({ catalog, ...parts }, () => {})
  t.teardown(() => other.stop())
  const entry = await findWeather(catalog)
  await watcher.check(entry)
  store.objects.set('refs/branch.main/ref.json', writeRef(newer))
  await other.check(entry)
  store.objects.set('refs/branch.main/ref.json', writeRef(older))
  await watcher.check(entry)
  t.match((await listEvents()).at(-1), `weather ${newer} -> ${older}`)
})
