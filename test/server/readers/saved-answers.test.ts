import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLimits, openRepository, type Repository } from '@floe/storage/icechunk'
import { t } from 'tap'
import type { ReaderPool } from '../../../server/readers/reader-pool.ts'
import type { SnapshotQuestion } from '../../../server/snapshots/question.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/icechunk/build-object.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { writeArray } from '../snapshots/hostile-documents.ts'
import { openSavingPool, signal } from './open-pool.ts'

const id = buildId(1)

/** A group whose attributes make the snapshot large enough to be saved. */
const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { text: 'x'.repeat(1_100_000) } })
const nodes = [
  buildNode('/', 2, '{"zarr_format":3,"node_type":"group","attributes":{}}'),
  ...Array.from('abcdefgh', (name) => [
    buildNode(`/${name}`, 2, group),
    buildNode(`/${name}/v`, 1, writeArray()),
  ]).flat(),
]

const info: SnapshotQuestion = { kind: 'view', view: 'info', group: 'c' }
const datasets: SnapshotQuestion = { kind: 'datasets', below: '' }

/** The memory for snapshots. */
const cacheBytes = 100_000_000

/** A repository whose reads of the snapshot are counted. */
function openLarge(identity: string | undefined) {
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${id}`, buildSnapshot({ id, nodes })],
  ])
  const countReads = () => store.asked.filter((key) => key.startsWith('snapshots/')).length
  return { repository: openRepository(store, defaultLimits, identity), countReads }
}

async function ask(pool: ReaderPool, repository: Repository, question: SnapshotQuestion): Promise<string> {
  return Buffer.from(await pool.ask(repository, id, question, signal)).toString()
}

t.test('a process that starts anew answers from the saved snapshot, without reading the object', async (t) => {
  const directory = join(t.testdir(), 'snapshots')
  const first = openSavingPool(t, directory, { cacheBytes })
  const before = openLarge('acme')
  const answers = [await ask(first.pool, before.repository, info), await ask(first.pool, before.repository, datasets)]
  t.equal(before.countReads(), 1)
  t.throws(() => readdirSync(directory), { code: 'ENOENT' }, 'questions come first')
  first.save()
  // The thread works on one task after the other, so this one ends after the snapshot is saved.
  await ask(first.pool, before.repository, { kind: 'datasets', below: 'a' })
  t.equal(readdirSync(directory).length, 1)

  const second = openSavingPool(t, directory, { cacheBytes })
  const after = openLarge('acme')
  t.strictSame(
    [await ask(second.pool, after.repository, info), await ask(second.pool, after.repository, datasets)],
    answers,
  )
  t.equal(after.countReads(), 0)
  t.match(second.pool.readCacheUse(), { snapshots: { hits: 0, misses: 2 }, saved: { hits: 2, misses: 0 } })
  await t.rejects(ask(second.pool, after.repository, { ...info, group: 'nowhere' }), { code: 'group-not-found' })
  t.equal(after.countReads(), 1, 'what is not saved is read')
  t.match(second.pool.readCacheUse().saved, { hits: 2, misses: 1 })
})

t.test(
  'another repository with the same snapshot id is read itself, and one without an identity is not saved',
  async (t) => {
    const directory = join(t.testdir(), 'snapshots')
    const { pool, save } = openSavingPool(t, directory, { cacheBytes })
    const one = openLarge('acme')
    await ask(pool, one.repository, info)
    save()
    for (const identity of ['other', undefined]) {
      const other = openLarge(identity)
      await ask(pool, other.repository, info)
      t.equal(other.countReads(), 1)
    }
    t.equal(readdirSync(directory).length, 1)
  },
)

t.test('a disk that cannot be written to is reported once, and questions are answered', async (t) => {
  const failures: unknown[] = []
  const onSaveFailure = (error: unknown) => failures.push(error)
  const { pool, save } = openSavingPool(t, join(t.testdir({ file: '' }), 'file'), { cacheBytes, onSaveFailure })
  for (const identity of ['one', 'two']) {
    const { repository } = openLarge(identity)
    await ask(pool, repository, info)
    save()
    await ask(pool, repository, datasets)
  }
  t.match(failures, [{ message: /EEXIST|ENOTDIR/ }])
  t.equal(failures.length, 1)
})
