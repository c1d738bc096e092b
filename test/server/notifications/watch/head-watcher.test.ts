import { once, EventEmitter } from 'node:events'
import { copyFile, cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyDeclaredReceivers, openDatabase, rememberRepository } from '@floe/storage/database'
import type { Database } from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { openLocalStore, openStore, type ObjectStore } from '@floe/storage/objects'
import t, { type Test } from 'tap'
import { Catalog, type CatalogSource } from '../../../../server/repositories/catalog.ts'
import { HeadWatcher } from '../../../../server/notifications/watch/head-watcher.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { startLoopback } from '../../../storage/objects/loopback-server.ts'
import { fixtureHistory } from '../fixture-histories.ts'
import { ManualTiming } from '../manual-timing.ts'

const intervalMs = 10_000
const older = await fixtureHistory('reset')
const newer = await fixtureHistory('expired')
const olderBytes = await readFile(join(older.directory, 'repo'))
const newerBytes = await readFile(join(newer.directory, 'repo'))

type Watching = {
  readonly db: Database
  readonly watcher: HeadWatcher
  readonly catalog: Catalog
  readonly timing: ManualTiming
  readonly errors: unknown[]
  /** `name previous -> new reason` of each event that was recorded, in order. */
  readonly events: () => Promise<string[]>
  /** Resolves with the next head move. */
  readonly nextMove: () => Promise<unknown>
}

/** A watcher of `acme`, stopped with the test. */
async function watch(
  t: Test,
  stores: Record<string, ObjectStore>,
  receivers: readonly string[] = [],
): Promise<Watching> {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  for (const name of receivers) await addReceiver(db, name)
  const sources = Object.entries(stores).map(([name, store]): CatalogSource => ({ kind: 'repository', name, store }))
  const remember = (org: string, name: string) => rememberRepository(db, org, name, new Date(timing.now()))
  const catalog = new Catalog('acme', sources, { remember, now: timing.now, limits: defaultLimits })
  const moves = new EventEmitter()
  const errors: unknown[] = []
  const watcher = startWatcher({ db, catalog, timing, errors }, () => moves.emit('move'))
  t.teardown(async () => {
    await watcher.stop()
    await db.destroy()
  })
  const events = async () => {
    const rows = await db.selectFrom('events').select('payload').orderBy('sequence').execute()
    return rows.map(({ payload }) => {
      const { details } = JSON.parse(payload)
      const { repo_name, previous_snapshot_id, snapshot_id, commits_unavailable_reason } = details
      return `${repo_name} ${previous_snapshot_id} -> ${snapshot_id} ${commits_unavailable_reason}`
    })
  }
  return { db, watcher, catalog, timing, errors, events, nextMove: () => once(moves, 'move') }
}

function startWatcher(
  { db, catalog, timing, errors }: Pick<Watching, 'db' | 'catalog' | 'timing' | 'errors'>,
  onHeadMove: () => void = () => {},
): HeadWatcher {
  const watcher = makeWatcher({ db, catalog, timing, errors }, onHeadMove)
  watcher.start()
  return watcher
}

function makeWatcher(
  { db, catalog, timing, errors }: Pick<Watching, 'db' | 'catalog' | 'timing' | 'errors'>,
  onHeadMove: () => void,
): HeadWatcher {
  return new HeadWatcher({
    db,
    catalogs: new Map([['acme', catalog]]),
    pollIntervalMs: intervalMs,
    maxCommits: 250,
    timing,
    onHeadMove,
    onError: (error) => errors.push(error),
  })
}

async function addReceiver(db: Database, name: string): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', name, new Date())
  const hook = {
    kind: 'webhook',
    alias: 'hook',
    url: 'https://example.org/',
    service: null,
    secretToken: null,
    signingSecret: null,
  } as const
  await applyDeclaredReceivers(db, repoId, [{ ...hook, events: ['NewCommit'] }], { secrets, now: new Date() })
}

