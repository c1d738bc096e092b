// How the caches inside reader threads are used, as the main thread learns it.
import { t } from 'tap'
import { info, openCounted, openPool, signal } from './open-pool.ts'

const datasets = { kind: 'datasets', below: '' } as const

t.test('each question is counted once, as a hit where the thread has the snapshot', async (t) => {
  const pool = openPool(t, 2, { cacheBytes: 1_000_000 })
  const none = { hits: 0, misses: 0, bytes: 0, maxBytes: 2_000_000 }
  t.strictSame(pool.readCacheUse(), none)
  const { repository, snapshotId } = await openCounted()
  await pool.ask(repository, snapshotId, info, signal)
  const { bytes } = pool.readCacheUse()
  t.ok(bytes > 100, `${bytes} bytes`)
  await pool.ask(repository, snapshotId, datasets, signal)
  await t.rejects(pool.ask(repository, snapshotId, { kind: 'info', group: 'nowhere' }, signal))
  t.strictSame(pool.readCacheUse(), { hits: 2, misses: 1, bytes, maxBytes: 2_000_000 })
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  await pool.ask(repository, snapshotId, { kind: 'diff', from }, signal)
  t.match(pool.readCacheUse(), { hits: 3, misses: 2 }, 'of two snapshots, one was there')
})

t.test('a thread that is ended holds nothing, and its counts stay', async (t) => {
  let isSlow = false
  const after = (_ms: number, callback: () => void) => {
    // Before the event loop can take an answer, which comes soon.
    if (isSlow) queueMicrotask(callback)
    return () => undefined
  }
  const pool = openPool(t, 1, { after })
  const { repository, snapshotId } = await openCounted()
  await pool.ask(repository, snapshotId, info, signal)
  isSlow = true
  await t.rejects(pool.ask(repository, snapshotId, datasets, signal), { code: 'unavailable' })
  isSlow = false
  t.match(pool.readCacheUse(), { misses: 1, bytes: 0 })
  await pool.ask(repository, snapshotId, info, signal)
  const { misses, bytes } = pool.readCacheUse()
  t.equal(misses, 2, 'the next thread counts on')
  t.ok(bytes > 100)
})
