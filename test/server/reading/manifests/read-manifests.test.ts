// Which manifests a pool reads for a question, and how often.
import { setImmediate } from 'node:timers/promises'
import { Diff } from '@floe/contract'
import { ObjectStoreError, ObjectTooLargeError } from '@floe/storage/objects'
import { t } from 'tap'
import { isPassing } from '../../../../server/reading/manifests/passing-answers.ts'
import type { Question } from '../../../../server/reading/questions/question.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { readMetrics, readValue } from '../../main/monitoring/read-metrics.ts'
import { waitUntil } from '../../wait-until.ts'
import { openPool, signal } from '../threads/open-pool.ts'
import {
  countWritten,
  gaps,
  gapsAlong,
  neededManifests,
  openArchive,
  openManifests,
  readWritten,
} from './open-manifests.ts'

/** Starting a thread takes time, so most tests share these. */
const pool = openPool(t, 2)

for (const version of ['v1', 'v2'] as const) {
  t.test(`only the manifests that are needed are read, once, and no chunk, in ${version}`, async (t) => {
    const metrics = createMetrics()
    const measured = openPool(t, 1, { metrics })
    const opened = await openManifests(version)
    t.strictSame(await countWritten(measured, opened), opened.written)
    t.equal(opened.store.manifestReads.length, neededManifests)
    t.strictSame(await countWritten(measured, opened, gapsAlong), opened.written)
    t.equal(new Set(opened.store.manifestReads).size, neededManifests)
    t.equal(opened.store.manifestReads.length, neededManifests, 'a second question reads nothing')
    t.strictSame(
      opened.store.asked.filter((key) => !/^(snapshots|manifests)\//.test(key)),
      [],
    )
    const readings = readMetrics(await metrics.registry.metrics())
    const count = (name: string) => readValue(readings, `floe_cache_${name}_total`, { cache: 'manifests' })
    t.strictSame([count('hits'), count('misses')], [neededManifests, neededManifests])
    t.ok(measured.manifests.size.bytes > 0)
    t.equal(measured.questions, 0)
  })
}

t.test('callers with different questions share the reads of manifests', async (t) => {
  const opened = await openManifests()
  const opening = Promise.withResolvers<void>()
  opened.store.beforeManifest = () => opening.promise
  const leaving = new AbortController()
  const left = countWritten(pool, opened, { ...gaps, path: '*' }, leaving.signal)
  const others = [countWritten(pool, opened), countWritten(pool, opened, gapsAlong)]
  await waitUntil(() => opened.store.manifestReads.length === 4 && pool.running === 0)
  leaving.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  opening.resolve()
  for (const found of await Promise.all(others)) t.strictSame(found, opened.written)
  t.equal(opened.store.manifestReads.length, neededManifests)
})

t.test('another repository has manifests of its own, though it has the same ids', async (t) => {
  const [one, other] = [await openManifests(), await openManifests()]
  await countWritten(pool, one)
  t.strictSame(await countWritten(pool, other), other.written)
  t.equal(other.store.manifestReads.length, neededManifests)
})

t.test('a question is answered although the cache has no room for its manifests', async (t) => {
  const narrow = openPool(t, 1, { manifestBytes: 1, cacheBytes: 1 })
  const opened = await openManifests()
  t.strictSame(await countWritten(narrow, opened), opened.written)
  t.equal(opened.store.manifestReads.length, neededManifests)
})

t.test('the slot of the repository is free while manifests are read', async (t) => {
  const opened = await openManifests()
  const opening = Promise.withResolvers<void>()
  opened.store.beforeManifest = () => opening.promise
  const found = countWritten(pool, opened)
  await waitUntil(() => opened.store.manifestReads.length === 4)
  const { snapshotId, ...asked } = opened
  t.ok(await pool.ask(asked, snapshotId, { kind: 'datasets', group: '' }, signal))
  opening.resolve()
  t.strictSame(await found, opened.written)
})

t.test('logs are not held while the manifests of a comparison are read', async (t) => {
  const { store, ...asked } = await openArchive()
  const resolve = async (ref: string) => (await asked.repository.resolve(ref, signal)).snapshotId
  const [from, to] = [await resolve('4-while-3-is-partial'), await resolve('3-repaired')]
  const ask = async (manifests: 'true' | 'false') => {
    const question: Question<'diff'> = { kind: 'diff', group: '', from, manifests }
    return Diff.parse(JSON.parse((await pool.ask(asked, to, question, signal)).toString()))
  }
  const opening = Promise.withResolvers<void>()
  store.beforeManifest = () => opening.promise
  const found = ask('true')
  await waitUntil(() => store.manifestReads.length === 4)
  const { chunks } = await ask('false')
  opening.resolve()
  t.match(
    (await found).chunks,
    chunks?.map(({ path }) => ({ path, filled: [{ first: 3, last: 3 }] })),
  )
  t.equal(new Set(store.manifestReads).size, store.manifestReads.length, 'a manifest of both snapshots is read once')
})

t.test('reads end when the caller leaves', async (t) => {
  const opened = await openManifests()
  const leaving = new AbortController()
  let ended = 0
  opened.store.beforeManifest = async ({ signal }) => {
    const { promise, reject } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => {
      ended++
      reject(new Error('aborted'))
    })
    await promise
  }
  const found = countWritten(pool, opened, gaps, leaving.signal)
  await waitUntil(() => opened.store.manifestReads.length === 4)
  leaving.abort(new Error('left'))
  await t.rejects(found, { message: 'left' })
  await waitUntil(() => ended === 4)
  t.equal(pool.questions, 0)
})

