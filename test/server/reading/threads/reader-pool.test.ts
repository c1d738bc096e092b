import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { openRepository } from '@floe/storage/icechunk'
import { t } from 'tap'
import type { Question } from '../../../../server/reading/questions/question.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { buildId } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { waitUntil } from '../../wait-until.ts'
import { readMetrics, readValue } from '../../main/monitoring/read-metrics.ts'
import { anyId, askForText, collectTimers, info, openCounted, openAsked, openPool, signal } from './open-pool.ts'

const endlessThread = new URL('endless-thread.ts', import.meta.url)
const hungThread = new URL('hung-thread.ts', import.meta.url)

t.test('a thread answers with the bytes of a body, and reads a snapshot once', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const body = await pool.ask({ org: 'acme', repository }, snapshotId, info, signal)
  t.ok(JSON.parse(Buffer.from(body).toString()).variables)
  await pool.ask({ org: 'acme', repository }, snapshotId, { kind: 'datasets', group: '' }, signal)
  t.equal(snapshotReads(), 1)
})

t.test('a thread reads a snapshot in a local directory itself, and again when it has dropped it', async (t) => {
  const { repository, snapshotId, snapshotReads } = await openCounted(({ localDirectory }) => localDirectory)
  const narrow = openPool(t, 1, { cacheBytes: 1 })
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  for (const id of [snapshotId, from, snapshotId])
    t.ok(JSON.parse((await narrow.ask({ org: 'acme', repository }, id, info, signal)).toString()).variables)
  t.equal(snapshotReads(), 0)
})

t.test('a snapshot that a thread cannot read is read by the main thread, which knows why', async (t) => {
  const { repository, snapshotId, snapshotReads } = await openCounted(() => [t.testdir({})])
  const pool = openPool(t, 1)
  t.ok(await pool.ask({ org: 'acme', repository }, snapshotId, info, signal))
  t.equal(snapshotReads(), 1)
  await t.rejects(pool.ask({ org: 'acme', repository }, buildId(7), info, signal), { name: 'MissingObjectError' })
})

t.test(
  'after a read that exceeded the time limit, the main thread reads the snapshots of the repository',
  async (t) => {
    const { timers, after } = collectTimers()
    const pool = openPool(t, 1, { program: hungThread, after })
    const { repository, snapshotId, snapshotReads } = await openCounted(({ localDirectory }) => localDirectory)
    const ask = (group: string, id = snapshotId) =>
      pool.ask({ org: 'acme', repository }, id, { kind: 'info', group }, signal)
    const begun = new BroadcastChannel('begun')
    t.teardown(() => begun.close())
    const timeOut = async (group: string) => {
      const hasBegun = once(begun, 'message')
      const ended = ask(group)
      await hasBegun
      timers.at(-1)?.()
      await t.rejects(ended, { code: 'unavailable' })
    }
    await timeOut('compute')
    await t.resolves(ask('quick', anyId), 'the thread still reads: the main thread would find no such snapshot')
    await timeOut('read')
    t.equal(snapshotReads(), 0)
    await ask('quick')
    t.equal(snapshotReads(), 1)
  },
)

t.test('a thread that was started before is there for the first question, and its end is no failure', async (t) => {
  const pool = openPool(t, 1)
  pool.start()
  const { repository, snapshotId } = await openCounted()
  t.ok(await pool.ask({ org: 'acme', repository }, snapshotId, info, signal))
  const other = openPool(t, 1)
  other.start()
  await t.resolves(other.close())
})

t.test('a question about two snapshots reads each once, and both again when the thread has dropped one', async (t) => {
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  const question = { kind: 'diff', group: '', from } as const
  const roomy = openPool(t, 1)
  await roomy.ask({ org: 'acme', repository }, snapshotId, info, signal)
  const body = await roomy.ask({ org: 'acme', repository }, snapshotId, question, signal)
  t.match(JSON.parse(Buffer.from(body).toString()), { from_snapshot_id: from, to_snapshot_id: snapshotId })
  t.equal(snapshotReads(), 2)
  await roomy.ask({ org: 'acme', repository }, from, { kind: 'diff', group: '', from: snapshotId }, signal)
  await roomy.ask({ org: 'acme', repository }, from, { kind: 'diff', group: '', from }, signal)
  t.equal(snapshotReads(), 2)
  const narrow = openPool(t, 1, { cacheBytes: 1 })
  for (let time = 1; time <= 2; time++) {
    t.strictSame(await narrow.ask({ org: 'acme', repository }, snapshotId, question, signal), body)
    t.equal(snapshotReads(), 2 + 2 * time)
  }
})

