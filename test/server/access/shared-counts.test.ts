import { type Database, openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { SharedCounts } from '../../../server/access/shared-counts.ts'
import { makeCuttable } from '../replicas/cut-off.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'

async function openReplicas(t: Test, hasOthers = true) {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const errors: unknown[] = []
  const open = async (from: Database = db) => {
    const parts = { db: from, timing, hasOthers: () => hasOthers, onError: (error: unknown) => errors.push(error) }
    const shared = new SharedCounts(parts)
    const kinds = { calls: shared.open('calls'), logins: shared.open('logins') }
    shared.start()
    t.teardown(() => shared.stop())
    return kinds
  }
  return { timing, db, errors, open }
}

t.test('what one replica counts, the others know within a second', async (t) => {
  const { timing, open } = await openReplicas(t)
  const [first, second] = [await open(), await open()]
  for (let call = 0; call < 5; call++) first.calls.count('key a')
  second.calls.count('key a')
  await timing.pass(1_000)
  t.strictSame(first.calls.count('key a'), { calls: 7, leftMs: 59_000 })
  t.match(second.calls.count('key b'), { calls: 1 })
  t.match(second.logins.count('key a'), { calls: 1 }, 'kinds are counted apart')
  await timing.pass(1_000)
  t.strictSame(second.calls.count('key a'), { calls: 8, leftMs: 58_000 })
  await timing.pass(58_000, 1_000)
  t.match(second.calls.count('key a'), { calls: 1 }, 'a minute after the first call, counting begins anew everywhere')
  t.match(first.calls.count('key a'), { calls: 1 })
})

t.test('a replica alone writes nothing', async (t) => {
  const { timing, db, open } = await openReplicas(t, false)
  const { calls } = await open()
  calls.count('key a')
  await timing.pass(2_000)
  t.strictSame(await db.selectFrom('call_counts').selectAll().execute(), [])
  t.match(calls.count('key a'), { calls: 2 })
})

t.test('what could not be told is told later, once', async (t) => {
  const { timing, db, errors, open } = await openReplicas(t)
  const cuttable = makeCuttable(db)
  const [first, second] = [await open(cuttable.db), await open()]
  cuttable.connection.isCut = true
  for (let call = 0; call < 3; call++) first.calls.count('key a')
  await timing.pass(1_000)
  t.ok(errors.length > 0)
  t.match(second.calls.count('key a'), { calls: 1 })
  cuttable.connection.isCut = false
  await timing.pass(1_000)
  t.match(second.calls.count('key a'), { calls: 5 })
})
