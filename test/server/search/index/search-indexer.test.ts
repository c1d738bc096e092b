// Which heads are indexed at once.
import { type LanedDatabase, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { SearchIndexer } from '../../../../server/search/index/search-indexer.ts'
import { moveHead } from '../../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'
import { waitUntil } from '../../wait-until.ts'

const others = Array.from({ length: 12 }, (_, index) => `a${index}`)
const quick = 'quick'

/** Lists the organisations whose head is indexed. */
async function listIndexed(db: LanedDatabase): Promise<readonly string[]> {
  const rows = await db.selectFrom('heads').select('org').whereRef('snapshot_id', '=', 'indexed_snapshot_id').execute()
  return rows.map(({ org }) => org)
}

/** An indexer whose repositories are all gone, which the stores of `others` say only when the test lets them. */
async function openIndexer() {
  const db = await openDatabase('sqlite::memory:')
  let elapsed = 0
  let answer = Promise.withResolvers<void>()
  const asked: string[] = []
  const findSlowly = (org: string) => async () => {
    asked.push(org)
    await answer.promise
    return undefined
  }
  const indexer = new SearchIndexer({
    db,
    catalogs: new Map(others.map((org) => [org, { find: findSlowly(org) }])),
    readers: { ask: () => Promise.reject(new Error('nothing is read')) },
    branches: [],
    review: { reviewAll: () => Promise.resolve() },
    replica: { id: 'a', life: { aliveUntil: Infinity } },
    timing: { dueNow: () => 1_000, elapsed: () => elapsed, after: () => () => {} },
    metrics: { indexSeconds: { observe: () => {} } },
    onError: (error) => t.fail(String(error)),
  })
  /** Lets the stores answer, some seconds after they were asked. */
  const letAnswer = () => {
    elapsed += 3_000
    answer.resolve()
    answer = Promise.withResolvers()
  }
  return { db, indexer, asked, letAnswer }
}

// Proves: however many organisations have slow stores, they do not delay the index of the others
t.test('a head is indexed while those of many slow organisations wait for their stores', async (t) => {
  const { db, indexer, asked, letAnswer } = await openIndexer()
  t.teardown(() => db.destroy())
  const ids = new Map<string, string>()
  for (const org of [...others, quick]) ids.set(org, await rememberRepository(db, org, 'weather', new Date(0)))
  const move = async (snapshotId: string, orgs: readonly string[]) => {
    for (const org of orgs) await moveHead(db, ids.get(org) ?? '', [snapshotId], new Date(0))
    indexer.wake()
  }
  indexer.start()
  await move('A', others)
  for (const count of [8, 12]) {
    await waitUntil(() => asked.length === count)
    letAnswer()
  }
  await waitUntil(async () => (await listIndexed(db)).length === others.length)
  await move('B', others)
  await waitUntil(() => asked.length === 16)
  for (const snapshotId of ['A', 'B', 'C']) {
    await move(snapshotId, [quick])
    await waitUntil(async () => (await listIndexed(db)).join() === quick)
  }
  t.equal(asked.length, 16, 'the slow ones have half of the places')
  for (const count of [20, 24]) {
    letAnswer()
    await waitUntil(() => asked.length === count)
  }
  letAnswer()
  await waitUntil(async () => (await listIndexed(db)).length === others.length + 1)
  await indexer.stop()
})