t.test('a question about two snapshots reads nothing for a caller who has left', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const leaving = AbortSignal.abort(new Error('left'))
  const question = { kind: 'diff', group: '', from: snapshotId } as const
  await t.rejects(pool.ask({ org: 'acme', repository }, snapshotId, question, leaving), { message: 'left' })
  t.equal(snapshotReads(), 0)
})

t.test('a question without an answer is a problem of the contract', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId } = await openCounted()
  const question: Question<'info'> = { kind: 'info', group: 'nowhere' }
  await t.rejects(pool.ask({ org: 'acme', repository }, snapshotId, question, signal), {
    name: 'RequestProblem',
    code: 'group-not-found',
  })
})

t.test('a repository that keeps a thread busy does not stop the others', async (t) => {
  const pool = openPool(t, 2, { program: endlessThread })
  const [one, other, endless] = [openAsked('one'), openAsked('other'), openAsked('troublesome')]
  t.equal(await askForText(pool, one), 'one')
  const stuck = [1, 2, 3].map(() => askForText(pool, endless).catch(() => 'ended'))
  t.equal(await askForText(pool, one), 'one')
  t.equal(await askForText(pool, other), 'other')
  t.equal(await askForText(pool, one), 'one')
  await pool.close()
  t.equal(await stuck[0], 'ended')
})

t.test('a question whose caller has left is not begun', async (t) => {
  const pool = openPool(t, 1, { program: endlessThread })
  const leaving = AbortSignal.abort(new Error('left'))
  await t.rejects(pool.ask(openAsked('quick'), anyId, info, leaving), { message: 'left' })
})

t.test('too many questions about one repository are refused', async (t) => {
  const pool = openPool(t, 1, { program: endlessThread })
  const endless = openAsked('troublesome')
  const asked = Array.from({ length: 202 }, () => askForText(pool, endless).catch((error: unknown) => error))
  t.match(await asked.at(-1), { code: 'unavailable', headers: { 'retry-after': '1' } })
  await pool.close()
})

t.test('an organisation with too many questions is refused, and counted, and leaves room for others', async (t) => {
  const metrics = createMetrics()
  const pool = openPool(t, 2, { program: endlessThread, metrics })
  const ask = (org: string) => askForText(pool, openAsked('troublesome', org)).catch((error: unknown) => error)
  const asked = Array.from({ length: 201 }, () => ask('acme'))
  t.match(await asked.at(-1), { code: 'unavailable', headers: { 'retry-after': '1' } })
  t.equal(pool.questions, 200)
  asked.push(...Array.from({ length: 101 }, () => ask('other')))
  t.match(await asked.at(-1), { code: 'unavailable' })
  t.equal(pool.questions, 300)
  t.ok(readValue(readMetrics(await metrics.registry.metrics()), 'floe_reader_questions_refused_total') === 2)
  await pool.close()
  await Promise.all(asked)
  t.equal(pool.questions, 0)
})

t.test('a question that has waited too long is refused, and those behind it are answered', async (t) => {
  const { timers, after } = collectTimers()
  const clock = { ms: 0 }
  const pool = openPool(t, 1, { program: endlessThread, after, elapsed: () => clock.ms })
  const quick = openAsked('quick')
  const ended = askForText(pool, openAsked('troublesome'))
  const late = askForText(pool, quick)
  await setImmediate()
  clock.ms = 10_001
  const timely = askForText(pool, quick)
  timers[0]?.()
  await t.rejects(ended, { code: 'unavailable' })
  await t.rejects(late, { code: 'unavailable', message: /waited too long/, headers: { 'retry-after': '1' } })
  t.equal(await timely, 'quick')
})

t.test('each question is one task, counted as a hit if the thread has the snapshots', async (t) => {
  const metrics = createMetrics()
  const pool = openPool(t, 2, { metrics })
  const readUse = async () => {
    const readings = readMetrics(await metrics.registry.metrics())
    const read = (name: string) => readValue(readings, `floe_cache_${name}_total`, { cache: 'snapshots' })
    const tasks = readValue(readings, 'floe_reader_task_duration_seconds_count')
    return { hits: read('hits'), misses: read('misses'), tasks }
  }
  const { repository, snapshotId } = await openCounted()
  await pool.ask({ org: 'acme', repository }, snapshotId, info, signal)
  await pool.ask({ org: 'acme', repository }, snapshotId, { kind: 'datasets', group: '' }, signal)
  await t.rejects(pool.ask({ org: 'acme', repository }, snapshotId, { kind: 'info', group: 'nowhere' }, signal))
  t.strictSame(await readUse(), { hits: 2, misses: 1, tasks: 3 })
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  await pool.ask({ org: 'acme', repository }, snapshotId, { kind: 'diff', group: '', from }, signal)
  t.strictSame(await readUse(), { hits: 2, misses: 2, tasks: 4 }, 'of two snapshots, one was missing')
})

