import { getEventListeners } from 'node:events'
import { t } from 'tap'
import { defaultLimits, openRepository, type RepoCache } from '../../../../../storage/repositories/icechunk/index.ts'
import {
  ObjectStoreError,
  type ReadOptions,
  type ReadResult,
} from '../../../../../storage/repositories/objects/index.ts'
import { MemoryStore } from '../../../memory-store.ts'
import { buildNode, buildRepo, buildSnapshot, buildId } from '../build-object.ts'
import { matchDamage } from '../match-damage.ts'

const { signal } = new AbortController()
const mainRef = 'refs/branch.main/ref.json'
const [one, two] = [buildId(1), buildId(2)]
const writeRef = (id: string) => Buffer.from(JSON.stringify({ snapshot: id }))

t.test('a location without the objects of a repository is not a repository', async (t) => {
  const repository = openRepository(new MemoryStore([['zarr.json', Buffer.from('{}')]]))
  await t.rejects(repository.readState(signal), { name: 'NotARepositoryError', repository: 'memory' })
  await t.rejects(repository.resolve('main', signal), { name: 'NotARepositoryError' })
})

t.test('the objects that exist decide the format version, and `repo` comes first', async (t) => {
  const store = new MemoryStore([[mainRef, writeRef(two)]])
  t.match(await openRepository(store).readState(signal), { formatVersion: 1, main: two })
  store.objects.set('repo', buildRepo())
  t.match(await openRepository(store).readState(signal), { formatVersion: 2, main: one })
  store.objects.delete(mainRef)
  t.match(await openRepository(store).readState(signal), { formatVersion: 2, main: one })
  store.objects.set('repo', new Uint8Array())
  await t.rejects(openRepository(store).readState(signal), matchDamage(/the header of an Icechunk object has 39/))
})

t.test('`repo` is enough where the store hangs or refuses to read `ref.json`', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const read = store.read.bind(store)
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  store.read = (key, options) => (key === mainRef ? refused : read(key, options))
  t.match(await openRepository(store).readState(signal), { formatVersion: 2, main: one })
  const fault = new ObjectStoreError('memory', mainRef, 'the store answered 403')
  refuse(fault)
  t.match(await openRepository(store).readState(signal), { formatVersion: 2, main: one })
  store.objects.delete('repo')
  await t.rejects(openRepository(store).readState(signal), fault)
})

t.test('an unchanged `repo` is requested again, but not transferred', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const repository = openRepository(store)
  const first = await repository.readState(signal)
  store.asked.length = 0
  t.equal(await repository.readState(signal), first)
  t.strictSame(store.asked, ['repo'])
  store.objects.set('repo', buildRepo({ snapshots: [{ id: two, parent: -1 }] }))
  t.match(await repository.readState(signal), { main: two })
})

t.test('an unchanged reference of version 1 is not transferred again if every write changes the etag', async (t) => {
  const store = Object.assign(new MemoryStore([[mainRef, writeRef(one)]]), { everyWriteChangesEtag: true } as const)
  const repository = openRepository(store)
  const first = await repository.readState(signal)
  t.equal(await repository.readState(signal), first)
  store.objects.set(mainRef, writeRef(one))
  const written = await repository.readState(signal)
  t.not(written, first, 'somebody has written the same head')
  store.objects.set(mainRef, writeRef(two))
  t.match(await repository.readState(signal), { main: two })
  store.objects.set('repo', buildRepo())
  t.match(await repository.readState(signal), { formatVersion: 2, main: one })
  store.objects.delete('repo')
  t.match(await repository.readState(signal), { formatVersion: 1, main: two })
  store.objects.delete(mainRef)
  await t.rejects(repository.readState(signal), { name: 'NotARepositoryError' })
  const other = openRepository(new MemoryStore([[mainRef, writeRef(one)]]))
  t.not(await other.readState(signal), await other.readState(signal), 'the etag can be a hash')
})

