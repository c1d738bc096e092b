import {
  cancelReplay,
  countHeld,
  findDelivery,
  listDeliveries,
  listAudit,
  listReceivers,
  openDatabase,
  readQueueState,
  readReplay,
  redeliver,
  replay,
  type Database,
  type Receiver,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import { at, by, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'

const delivered = { kind: 'delivered' } as const
const failed = { kind: 'dead', disableReason: 'no attempt is left' } as const

const test = await testOnEngines(t)

/** All deliveries of a receiver so far. */
const everything = { since: at(0), until: at(1_000_000) }

/** A receiver that accepted A and D, gave up B, and discarded C. */
async function startWithFailures(db: Database) {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  const one = receivers.get('one')
  if (one === undefined) throw new Error('there is no receiver')
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, delivered, at(3))
  await finish(db, await claim(db, at(4)), failed, at(5))
  await moveHead(db, repoId, ['C'], at(6))
  await setEnabled(db, one, true, at(7), 'none')
  await moveHead(db, repoId, ['D'], at(8))
  await finish(db, await claim(db, at(9)), delivered, at(10))
  return { repoId, one, first: first[0] }
}

/** Claims and ends one delivery after the other, and lists them with the numbers of their attempts. */
async function sendAll(db: Database, next: Parameters<typeof finish>[2] = delivered): Promise<string[]> {
  const sent: string[] = []
  for (;;) {
    const claims = await claim(db, at(30))
    if (claims.length === 0) return sent
    sent.push(...summary(claims).map((line) => `${line}, attempt ${claims[0]?.attempt}`))
    await finish(db, claims, next, at(30))
  }
}

const ask = (db: Database, receiver: Receiver, all = false) =>
  replay(db, receiver, { ...everything, all, asNew: false }, { by, now: at(20) })

const askAsNew = (db: Database, receiver: Receiver) =>
  replay(db, receiver, { ...everything, all: true, asNew: true }, { by, now: at(20) })

// Proves: a replay sends again what a webhook failed to accept, in order and after what is new
test('what was given up or discarded is sent again in order, after what is new', async (t, { db }) => {
  const { repoId, one } = await startWithFailures(db)
  const { queued, audit } = await ask(db, one)
  t.equal(queued, 2)
  t.match(audit, { action: 'webhook.replay', subjectId: one.id, after: { all: false, queued: 2 } })
  t.strictSame(await readReplay(db, one), { waiting: 2, nextEventAt: at(1) })
  await moveHead(db, repoId, ['E'], at(21))
  t.match(await readQueueState(db), { waiting: 3, oldestAt: at(21) }, 'what was recorded last is the oldest new one')
  t.strictSame(await sendAll(db), ['one E, attempt 1', 'one B, attempt 2', 'one C, attempt 1'])
  t.strictSame(await readReplay(db, one), { waiting: 0, nextEventAt: null })
  t.strictSame(await ask(db, one).then((again) => again.queued), 0, 'nothing has failed any more')
})

test('a new event overtakes the replays that wait, but not the one under way', async (t, { db }) => {
  const { repoId, one } = await startWithFailures(db)
  await ask(db, one)
  const underWay = await claim(db, at(22))
  t.match(underWay, [{ isRedelivery: true, event: { payload: '{"to":"B"}' } }])
  await moveHead(db, repoId, ['E'], at(23))
  t.strictSame(await claim(db, at(24)), [])
  await finish(db, underWay, delivered, at(25))
  t.strictSame(await sendAll(db), ['one E, attempt 1', 'one C, attempt 1'])
})

test('with `all`, what was accepted is sent again with its id, once however often it is asked for', async (t, {
  db,
}) => {
  const { one, first } = await startWithFailures(db)
  const asked = await Promise.all([ask(db, one, true), ask(db, one, true), ask(db, one)])
  t.equal(
    asked.reduce((sum, { queued }) => sum + queued, 0),
    4,
  )
  t.match(await claim(db, at(22)), [{ deliveryId: first?.deliveryId, attempt: 2, isRedelivery: true }])
})

test('replays as new are copies with ids of their own, and are not replayed themselves', async (t, { db }) => {
  const { repoId, one, first } = await startWithFailures(db)
  const { queued, audit } = await askAsNew(db, one)
  t.equal(queued, 4)
  t.match(audit, { after: { all: true, as_new: true, queued: 4 } })
  t.strictSame(await readReplay(db, one), { waiting: 4, nextEventAt: at(1) })
  const [copy] = await claim(db, at(22))
  t.match(copy, { attempt: 1, isRedelivery: true, replayOf: first?.deliveryId, event: { payload: '{"to":"A"}' } })
  t.not(copy?.deliveryId, first?.deliveryId)
  await finish(db, copy ? [copy] : [], delivered, at(23))
  t.strictSame(await sendAll(db), ['one B, attempt 1', 'one C, attempt 1', 'one D, attempt 1'])
  const listed = await listDeliveries(db, { org: 'acme', repoId, limit: 10 })
  t.strictSame(
    listed.map(({ state, replayOf, attemptCount }) => [state, replayOf !== null, attemptCount]),
    [
      ['delivered', true, 1],
      ['delivered', false, 1],
      ['delivered', true, 1],
      ['discarded', false, 0],
      ['delivered', true, 1],
      ['dead', false, 1],
      ['delivered', true, 1],
      ['delivered', false, 1],
    ],
  )
  t.equal((await ask(db, one, true)).queued, 4)
})

test('a copy that fails is given up, and one that was not sent is deleted with its replay', async (t, { db }) => {
  const { repoId, one } = await startWithFailures(db)
  await askAsNew(db, one)
  await finish(db, await claim(db, at(22)), failed, at(23))
  t.match(await cancelReplay(db, one, { by, now: at(24) }), { after: { cancelled: 3 } })
  t.strictSame(await sendAll(db), [])
  const listed = await listDeliveries(db, { org: 'acme', repoId, limit: 10 })
  const copies = listed.filter(({ replayOf }) => replayOf !== null)
  t.match(copies, [{ state: 'dead', attemptCount: 1, line: /A/ }])
  t.match(await listReceivers(db, { org: 'acme', repoId }), [{ isEnabled: true }])
})

test('only events of the time are sent again', async (t, { db }) => {
  const { one } = await startWithFailures(db)
  const { queued } = await replay(db, one, { since: at(6), until: at(8), all: true, asNew: false }, { by, now: at(20) })
  t.equal(queued, 1)
  t.strictSame(await sendAll(db), ['one C, attempt 1'])
})

test('a failed replay changes nothing, and the others follow', async (t, { db }) => {
  const { repoId, one, first } = await startWithFailures(db)
  await ask(db, one, true)
  t.strictSame(await sendAll(db, failed), [
    'one A, attempt 2',
    'one B, attempt 2',
    'one C, attempt 1',
    'one D, attempt 2',
  ])
  t.match(await listReceivers(db, { org: 'acme', repoId }), [{ isEnabled: true }])
  const accepted = await findDelivery(db, { org: 'acme', repoId, id: first?.deliveryId ?? '' })
  t.match(accepted, { state: 'delivered', attemptCount: 2 })
  t.equal((await ask(db, one)).queued, 2, 'what had failed before can be replayed once more')
})

test('nothing is replayed to a disabled receiver; what waits is neither held nor discarded', async (t, { db }) => {
  const { repoId, one } = await startWithFailures(db)
  await ask(db, one)
  await setEnabled(db, one, false, at(21))
  await t.rejects(ask(db, one), { name: 'ReceiverDisabledError' })
  await moveHead(db, repoId, ['E'], at(22))
  t.strictSame(await claim(db, at(23)), [])
  t.strictSame([...(await countHeld(db, [one.id])).values()], [1])
  await setEnabled(db, one, true, at(24), 'latest')
  t.strictSame(await sendAll(db), ['one E, attempt 1', 'one B, attempt 2', 'one C, attempt 1'])
  await t.rejects(ask(db, { ...one, id: 'no such webhook' }), { name: 'ReceiverNotFoundError' })
  await t.rejects(readReplay(db, { ...one, repoId: 'of another' }), { name: 'ReceiverNotFoundError' })
})

test('a cancelled replay leaves everything as it was', async (t, { db }) => {
  const { repoId, one } = await startWithFailures(db)
  const seen = () =>
    db.selectFrom('undelivered').select(['state', 'queue_position', 'due_at']).orderBy('delivery_number').execute()
  const before = await seen()
  await ask(db, one, true)
  const cancel = () => cancelReplay(db, one, { by, now: at(22) })
  t.match(await cancel(), { action: 'webhook.cancel-replay', subjectId: one.id, after: { cancelled: 4 } })
  t.strictSame(await seen(), before)
  t.equal(await cancel(), undefined, 'nothing is left to cancel')
  t.match(await listAudit(db, { repoId, limit: 2 }), [
    { action: 'webhook.cancel-replay' },
    { action: 'webhook.replay' },
  ])
  t.strictSame(await sendAll(db), [])
  await t.rejects(cancelReplay(db, { ...one, id: 'no such webhook' }, { by, now: at(23) }), {
    name: 'ReceiverNotFoundError',
  })
})

test('the attempt that is under way when its replay is cancelled is recorded', async (t, { db }) => {
  const { repoId, one, first } = await startWithFailures(db)
  await ask(db, one, true)
  const underWay = await claim(db, at(22))
  await cancelReplay(db, one, { by, now: at(23) })
  t.strictSame(await finish(db, underWay, failed, at(24)), [], 'it is not lost')
  const address = { org: 'acme', repoId, id: first?.deliveryId ?? '' }
  t.match(await findDelivery(db, address), { state: 'delivered', attemptCount: 2, attempts: { length: 2 } })
  t.strictSame(await sendAll(db), [])
})

test('one that waits in a replay can be sent first', async (t, { db }) => {
  const { one } = await startWithFailures(db)
  await ask(db, one)
  const { id } = await db
    .selectFrom('deliveries')
    .innerJoin('undelivered', 'delivery_number', 'number')
    .select('id')
    .where('state', '=', 'discarded')
    .executeTakeFirstOrThrow()
  await redeliver(db, { ...one, id }, { by, now: at(21) })
  t.equal((await readReplay(db, one)).waiting, 1)
  t.strictSame(await sendAll(db), ['one C, attempt 1', 'one B, attempt 2'])
})

// Proves: at most 10,000 deliveries are replayed at once
test('ten thousand can be replayed at once, and one more is refused', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  const one = receivers.get('one')
  if (one === undefined) throw new Error('there is no receiver')
  for (let sequence = 1; sequence <= 10_001; sequence += 500) {
    const sequences = Array.from({ length: Math.min(500, 10_002 - sequence) }, (_, index) => sequence + index)
    const events = sequences.map((sequence) => {
      const what = {
        ref: 'branch/main',
        name: 'NewCommit',
        payload: '{}',
        line: '',
        created_at: at(sequence).getTime(),
      } as const
      return { ...what, id: `${sequence}`, repo_id: repoId, sequence }
    })
    const recorded = await db.insertInto('events').values(events).returning(['id', 'number']).execute()
    const deliveries = recorded.map(({ id, number }) => {
      return { id: `to ${id}`, org: 'acme', receiver_repo_id: repoId, event_number: number, receiver_id: one.id }
    })
    await db.insertInto('deliveries').values(deliveries).execute()
  }
  const options = { by, now: at(20_000) }
  const tooMany = { name: 'TooManyDeliveriesError', message: /^At least 10001 deliveries match/ }
  await t.rejects(replay(db, one, { since: at(0), until: at(10_002), all: true, asNew: false }, options), tooMany)
  t.equal((await readReplay(db, one)).waiting, 0, 'nothing is queued')
  t.equal((await replay(db, one, { since: at(2), until: at(10_002), all: true, asNew: false }, options)).queued, 10_000)
  t.strictSame(await readReplay(db, one), { waiting: 10_000, nextEventAt: at(2) })
})

t.test('a replay reads the deliveries of its period, not all of its receiver', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { one } = await startWithFailures(db)
  for (const all of [false, true]) {
    const plans = await explainQueries(db, (spied) => ask(spied, one, all))
    const read = plans.find((plan) => plan.some((step) => step.includes('deliveries_of_receiver'))) ?? []
    t.match(read.join(), 'deliveries_of_receiver (receiver_id=? AND event_number>? AND event_number<?)')
    t.notMatch(read.join(), 'SCAN events')
  }
})
