import { openRepository } from '@floe/storage/icechunk'
import { t } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { AnswerCache } from '../../../../server/metadata/answering/answer-cache.ts'
import { SnapshotAnswers } from '../../../../server/metadata/answering/snapshot-answers.ts'
import type { Question } from '../../../../server/reading/questions/question.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { info, openCounted, openPool, signal } from '../../reading/threads/open-pool.ts'

t.test('requests with the same question share one answer, and it is cached', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 2), new AnswerCache(1_000_000, createMetrics()))
  const { repository, snapshotId, snapshotReads } = await openCounted()
  const bodies = await Promise.all(
    Array.from({ length: 20 }, () => answers.ask({ org: 'acme', repository }, snapshotId, info, () => signal)),
  )
  t.ok(bodies.every((body) => body === bodies[0]))
  t.equal(await answers.ask({ org: 'acme', repository }, snapshotId, info, () => signal), bodies[0])
  t.equal(snapshotReads(), 1)
})

t.test('a problem that follows from the snapshot is cached as well', async (t) => {
  const pool = openPool(t, 1)
  const answers = new SnapshotAnswers(pool, new AnswerCache(1_000_000, createMetrics()))
  const { repository, snapshotId } = await openCounted()
  const question: Question<'info'> = { kind: 'info', group: 'nowhere' }
  const problem = await answers
    .ask({ org: 'acme', repository }, snapshotId, question, () => signal)
    .catch((error: unknown) => error)
  await pool.close()
  await t.rejects(
    answers.ask({ org: 'acme', repository }, snapshotId, question, () => signal),
    problem as Error,
  )
})

t.test('a damaged snapshot is read again, because it may have been repaired', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 1), new AnswerCache(1_000_000, createMetrics()))
  const id = buildId(1)
  const whole = buildSnapshot({ id, nodes: [buildNode('/', 2, '{"zarr_format":3,"node_type":"group"}')] })
  const store = new MemoryStore([[`snapshots/${id}`, whole.slice(0, -20)]])
  const repository = openRepository(store)
  const ask = () => answers.ask({ org: 'acme', repository }, id, { kind: 'info', group: '' }, () => signal)
  await t.rejects(ask(), { code: 'damaged-repository' })
  store.objects.set(`snapshots/${id}`, whole)
  t.ok(await ask())
})

t.test('two repositories at the same location do not share answers', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 1), new AnswerCache(1_000_000, createMetrics()))
  const { repository, snapshotId } = await openCounted()
  const other = openRepository({ ...storeOf([]), location: repository.location })
  await answers.ask({ org: 'acme', repository }, snapshotId, info, () => signal)
  await t.rejects(
    answers.ask({ org: 'acme', repository: other }, snapshotId, info, () => signal),
    { name: 'MissingObjectError' },
  )
})

function storeOf(objects: readonly (readonly [string, Uint8Array])[]) {
  const store = new MemoryStore(objects)
  return { encodesKeys: true, read: store.read.bind(store), list: store.list.bind(store), below: () => store.below() }
}

t.test('an answer that was given up is not cached, and the next caller gets a whole one', async (t) => {
  const answers = new SnapshotAnswers(openPool(t, 1), new AnswerCache(1_000_000, createMetrics()))
  const { repository, snapshotId } = await openCounted()
  for (const question of [info, { kind: 'datasets', group: '' }] as const) {
    const caller = new AbortController()
    const asked = answers.ask({ org: 'acme', repository }, snapshotId, question, () => caller.signal)
    caller.abort(new Error('left'))
    await t.rejects(asked, { message: 'left' })
    t.ok(JSON.parse((await answers.ask({ org: 'acme', repository }, snapshotId, question, () => signal)).toString()))
  }
})