t.test('concurrent callers share one read, each with its own signal', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const repository = openRepository(store)
  const stopped = new AbortController()
  const waiting = repository.readState(stopped.signal)
  const others = [repository.readState(signal), repository.resolve('main', signal), repository.readRefs(signal)]
  stopped.abort()
  await t.rejects(waiting, { name: 'AbortError' })
  await Promise.all(others)
  t.strictSame(store.asked.sort(), [mainRef, 'repo'])
})

t.test('a read is aborted when all callers have left, and the next caller starts another', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const signals: AbortSignal[] = []
  const readNow = store.read.bind(store)
  store.read = async (key, options) => {
    signals.push(options.signal)
    // The two reads of the first call never end by themselves.
    return signals.length <= 2 ? new Promise<never>(() => undefined) : readNow(key, options)
  }
  const repository = openRepository(store)
  const callers = [new AbortController(), new AbortController()]
  const waiting = callers.map(({ signal }) => repository.readState(signal).catch((error: unknown) => error))
  callers[0]?.abort()
  await waiting[0]
  t.strictSame(
    signals.map(({ aborted }) => aborted),
    [false, false],
  )
  callers[1]?.abort()
  t.match(await waiting[1], { name: 'AbortError' })
  t.ok(signals[0]?.aborted && signals[1]?.aborted)
  t.match(await repository.readState(signal), { main: one })
})

t.test('a fresh state never comes from a read that is under way', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const repository = openRepository(store)
  const underWay = repository.readState(signal)
  store.objects.set('repo', buildRepo({ snapshots: [{ id: two, parent: -1 }] }))
  t.match(await repository.readFreshState(signal), { main: two })
  t.match(await underWay, { main: one })
})

t.test('a state that no caller has requested is released, and its version needs no transfer', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const repository = openRepository(store)
  const { version } = await repository.readFreshState(signal)
  repository.releaseIdleState()
  t.equal(repository.lastState, undefined)
  store.asked.length = 0
  t.equal(await repository.readFreshVersion(signal), version)
  t.strictSame(store.asked, ['repo'])
  t.equal(repository.lastState, undefined, 'nothing was read')
  const asked = await repository.readState(signal)
  t.match(asked, { main: one, version })
  repository.releaseIdleState()
  t.equal(repository.lastState, asked, 'it was requested')
  repository.releaseIdleState()
  repository.releaseIdleState()
  t.equal(repository.lastState, undefined, 'and not since')
  store.objects.set('repo', buildRepo({ snapshots: [{ id: two, parent: -1 }] }))
  const moved = await repository.readFreshVersion(signal)
  t.not(moved, version)
  t.match(repository.lastState, { main: two, version: moved })
  store.objects.delete('repo')
  store.objects.set(mainRef, writeRef(one))
  repository.releaseIdleState()
  repository.releaseIdleState()
  t.not(await repository.readFreshVersion(signal), moved)
  t.match(repository.lastState, { formatVersion: 1, main: one }, 'as when it was never released')
})

t.test('a state that the cache has dropped is read again, and its version needs no transfer', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const cache = new Map<number, Parameters<RepoCache['set']>[1]>()
  const repository = openRepository(store, defaultLimits, cache)
  const { version } = await repository.readState(signal)
  cache.clear()
  t.equal(repository.lastState, undefined)
  t.equal(await repository.readFreshVersion(signal), version)
  t.equal(repository.lastState, undefined, 'nothing was read')
  const read = await repository.readState(signal)
  t.match(read, { main: one, version })
  t.equal(repository.lastState, read)
})

/** A repository that is migrated as soon as the references of version 1 are listed. */
class MigratingStore extends MemoryStore {
  override async list(...given: Parameters<MemoryStore['list']>): ReturnType<MemoryStore['list']> {
    this.objects.set('repo', buildRepo({ branches: Object.entries({ main: 0, dev: 0 }) }))
    for (const key of this.objects.keys()) if (key.startsWith('refs/')) this.objects.delete(key)
    return super.list(...given)
  }
}