const memory = (bytes: Uint8Array = olderBytes) => new MemoryStore([['repo', bytes]])
const firstObservation = (name: string) => `${name} null -> ${older.head} first_observation`
const rewritten = (name: string) => `${name} ${older.head} -> ${newer.head} history_rewritten`

t.test('every head is recorded once, and again when it has moved', async (t) => {
  const store = memory()
  const { timing, events } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  t.strictSame(await events(), [firstObservation('weather')])
  store.objects.set('repo', newerBytes)
  await timing.pass(3 * intervalMs)
  t.strictSame(await events(), [firstObservation('weather'), rewritten('weather')])
})

t.test('a branch that is reset tells its chats of the older commit', async (t) => {
  const store = memory(newerBytes)
  const { db, timing, events } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(3 * intervalMs)
  store.objects.set('repo', olderBytes)
  await timing.pass(3 * intervalMs)
  t.match((await events()).at(-1), `${newer.head} -> ${older.head} history_rewritten`)
  const rows = await db.selectFrom('events').select('line').orderBy('sequence').execute()
  const message = older.snapshots[older.head]?.message
  t.equal(rows.at(-1)?.line, `acme/weather branch main is now at ${older.head}: ${message}`)
})

t.test('a repository without receivers is checked ten times less often', async (t) => {
  const [busy, quiet] = [memory(), memory()]
  const { timing, events } = await watch(t, { busy, quiet }, ['busy'])
  await timing.pass(intervalMs / 2)
  t.strictSame(
    (await events()).toSorted(),
    [firstObservation('busy'), firstObservation('quiet')],
    'its first head is recorded at once',
  )
  busy.asked.length = 0
  quiet.asked.length = 0
  await timing.pass(20 * intervalMs)
  t.strictSame(busy.asked, Array<string>(20).fill('repo'), 'an unchanged one costs one read')
  t.strictSame(quiet.asked, ['repo', 'repo'])
})

t.test('a repository that gets its first receiver is checked within two intervals', async (t) => {
  const store = memory()
  const { db, timing, events } = await watch(t, { weather: store })
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes)
  await timing.pass(2 * intervalMs)
  t.equal((await events()).length, 1)
  await addReceiver(db, 'weather')
  await timing.pass(2 * intervalMs)
  t.equal((await events()).length, 2)
})

t.test('a torn write is no event, and is checked again soon', async (t) => {
  const store = memory()
  const { watcher, timing, events, errors } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes.subarray(0, newerBytes.length / 2))
  await timing.pass(intervalMs)
  t.match(watcher.lastChecks(), [{ snapshotId: older.head, error: { name: 'DamagedObjectError' } }])
  store.objects.set('repo', newerBytes)
  await timing.pass(intervalMs)
  t.strictSame(await events(), [firstObservation('weather'), rewritten('weather')])
  t.match(watcher.lastChecks(), [{ name: 'weather', snapshotId: newer.head, error: undefined }])
  t.equal(errors.length, 1, 'a lasting failure is reported once')
})

t.test('a repository that disappears keeps its last head', async (t) => {
  const store = memory()
  const { watcher, timing, events } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  store.objects.delete('repo')
  await timing.pass(5 * intervalMs)
  t.match(watcher.lastChecks(), [{ snapshotId: older.head, error: { name: 'NotARepositoryError' } }])
  store.objects.set('repo', newerBytes)
  await timing.pass(10 * intervalMs)
  t.strictSame(await events(), [firstObservation('weather'), rewritten('weather')])
})

