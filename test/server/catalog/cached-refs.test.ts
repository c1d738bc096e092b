import { type CachedCommits, openRepository, type Repository, type ResolvedRef } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { CachedRefs } from '../../../server/catalog/cached-refs.ts'
import { countReads } from './count-reads.ts'
import { fixtures } from '../start-server.ts'

const openCommits = (): CachedCommits => ({ has: () => false, read: (_id, signal, read) => read(signal) })

for (const name of ['weather', 'weather-v1']) {
  t.test(`${name}: an unknown ref is looked up once while it is remembered`, async (t) => {
    const { store, reads } = countReads(openLocalStore(fixtures).below(`${name}/`))
    let now = 0
    const refs = new CachedRefs({ refMaxAgeMs: 1_000, elapsed: () => now, openCommits })
    const repository = openRepository(store)
    const ask = () => t.rejects(refs.resolve(repository, 'nope'), { name: 'RefNotFoundError' })
    await Promise.all([ask(), ask()])
    const once = reads.length
    t.ok(once > 0)
    now = 999
    await ask()
    t.equal(reads.length, once)
    now = 1_000
    await ask()
    t.ok(reads.length > once, 'then it is looked up again')
  })
}

t.test('callers cannot make it remember any number of refs, however many repositories there are', async (t) => {
  const { store, reads } = countReads(openLocalStore(fixtures).below('weather/'))
  const refs = new CachedRefs({ refMaxAgeMs: 1_000, elapsed: () => 0, openCommits })
  const ask = (repository: Repository, ref: string) => refs.resolve(repository, ref).catch((error: unknown) => error)
  const asked = openRepository(store)
  await ask(asked, 'nope')
  const others = Array.from({ length: 11 }, () => openRepository(openLocalStore(fixtures).below('weather/')))
  for (const other of others) {
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(other, `nope-${index}`)))
  }
  const before = reads.length
  await ask(asked, 'nope')
  t.ok(reads.length > before, 'the ref that was asked for longest ago is forgotten')
})

t.test('a state is read once while it is remembered, unless the repository has released it', async (t) => {
  const { store, reads } = countReads(openLocalStore(fixtures).below('weather/'))
  let now = 0
  const refs = new CachedRefs({ refMaxAgeMs: 1_000, elapsed: () => now, openCommits })
  const repository = openRepository(store)
  const state = await refs.readState(repository)
  t.ok(refs.isCached(repository, state))
  now = 999
  const once = reads.length
  t.equal(await refs.readState(repository), state)
  t.equal(reads.length, once)
  now = 1_000
  t.notOk(refs.isCached(repository, state))
  t.equal(await refs.readState(repository), state, 'unchanged')
  t.ok(reads.length > once)
  repository.releaseIdleState()
  repository.releaseIdleState()
  t.notOk(refs.isCached(repository, state))
  t.not(await refs.readState(repository), state)
})

t.test('a read that fails after it has expired leaves the newer read cached', async (t) => {
  const repository = openRepository(openLocalStore(fixtures).below('weather/'))
  const newer = await repository.resolve('main', new AbortController().signal)
  const first = Promise.withResolvers<ResolvedRef>()
  const reads: Promise<ResolvedRef>[] = [first.promise, Promise.resolve(newer)]
  Object.assign(repository, { resolve: () => reads.shift() })
  let now = 0
  const refs = new CachedRefs({ refMaxAgeMs: 1_000, elapsed: () => now, openCommits })
  const failing = t.rejects(refs.resolve(repository, 'main'), { message: 'slow' })
  now = 1_000
  t.equal(await refs.resolve(repository, 'main'), newer)
  first.reject(new Error('slow'))
  await failing
  t.equal(await refs.resolve(repository, 'main'), newer, 'a third read would not answer')
})
