// A cached answer is sent only while its sources are unchanged.
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { fixtures } from '../../start-server.ts'
import { info, refMaxAge, startCaching } from './start-caching.ts'

function makeMovingStore(): { readonly store: ObjectStore; move: () => void } {
  let current = openLocalStore(join(fixtures, 'weather'))
  const store: ObjectStore = {
    location: 'moving',
    encodesKeys: true,
    read: (key, options) => current.read(key, options),
    list: (prefix, options) => current.list(prefix, options),
    below: (prefix) => current.below(prefix),
  }
  return { store, move: () => (current = openLocalStore(join(fixtures, 'satellite'))) }
}

t.test('an answer is given until its ref is too old, and then from where the ref points now', async (t) => {
  const { store, move } = makeMovingStore()
  const { clock, ask, askAgain } = await startCaching(t, { sources: [{ kind: 'repository', name: 'moving', store }] })
  for (const path of ['discovery/moving', 'discovery/moving/main', 'datasets/moving/main/info', 'datasets/moving/main'])
    await askAgain(path)
  const before = await askAgain('datasets/moving/main/info')
  move()
  clock.ms += refMaxAge - 1
  t.equal((await ask('datasets/moving/main/info')).headers['floe-snapshot'], before.headers['floe-snapshot'])
  clock.ms += 1
  const after = await askAgain('datasets/moving/main/info')
  t.not(after.headers['floe-snapshot'], before.headers['floe-snapshot'])
  for (const path of ['discovery/moving/main', 'datasets/moving/main'])
    t.equal((await askAgain(path)).headers['floe-snapshot'], after.headers['floe-snapshot'], path)
})

t.test('what changed is given until one of its two refs is too old', async (t) => {
  const { store, move } = makeMovingStore()
  const { clock, ask, askAgain } = await startCaching(t, { sources: [{ kind: 'repository', name: 'moving', store }] })
  const before = await askAgain('diff/moving/main/main')
  // The snapshot is in the moved repository no longer, so that only a cached answer can name it.
  move()
  clock.ms += refMaxAge - 1
  t.equal((await ask('diff/moving/main/main')).headers['floe-snapshot'], before.headers['floe-snapshot'])
  clock.ms += 1
  t.not((await askAgain('diff/moving/main/main')).headers['floe-snapshot'], before.headers['floe-snapshot'])
  t.equal((await ask('diff/moving/v1.0/main')).status, 404)
})

t.test('a repository that is gone has no cached answers', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const sources = [{ kind: 'scan', store: openLocalStore(directory) }] as const
  const { clock, ask, askAgain } = await startCaching(t, { sources })
  t.equal((await askAgain(info)).status, 200)
  await rm(join(directory, 'weather'), { recursive: true })
  clock.ms += 1_001
  t.equal((await ask('discovery')).body, '[]')
  t.equal((await ask(info)).status, 404)
})

t.test('the list of repositories is given until a scan is due or a name comes', async (t) => {
  const directory = t.testdir()
  const copy = (name: string) => cp(join(fixtures, 'weather'), join(directory, name), { recursive: true })
  await copy('weather')
  const sources = [{ kind: 'scan', store: openLocalStore(directory) }] as const
  const { clock, ask, askAgain } = await startCaching(t, { sources })
  t.equal((await askAgain('discovery')).body, '["weather"]')
  await copy('later')
  t.equal((await askAgain('discovery')).body, '["weather"]')
  t.equal((await ask('discovery/later')).status, 200)
  t.equal((await askAgain('discovery')).body, '["later","weather"]')
  await rm(join(directory, 'weather'), { recursive: true })
  clock.ms += 1_001
  t.equal((await ask('discovery')).body, '["later"]')
})