t.test('a migrated repository whose `repo` vanishes has not moved back to its old references', async (t) => {
  const { directory, ids } = await fixtureHistory('migrated')
  const [head = '', lastOfVersion1 = ''] = ids
  const repo = await readFile(join(directory, 'repo'))
  const store = new MemoryStore([
    ['refs/branch.main/ref.json', Buffer.from(JSON.stringify({ snapshot: lastOfVersion1 }))],
    [`snapshots/${lastOfVersion1}`, await readFile(join(directory, 'snapshots', lastOfVersion1))],
  ])
  const { db, catalog, timing, watcher, events, errors } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  store.objects.set('repo', repo)
  await timing.pass(2 * intervalMs)
  const moves = [`weather null -> ${lastOfVersion1} first_observation`, `weather ${lastOfVersion1} -> ${head} null`]
  t.strictSame(await events(), moves)
  store.objects.delete('repo')
  await timing.pass(2 * intervalMs)
  t.strictSame(await events(), moves)
  t.match(watcher.lastChecks(), [{ snapshotId: head, error: { name: 'MissingObjectError', key: 'repo' } }])
  const restarted = startWatcher({ db, catalog, timing, errors })
  await timing.pass(2 * intervalMs)
  t.match(restarted.lastChecks(), [{ snapshotId: null, error: { name: 'MissingObjectError' } }])
  await restarted.stop()
  store.objects.set('repo', repo)
  await timing.pass(10 * intervalMs)
  t.strictSame(await events(), moves)
  t.match(watcher.lastChecks(), [{ snapshotId: head, error: undefined }])
})

t.test('checks that keep failing become rare', async (t) => {
  const store = new MemoryStore()
  const { timing } = await watch(t, { weather: store }, ['weather'])
  const checks = () => store.asked.filter((key) => key === 'repo').length
  await timing.pass(intervalMs)
  t.equal(checks(), 6, 'after 0.2, 0.4, 0.8, 1.6 and 3.2 s')
  await timing.pass(20 * intervalMs)
  const before = checks()
  await timing.pass(100 * intervalMs)
  t.equal(checks() - before, 10)
})

t.test('at most 16 scheduled checks run at the same time', async (t) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let underWay = 0
  let most = 0
  const slow = (): ObjectStore => {
    const store = memory()
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
  const { timing, events } = await watch(t, Object.fromEntries(names.map((name) => [name, slow()])))
  await timing.pass(intervalMs)
  t.equal(most, 16)
  open()
  await timing.pass(1_000)
  t.equal((await events()).length, 40)
})

t.test('watchers of one database record a move once', async (t) => {
  const store = memory()
  const one = await watch(t, { weather: store }, ['weather'])
  const other = startWatcher(one)
  await one.timing.pass(intervalMs / 2)
  store.objects.set('repo', newerBytes)
  await one.timing.pass(2 * intervalMs)
  await other.stop()
  t.strictSame(await one.events(), [firstObservation('weather'), rewritten('weather')])
  t.strictSame(one.errors, [])
})

t.test('a check on request runs at once and returns the head it found', async (t) => {
  const store = memory()
  const { db, watcher, catalog, timing } = await watch(t, { weather: store }, ['weather'])
  await timing.pass(intervalMs / 2)
  const entry = await catalog.find('weather', () => AbortSignal.timeout(1_000))
  if (entry === undefined) throw new Error('weather is not there')
  const still = { snapshotId: older.head, previousSnapshotId: older.head, eventId: null }
  t.match(await watcher.check(entry), still)
  store.objects.set('repo', newerBytes)
  const moved = await watcher.check(entry)
  t.match(moved, { snapshotId: newer.head, previousSnapshotId: older.head })
  const recorded = await db.selectFrom('events').select(['id', 'sequence']).orderBy('sequence').execute()
  t.strictSame(recorded.at(-1), { id: moved.eventId, sequence: 2 })
  t.match(watcher.lastChecks(), [{ name: 'weather', snapshotId: newer.head, formatVersion: 2, error: undefined }])
  store.objects.delete('repo')
  await t.rejects(watcher.check(entry), { name: 'NotARepositoryError' })
})

