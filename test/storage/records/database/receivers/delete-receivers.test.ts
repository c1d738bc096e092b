import {
  applyDeclaredReceivers,
  type Database,
  deleteReceiver,
  deleteExpired,
  type ExpiryStep,
  findDelivery,
  findReceiver,
  listDeliveries,
  listReceivers,
  readDeliveryRates,
  readQueueState,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, claim, expire, finish, moveHead, nextDueAt, repositoryWith, summary, webhook } from '../recorded.ts'
import { create, optionsAt } from './edit-receivers.ts'

const test = await testOnEngines(t)

const delivered = { kind: 'delivered' } as const

/** Counts the deliveries of each receiver that are stored, whether they can be read or not. */
async function countStored(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select((eb) => ['receiver_id', eb.fn.countAll<number>().as('count')])
    .groupBy('receiver_id')
    .execute()
  return new Map(rows.map(({ receiver_id, count }) => [receiver_id, count]))
}

test('nobody reads a deleted receiver or its deliveries, and nothing more is sent to it', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver: one } = await create(db, repoId)
  const { receiver: two } = await create(db, repoId, { alias: 'two' })
  const owner = { org: 'acme', repoId }
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  await finish(db, await claim(db, at(2)), delivered, at(3))
  const underWay = await claim(db, at(4))
  await deleteReceiver(db, one, optionsAt(5))
  t.equal(await findReceiver(db, one), undefined)
  const listed = await listDeliveries(db, { ...owner, limit: 9 })
  t.strictSame(
    listed.map(({ receiverId }) => receiverId),
    [two.id, two.id, two.id],
  )
  for (const { deliveryId, receiver } of underWay) {
    const found = await findDelivery(db, { ...owner, id: deliveryId })
    t.equal(found?.receiverId, receiver.id === one.id ? undefined : two.id)
  }
  t.match(await readDeliveryRates(db, owner, at(0)), { accepted: 1 })
  t.match(await readQueueState(db), { waiting: 2 })
  const lost = await finish(db, underWay, delivered, at(6))
  t.strictSame(
    lost.map(({ claim }) => claim.receiver.id),
    [one.id],
  )
  t.strictSame(summary(await claim(db, at(7))), ['two C'])
  await moveHead(db, repoId, ['D'], at(8))
  t.equal((await countStored(db)).get(one.id), 3, 'it gets no new one')
})

test('the deliveries of deleted receivers are deleted in small steps, and no others', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two'), webhook('three')])
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  await finish(db, await claim(db, at(2)), delivered, at(3))
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('two')], { secrets, now: at(4) })
  t.match(await listReceivers(db, { org: 'acme', repoId }), [{ alias: 'two' }])
  const nothing = {
    attemptsBefore: at(0),
    eventsBefore: at(0),
    auditBefore: at(0),
    keysBefore: at(0),
    sessionsBefore: at(0),
  }
  const steps: number[] = []
  for (let step: ExpiryStep | undefined; step?.deleted !== 0;) {
    step = await deleteExpired(db, { ...nothing, limit: 2, cursor: step?.cursor })
    steps.push(step.deleted)
  }
  t.strictSame(steps, [2, 1, 1, 2, 1, 1, 0], 'three deliveries of each of two receivers')
  t.strictSame(await countStored(db), new Map([[receivers.get('two')?.id, 3]]))
  t.equal((await db.selectFrom('attempts').selectAll().execute()).length, 1)
  t.equal((await db.selectFrom('undelivered').selectAll().execute()).length, 2)
  t.strictSame(await db.selectFrom('deleted_receivers').selectAll().execute(), [])
})

test('what a clean-up has left when it ended is deleted by the next one', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver } = await create(db, repoId)
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  await deleteReceiver(db, receiver, optionsAt(2))
  t.equal(await expire(db, { limit: 2 }), 2)
  t.equal(await nextDueAt(db), null)
  const other = await connect()
  t.equal(await expire(other, { limit: 2 }), 1)
  t.equal(await expire(other, { limit: 2 }), 1, 'the record of the deleted receiver')
  t.equal(await expire(other, { limit: 2 }), 0)
  t.strictSame(await countStored(db), new Map())
})
