import { once } from 'node:events'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { defaultLimits, openRepository, type Repository, type SnapshotId } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import t from 'tap'
import { ReaderPool } from '../../../server/readers/reader-pool.ts'
import { SnapshotAnswers } from '../../../server/readers/snapshot-answers.ts'
import type { SnapshotQuestion } from '../../../server/snapshots/question.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { fixtures } from '../start-server.ts'

const settings = { cacheBytes: 10_000_000, keptDirectory: null, limits: defaultLimits }
const { signal } = new AbortController()
const never = () => () => undefined
const anyId = '1CECHNKREP0F1RSTCMT0' as SnapshotId // never looked up
const info: SnapshotQuestion = { kind: 'view', view: 'info', group: 'forecast' }

const cancellableThread = new URL('cancellable-thread.ts', import.meta.url)
const endlessThread = new URL('endless-thread.ts', import.meta.url)
const greedyThread = new URL('greedy-thread.ts', import.meta.url)

function openPool(
  t: Test,
  threads: number,
  program?: URL,
  after = never as never,
  elapsed = () => performance.now(),
): ReaderPool {
  const pool = new ReaderPool(threads, { settings, after, elapsed, ...(program !== undefined && { program }) })
  t.teardown(() => pool.close())
  return pool
}

/** Repositories that the pool numbers 1, 2, ... */
function openNumbered(pool: ReaderPool, count: number): Repository[] {
  const repositories = Array.from({ length: count }, () => openRepository(new MemoryStore([])))
  for (const repository of repositories) pool.identify(repository)
  return repositories
}

/** A real repository whose reads of snapshots are counted. */
async function openCounted() {
  const store = openLocalStore(join(fixtures, 'weather'))
  const reads: string[] = []
  const repository = openRepository({
    location: store.location,
    encodesKeys: store.encodesKeys,
    list: (prefix, options) => store.list(prefix, options),
    below: (prefix) => store.below(prefix),
    read: (key, options) => {
      reads.push(key)
      return store.read(key, options)
    },
  })
  const { snapshotId } = await repository.resolve('main', signal)
  return { repository, snapshotId, snapshotReads: () => reads.filter((key) => key.startsWith('snapshots/')).length }
}

t.test('a thread answers with the bytes of a body, and reads a snapshot once', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const body = await pool.ask(repository, snapshotId, info, signal)
  t.ok(JSON.parse(Buffer.from(body).toString()).variables)
  await pool.ask(repository, snapshotId, { kind: 'datasets', below: '' }, signal)
  t.equal(snapshotReads(), 1)
})

t.test('a thread that was started before is there for the first question, and its end is no failure', async (t) => {
  const pool = openPool(t, 1)
  await pool.warm()
  const { repository, snapshotId } = await openCounted()
  t.ok(await pool.ask(repository, snapshotId, info, signal))
  const other = openPool(t, 1)
  const warmed = other.warm()
  await other.close()
  await t.resolves(warmed)
})

t.test('a question about two snapshots reads each once, and both again when the thread has dropped one', async (t) => {
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  const question = { kind: 'diff', from } as const
  const roomy = openPool(t, 1)
  await roomy.ask(repository, snapshotId, info, signal)
  const body = await roomy.ask(repository, snapshotId, question, signal)
  t.match(JSON.parse(Buffer.from(body).toString()), { from_snapshot_id: from, to_snapshot_id: snapshotId })
  t.equal(snapshotReads(), 3)
  await roomy.ask(repository, from, { kind: 'diff', from: snapshotId }, signal)
  await roomy.ask(repository, from, { kind: 'diff', from }, signal)
  t.equal(snapshotReads(), 3)
  const narrow = new ReaderPool(1, { settings: { ...settings, cacheBytes: 1 }, after: never, elapsed: () => 0 })
  t.teardown(() => narrow.close())
  for (let time = 1; time <= 2; time++) {
    t.strictSame(await narrow.ask(repository, snapshotId, question, signal), body)
    t.equal(snapshotReads(), 3 + 2 * time)
  }
})