t.test('a question of another organisation waits for the running one only', async (t) => {
  const { timers, after } = collectTimers()
  const pool = openPool(t, 1, { program: endlessThread, after })
  const order: string[] = []
  const ask = async (group: string, org: string) => {
    await askForText(pool, openAsked(group, org)).catch(() => 'ended')
    order.push(org)
  }
  const costly = Array.from({ length: 12 }, () => ask('troublesome', 'acme'))
  const other = ask('quick', 'other')
  await setImmediate()
  timers[0]?.()
  await other
  t.strictSame(order, ['acme', 'other'])
  await pool.close()
  await Promise.all(costly)
})

/** A store that answers when the test says so. */
class GatedStore extends MemoryStore {
  readonly opened = Promise.withResolvers<void>()

  override async read(...args: Parameters<MemoryStore['read']>) {
    const result = super.read(...args)
    await this.opened.promise
    return result
  }
}

/** Opens a repository in a {@link GatedStore}. */
function openGated(group: string, org = 'acme') {
  const store = new GatedStore([[`snapshots/${anyId}`, new Uint8Array(1)]])
  return { org, store, repository: openRepository(store), question: { kind: 'info', group } as const }
}

t.test('two cold repositories of slow stores are answered by two threads', async (t) => {
  const pool = openPool(t, 2, { program: endlessThread })
  const asked = [openGated('troublesome'), openGated('troublesome')]
  const answers = asked.map(({ store: _, ...one }) => askForText(pool, one).catch(() => 'ended'))
  for (const { store } of asked) store.opened.resolve()
  await waitUntil(() => pool.running === 2)
  await pool.close()
  t.strictSame(await Promise.all(answers), ['ended', 'ended'])
})

t.test('the files of few snapshots are in memory at once, and an organisation leaves room for others', async (t) => {
  const pool = openPool(t, 1, { program: endlessThread })
  const own = Array.from({ length: 20 }, () => openGated('quick'))
  const others = Array.from({ length: 20 }, () => openGated('quick', 'other'))
  const answers = [...own, ...others].map(({ store: _, ...one }) => askForText(pool, one))
  await setImmediate()
  const countBegun = (asked: typeof own) => asked.filter(({ store }) => store.asked.length > 0).length
  t.equal(countBegun(own), 8)
  t.equal(countBegun(others), 4)
  for (const { store } of [...own, ...others]) store.opened.resolve()
  t.strictSame(new Set(await Promise.all(answers)), new Set(['quick']))
})

t.test('a thread checks a contract, and says what is wrong with it', async (t) => {
  const pool = openPool(t, 1)
  const caller = { tenant: 'acme', caller: 'address 192.0.2.1', isAnonymous: true }
  const check = (body: unknown) =>
    pool.checkContract(caller, { body: Buffer.from(JSON.stringify(body)), member: 'contract' }, signal)
  t.match(await check({ name: 'maps', contract: { version: 1, datasets: {} } }), {
    name: 'maps',
    contract: { bytes: Uint8Array, digest: String },
  })
  await t.rejects(check({ contract: { version: 1, datasets: { '/a': {} } } }), {
    code: 'invalid-request',
    errors: [{ pointer: '/body/contract/datasets/~1a' }],
  })
  t.equal(pool.questions, 0)
})

t.test('a check that takes too long is ended', async (t) => {
  const { timers, after } = collectTimers()
  const pool = openPool(t, 1, { program: new URL('silent-thread.ts', import.meta.url), after })
  const caller = { tenant: 'acme', caller: 'key 1', isAnonymous: false }
  const ended = pool.checkContract(caller, { body: Buffer.from('{}'), member: undefined }, signal)
  // The first limits the start of the thread.
  await waitUntil(() => timers.length > 1)
  timers.at(-1)?.()
  await t.rejects(ended, { code: 'unavailable', message: 'Checking the contract took longer than 10 seconds' })
})
