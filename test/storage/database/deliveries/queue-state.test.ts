import { openDatabase, readQueueState } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainLastQuery } from '../explain-last-query.ts'
import { at, claim, finish, moveHead, repositoryWith, setEnabled, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

test('tells how many deliveries wait, since when, and when the next is due', async (t, { db }) => {
  t.strictSame(await readQueueState(db), { waiting: 0, oldestAt: null, dueAt: null })
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A'], at(1))
  await moveHead(db, repoId, ['B'], at(2))
  t.strictSame(await readQueueState(db), { waiting: 4, oldestAt: at(1), dueAt: at(1) })
  const claims = await claim(db, at(3), { leaseMs: 100 })
  t.equal(claims.length, 2)
  t.strictSame(await readQueueState(db), { waiting: 4, oldestAt: at(1), dueAt: at(103) }, 'those under way count')
  await finish(db, claims, { kind: 'delivered' }, at(4))
  t.strictSame(await readQueueState(db), { waiting: 2, oldestAt: at(2), dueAt: at(4) })
  await setEnabled(db, receivers.get('two'), false, at(5))
  t.equal((await readQueueState(db)).waiting, 1, 'those of a disabled receiver do not')
})

t.test('what waits is read from indexes: no table is scanned', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const plan = await explainLastQuery(db, readQueueState)
  t.match(plan.join(), 'receivers USING INDEX receivers_due (due_at>?)')
  t.match(plan.join(), 'deliveries USING COVERING INDEX deliveries_queue (receiver_id=?')
  t.notMatch(plan.join(), /SCAN (receivers|deliveries)|TEMP B-TREE/, plan.join('\n'))
})