t.test('references whose files vanish during migration are read from `repo`', async (t) => {
  const objects = [
    [mainRef, writeRef(two)],
    ['refs/branch.dev/ref.json', writeRef(two)],
  ] as const
  t.match(await openRepository(new MigratingStore(objects)).resolve('dev', signal), { snapshotId: one })
  const { branches } = await openRepository(new MigratingStore(objects)).readRefs(signal)
  t.strictSame([...branches].flat(), ['dev', one, 'main', one])
})

t.test('a repository that is replaced by one of version 1 is read again from the start', async (t) => {
  const store = new MemoryStore([['repo', buildRepo()]])
  const repository = openRepository(store)
  await repository.readState(signal)
  store.objects.delete('repo')
  await t.rejects(repository.readState(signal), { name: 'NotARepositoryError' })
  store.objects.set(mainRef, writeRef(two))
  t.match(await repository.readState(signal), { formatVersion: 1, main: two })
})

t.test('a snapshot is read by its id, which must match the id in the object', async (t) => {
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${one}`, buildSnapshot({ message: 'first', nodes: [buildNode('/')] })],
    [`snapshots/${two}`, buildSnapshot()],
  ])
  const repository = openRepository(store)
  const snapshot = await repository.readSnapshot(one, signal)
  t.match(snapshot, { id: one, message: 'first' })
  t.equal(snapshot.nodes.length, 1)
  await t.rejects(repository.readSnapshot(two, signal), matchDamage(`it says that it is snapshot ${one}`))
  const missing = { name: 'MissingObjectError', key: `snapshots/${buildId(3)}`, repository: 'memory' }
  await t.rejects(repository.readSnapshot(buildId(3), signal), missing)
})

t.test('commits of version 2 come from `repo`, and need no snapshot object', async (t) => {
  const snapshots = [
    { id: one, parent: -1, message: 'first' },
    { id: two, parent: 0, message: 'second' },
  ]
  const repository = openRepository(new MemoryStore([['repo', buildRepo({ snapshots, branches: [['main', 1]] })]]))
  t.match(await repository.readCommit(two, signal), { message: 'second', parentId: one })
  t.match(await repository.readHistory(two, { limit: 9, signal }), { commits: [{ id: two }, { id: one }], next: null })
  await t.rejects(repository.readCommit(buildId(3), signal), { name: 'MissingObjectError' })
})

/** A store that never answers. */
class SilentStore extends MemoryStore {
  override read(_key: string, _options: ReadOptions): Promise<ReadResult> {
    return new Promise(() => {})
  }
}

t.test('a read ends at the time limit and on abort', async (t) => {
  const limits = { ...defaultLimits, readTimeoutMs: 20 }
  await t.rejects(openRepository(new SilentStore(), limits).readState(signal), { name: 'ObjectStoreTimeoutError' })
  await t.rejects(openRepository(new SilentStore(), limits).readSnapshot(one, signal), {
    name: 'ObjectStoreTimeoutError',
  })
  const leaving = new AbortController()
  const snapshot = openRepository(new SilentStore()).readSnapshot(one, leaving.signal)
  leaving.abort(new Error('left'))
  await t.rejects(snapshot, new Error('left'))
  await t.rejects(openRepository(new SilentStore()).readSnapshot(one, leaving.signal), new Error('left'))
})

t.test('a long-lived signal keeps no listeners of finished reads', async (t) => {
  const lasting = new AbortController()
  const repository = openRepository(new MemoryStore([['repo', buildRepo()]]))
  await repository.readRefs(lasting.signal)
  await t.rejects(repository.readSnapshot(two, lasting.signal), { name: 'MissingObjectError' })
  t.strictSame(getEventListeners(lasting.signal, 'abort'), [])
})