t.test('a question about two snapshots reads nothing for a caller who has left', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const leaving = AbortSignal.abort(new Error('left'))
  const question = { kind: 'diff', from: snapshotId } as const
  await t.rejects(pool.ask(repository, snapshotId, question, leaving), { message: 'left' })
  t.equal(snapshotReads(), 0)
})

t.test('a question without an answer is a problem of the contract', async (t) => {
  const pool = openPool(t, 1)
  const { repository, snapshotId } = await openCounted()
  const question: SnapshotQuestion = { kind: 'view', view: 'info', group: 'nowhere' }
  await t.rejects(pool.ask(repository, snapshotId, question, signal), {
    name: 'RequestProblem',
    code: 'group-not-found',
  })
})

t.test('requests with the same question share one answer, and it is kept', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 2), 1_000_000)
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const bodies = await Promise.all(
    Array.from({ length: 20 }, () => answers.ask(repository, snapshotId, info, () => signal)),
  )
  t.ok(bodies.every((body) => body === bodies[0]))
  t.equal(await answers.ask(repository, snapshotId, info, () => signal), bodies[0])
  t.equal(snapshotReads(), 1)
})

t.test('a problem that follows from the snapshot is kept as well', async (t) => {
  const pool = openPool(t, 1)
  const answers = new SnapshotAnswers(pool, 1_000_000)
  const { repository, snapshotId } = await openCounted()
  const question: SnapshotQuestion = { kind: 'view', view: 'info', group: 'nowhere' }
  const problem = await answers.ask(repository, snapshotId, question, () => signal).catch((error: unknown) => error)
  await pool.close()
  await t.rejects(
    answers.ask(repository, snapshotId, question, () => signal),
    problem as Error,
  )
})

t.test('two repositories at the same location do not share answers', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 1), 1_000_000)
  const { repository, snapshotId } = await openCounted()
  const other = openRepository({ ...storeOf([]), location: repository.location })
  await answers.ask(repository, snapshotId, info, () => signal)
  await t.rejects(
    answers.ask(other, snapshotId, info, () => signal),
    { name: 'MissingObjectError' },
  )
})

function storeOf(objects: readonly (readonly [string, Uint8Array])[]) {
  const store = new MemoryStore(objects)
  return { encodesKeys: true, read: store.read.bind(store), list: store.list.bind(store), below: () => store.below() }
}

t.test('a task that takes too long is ended with its thread, and the next one gets a new thread', async (t) => {
  const overtimes: (() => void)[] = []
  const after = (_ms: number, callback: () => void) => {
    overtimes.push(callback)
    return () => undefined
  }
  const pool = openPool(t, 1, endlessThread, after as never)
  const [quick, endless] = openNumbered(pool, 2)
  if (quick === undefined || endless === undefined) throw new TypeError('two were opened')
  await pool.ask(quick, anyId, info, signal)
  const refused = pool.ask(endless, anyId, info, signal)
  const waiting = pool.ask(quick, anyId, info, signal)
  await new Promise(setImmediate)
  overtimes[1]?.()
  await t.rejects(refused, { code: 'unavailable', message: 'Reading the repository took longer than 10 seconds' })
  t.same(await waiting, [1])
})

t.test('a task that takes too much memory is ended with its thread, and the next one gets a new thread', async (t) => {
  const pool = openPool(t, 1, greedyThread)
  const [quick, greedy] = openNumbered(pool, 2)
  if (quick === undefined || greedy === undefined) throw new TypeError('two were opened')
  await t.rejects(pool.ask(greedy, anyId, info, signal), { code: 'repository-too-large' })
  t.same(await pool.ask(quick, anyId, info, signal), [1])
})

t.test('a repository that keeps a thread busy does not stop the others', async (t) => {
  const pool = openPool(t, 2, endlessThread)
  const repositories = openNumbered(pool, 4)
  const [one, endless, three] = repositories
  if (one === undefined || endless === undefined || three === undefined) throw new TypeError('four were opened')
  const stuck = [1, 2, 3].map(() => pool.ask(endless, anyId, info, signal).catch(() => 'ended'))
  t.same(await pool.ask(one, anyId, info, signal), [1])
  t.same(await pool.ask(three, anyId, info, signal), [3])
  t.same(await pool.ask(one, anyId, info, signal), [1])
  await pool.close()
  t.equal(await stuck[0], 'ended')
})