t.test('a check on request before the start is not repeated', async (t) => {
  const store = memory()
  const { watcher: started, ...parts } = await watch(t, { weather: store }, ['weather'])
  await started.stop()
  const watcher = makeWatcher(parts, () => {})
  t.teardown(() => watcher.stop())
  const entry = await parts.catalog.find('weather', () => AbortSignal.timeout(1_000))
  if (entry === undefined) throw new Error('weather is not there')
  await watcher.check(entry)
  store.asked.length = 0
  await parts.timing.pass(30 * intervalMs)
  t.strictSame(store.asked, [])
  watcher.start()
  await parts.timing.pass(intervalMs / 2)
  t.strictSame(store.asked, ['repo'])
})

/** A store that does not answer before the test has ended. */
function hanging(t: Test): ObjectStore {
  const { promise, resolve } = Promise.withResolvers<{ state: 'absent' }>()
  t.teardown(() => resolve({ state: 'absent' }))
  return Object.assign(memory(), { read: () => promise })
}

t.test('a stop does not wait for a store that does not answer', async (t) => {
  const { watcher, timing, events } = await watch(t, { weather: hanging(t) }, ['weather'])
  await timing.pass(1_000)
  await watcher.stop()
  t.match(watcher.lastChecks(), [{ error: { message: 'the service is stopping' } }])
  t.strictSame(await events(), [])
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

t.test('a store that does not answer fails after a while', async (t) => {
  const { watcher, timing, events } = await watch(t, { weather: hanging(t) }, ['weather'])
  await timing.pass(35_000, 1_000)
  t.match(watcher.lastChecks(), [{ error: { message: /^memory: main: was not read within 30 s$/ } }])
  t.strictSame(await events(), [])
})

t.test('a change on this machine is noticed before the next scheduled check', async (t) => {
  const root = t.testdir({ weather: {} })
  const directory = join(root, 'weather')
  await copyFile(join(older.directory, 'repo'), join(directory, 'repo'))
  const { timing, events, nextMove } = await watch(t, { weather: openLocalStore(directory) }, ['weather'])
  const first = nextMove()
  await timing.pass(500)
  await first
  const renamed = nextMove()
  await writeFile(join(directory, 'repo#1'), newerBytes)
  await rename(join(directory, 'repo#1'), join(directory, 'repo'))
  await renamed
  t.strictSame(await events(), [firstObservation('weather'), rewritten('weather')])
  const copied = nextMove()
  await copyFile(join(older.directory, 'repo'), join(directory, 'repo'))
  await copied
  t.equal((await events()).at(-1), `weather ${newer.head} -> ${older.head} history_rewritten`, 'also in place')
})

t.test('changes of a version 1 repository, and in a directory that was replaced, are noticed too', async (t) => {
  const history = await fixtureHistory('weather-v1')
  const root = t.testdir()
  const directory = join(root, 'weather')
  for (const name of ['weather', 'restored']) await cp(history.directory, join(root, name), { recursive: true })
  const { timing, events, nextMove } = await watch(t, { weather: openLocalStore(directory) }, ['weather'])
  const ref = join(directory, 'refs/branch.main/ref.json')
  const first = nextMove()
  await timing.pass(500)
  await first
  const second = nextMove()
  await writeFile(ref, JSON.stringify({ snapshot: history.ids[1] }))
  await second
  const restored = nextMove()
  await rename(directory, join(root, 'gone'))
  await rename(join(root, 'restored'), directory)
  await timing.pass(2 * intervalMs)
  await restored
  await timing.pass(2 * intervalMs)
  const third = nextMove()
  await writeFile(ref, JSON.stringify({ snapshot: history.ids[2] }))
  await third
  const [a, b, c] = history.ids
  t.strictSame(await events(), [
    `weather null -> ${a} first_observation`,
    `weather ${a} -> ${b} repo_format_v1`,
    `weather ${b} -> ${a} repo_format_v1`,
    `weather ${a} -> ${c} repo_format_v1`,
  ])
})