const damages = {
  manifest_missing: (objects: Map<string, Uint8Array>, key: string) => void objects.delete(key),
  manifest_damaged: (objects: Map<string, Uint8Array>, key: string) => void objects.set(key, new Uint8Array(50)),
}

for (const [reason, damage] of Object.entries(damages)) {
  t.test(`an answer says ${reason}, and the next one does not when the object has been copied`, async (t) => {
    const opened = await openManifests()
    await countWritten(pool, opened)
    const [key = ''] = opened.store.manifestReads
    const copied = await openManifests()
    const whole = copied.store.objects.get(key)
    damage(copied.store.objects, key)
    const { snapshotId, ...asked } = copied
    const body = await pool.ask(asked, snapshotId, gaps, signal)
    t.same(
      Object.values(readWritten(body)).filter((found) => typeof found === 'string'),
      [reason],
    )
    t.ok(isPassing(body))
    copied.store.objects.set(key, whole ?? new Uint8Array())
    const later = await pool.ask(asked, snapshotId, gaps, signal)
    t.strictSame(readWritten(later), copied.written)
    t.notOk(isPassing(later))
  })
}

t.test('an answer says that a manifest is too large, and that is not tried again', async (t) => {
  const opened = await openManifests()
  opened.store.beforeManifest = () => {
    throw new ObjectTooLargeError('memory', 'manifests/1', 'too large')
  }
  const found = Object.values(await countWritten(pool, opened))
  t.equal(found.filter((one) => one === 'manifest_too_large').length, neededManifests)
  const { snapshotId, ...asked } = opened
  t.notOk(isPassing(await pool.ask(asked, snapshotId, gapsAlong, signal)))
  t.equal(opened.store.manifestReads.length, neededManifests)
})

t.test('a failure of the store is no answer, and the next question reads again', async (t) => {
  const opened = await openManifests()
  opened.store.beforeManifest = () => {
    throw new ObjectStoreError('memory', 'manifests/1', 'the store is down')
  }
  await t.rejects(countWritten(pool, opened), { name: 'ObjectStoreError' })
  opened.store.beforeManifest = () => undefined
  t.strictSame(await countWritten(pool, opened), opened.written)
})

t.test('organisations whose stores hang do not stop the others', async (t) => {
  const leaving = new AbortController()
  const hang = async (org: string) => {
    const opened = await openManifests('v2', org)
    opened.store.beforeManifest = () => new Promise(() => {})
    return countWritten(pool, opened, gaps, leaving.signal).catch(() => 'left')
  }
  const hanging = ['hanging', 'hanging-too'].flatMap((org) => Array.from({ length: 12 }, () => hang(org)))
  await waitUntil(() => pool.questions === 24 && pool.running === 0)
  await setImmediate()
  const opened = await openManifests('v2', 'other')
  t.strictSame(await countWritten(pool, opened), opened.written)
  leaving.abort(new Error('left'))
  t.strictSame(new Set(await Promise.all(hanging)), new Set(['left']))
})

t.test('a question that needs other manifests each time it is asked fails', async (t) => {
  const needy = openPool(t, 1, { program: new URL('needy-thread.ts', import.meta.url) })
  const opened = await openManifests()
  const { snapshotId, ...asked } = opened
  await t.rejects(needy.ask(asked, snapshotId, gaps, signal), { message: /still needs manifests/ })
  t.equal(needy.questions, 0)
})