t.test('a question whose caller has left is not begun', async (t) => {
  const pool = openPool(t, 1, endlessThread)
  const [one] = openNumbered(pool, 1)
  if (one === undefined) throw new TypeError('one was opened')
  const leaving = AbortSignal.abort(new Error('left'))
  await t.rejects(pool.ask(one, anyId, info, leaving), { message: 'left' })
})

t.test(
  'a question is given up in the middle of the work when its caller leaves, and its thread lives on',
  async (t) => {
    const pool = openPool(t, 1, cancellableThread)
    const [other, slow] = openNumbered(pool, 2)
    if (other === undefined || slow === undefined) throw new TypeError('two were opened')
    const channel = new BroadcastChannel('begun')
    t.teardown(() => channel.close())
    const begun = once(channel as unknown as EventTarget, 'message') // Node's type misses that a channel is an event target.
    const caller = new AbortController()
    const asked = pool.ask(slow, anyId, info, caller.signal)
    const waiting = pool.ask(other, anyId, info, signal)
    await begun
    caller.abort(new Error('left'))
    await t.rejects(asked, { message: 'left' })
    t.same(await waiting, [1], 'the same thread counted one cancelled task')
  },
)

t.test('an answer that was given up is not kept, and the next caller gets a whole one', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 1), 1_000_000)
  const { repository, snapshotId } = await openCounted()
  for (const question of [info, { kind: 'datasets', below: '' }] as const) {
    const caller = new AbortController()
    const asked = answers.ask(repository, snapshotId, question, () => caller.signal)
    caller.abort(new Error('left'))
    await t.rejects(asked, { message: 'left' })
    t.ok(JSON.parse((await answers.ask(repository, snapshotId, question, () => signal)).toString()))
  }
})

t.test('too many questions about one repository are refused', async (t) => {
  const pool = openPool(t, 1, endlessThread)
  const [, endless] = openNumbered(pool, 2)
  if (endless === undefined) throw new TypeError('two were opened')
  const asked = Array.from({ length: 202 }, () =>
    pool.ask(endless, anyId, info, signal).catch((error: unknown) => error),
  )
  t.match(await asked.at(-1), { code: 'unavailable', headers: { 'retry-after': '1' } })
  await pool.close()
})

t.test('too many questions about all repositories are refused, and counted', async (t) => {
  const pool = openPool(t, 2, endlessThread)
  const repositories = openNumbered(pool, 402)
  const asked = repositories.map((repository) =>
    pool.ask(repository, anyId, info, signal).catch((error: unknown) => error),
  )
  t.match(await asked.at(-1), { code: 'unavailable', headers: { 'retry-after': '1' } })
  t.ok(pool.work.refused >= 1)
  await pool.close()
  await Promise.all(asked)
  t.equal(pool.questions, 0)
})

t.test('a question that has waited too long is refused, and those behind it are answered', async (t) => {
  const overtimes: (() => void)[] = []
  const after = (_ms: number, callback: () => void) => {
    overtimes.push(callback)
    return () => undefined
  }
  const clock = { ms: 0 }
  const pool = openPool(t, 1, endlessThread, after as never, () => clock.ms)
  const [quick, endless] = openNumbered(pool, 2)
  if (quick === undefined || endless === undefined) throw new TypeError('two were opened')
  const ended = pool.ask(endless, anyId, info, signal)
  const late = pool.ask(quick, anyId, info, signal)
  await new Promise(setImmediate)
  clock.ms = 10_001
  const timely = pool.ask(quick, anyId, info, signal)
  overtimes[0]?.()
  await t.rejects(ended, { code: 'unavailable' })
  await t.rejects(late, { code: 'unavailable', message: /waited too long/, headers: { 'retry-after': '1' } })
  t.same(await timely, [1])
})
