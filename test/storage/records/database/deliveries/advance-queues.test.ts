import { defaultFilter } from '@floe/contract/lists'
import {
  addReceiver,
  findDelivery,
  listAudit,
  listReceivers,
  listDeliveries,
  nameQueue,
  readOutlook,
  redeliver,
  releaseStrays,
  removeReplica,
} from '@floe/storage/database'
import type { Room } from '@floe/storage/waiting'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { newWebhook } from '../receivers/edit-receivers.ts'
import {
  ample,
  at,
  by,
  claim,
  expire,
  finish,
  moveHead,
  nextDueAt,
  repositoryWith,
  setEnabled,
  summary,
  webhook,
} from '../recorded.ts'

const delivered = { kind: 'delivered' } as const

const test = await testOnEngines(t)

test('deliveries of a receiver come one at a time, oldest first', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  const first = await claim(db, at(2))
  t.strictSame(summary(first), ['one A', 'two A'])
  t.strictSame(await claim(db, at(2)), [], 'the rest waits for its turn')
  const [one] = first
  t.match(one, { attempt: 1, isRedelivery: false, event: { payload: '{"to":"A"}', line: 'now at A' } })
  await finish(db, first, delivered, at(3))
  const second = await claim(db, at(3))
  t.strictSame(summary(second), ['one B', 'two B'])
  await finish(db, second, delivered, at(3))
  t.strictSame(summary(await claim(db, at(3))), ['one C', 'two C'])
})

test('a retry waits for its time, and the others behind it', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const [first] = await claim(db, at(2))
  await finish(db, first ? [first] : [], { kind: 'retry', dueAt: at(5_000) }, at(3))
  t.strictSame(await claim(db, at(4_999)), [])
  t.strictSame(await nextDueAt(db), at(5_000))
  await moveHead(db, repoId, ['C'], at(4_000))
  t.strictSame(await nextDueAt(db), at(5_000), 'a new event does not bring it forward')
  const [again] = await claim(db, at(5_000))
  t.match(again, { deliveryId: first?.deliveryId, attempt: 2 }, 'the id is the same in every attempt')
  t.strictSame(summary(again ? [again] : []), ['one A'])
})

test('what a replica was sending that died is given to others, and its late answer changes nothing', async (t, {
  db,
}) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const late = await claim(db, at(2))
  t.equal(await nextDueAt(db), null)
  t.strictSame(await claim(db, at(900_000)), [], 'a lease does not end by itself')
  await removeReplica(db, 'a')
  t.strictSame(await nextDueAt(db), at(1))
  const taken = await claim(db, at(3))
  t.strictSame(summary(taken), ['one A'])
  t.equal(taken[0]?.attempt, 1, 'an attempt that was never finished is not counted')
  t.strictSame((await finish(db, late, { kind: 'dead', disableReason: 'late' }, at(4))).length, 1)
  t.strictSame((await finish(db, taken, delivered, at(5))).length, 0)
  t.strictSame((await finish(db, taken, delivered, at(6))).length, 1, 'and neither does a second one')
  t.strictSame(summary(await claim(db, at(7))), ['one B'], 'the receiver is still enabled')
  const attempts = await db.selectFrom('attempts').select(['delivery_number', 'number', 'status']).execute()
  t.strictSame(attempts, [{ delivery_number: taken[0]?.deliveryNumber, number: 1, status: 200 }])
})

test('a replica releases what it has leased and does not work on', async (t, { db }) => {
  const { repoId } = await repositoryWith(
    db,
    ['one', 'two'].map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['A'], at(1))
  const claims = await claim(db, at(2))
  t.match(await readOutlook(db, 'a'), { leased: 2, dueAt: null })
  t.match(await readOutlook(db, 'b'), { leased: 0 })
  const busy = new Set(claims.slice(0, 1).map(nameQueue))
  t.equal(await releaseStrays(db, { replica: 'b', busy, until: at(5) }), 0)
  t.equal(await releaseStrays(db, { replica: 'a', busy, until: at(5) }), 1)
  t.match(await readOutlook(db, 'a'), { leased: 1, dueAt: at(5) })
  t.equal((await claim(db, at(5))).length, 1)
})

test('queues of a disabled receiver are not due, whatever happens to them', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  const receiver = receivers.get('one')
  const readDueTimes = () => db.selectFrom('queues').select('due_at').execute()
  const enable = (ms: number) => setEnabled(db, receiver, true, at(ms), 'all')
  const disable = (ms: number) => setEnabled(db, receiver, false, at(ms))
  await moveHead(db, repoId, ['A'], at(1))
  await disable(2)
  t.strictSame(await readDueTimes(), [{ due_at: null }])
  await moveHead(db, repoId, ['B'], at(3))
  t.strictSame(await readDueTimes(), [{ due_at: null }], 'after an event')
  await enable(4)
  t.strictSame(await readDueTimes(), [{ due_at: at(4).getTime() }])
  const claims = await claim(db, at(5))
  await disable(6)
  await finish(db, claims, { kind: 'retry', dueAt: at(9) }, at(7))
  t.strictSame(await readDueTimes(), [{ due_at: null }], 'after the attempt that was under way')
  await enable(8)
  t.equal((await claim(db, at(9))).length, 1)
  await disable(10)
  await releaseStrays(db, { replica: 'a', busy: new Set(), until: at(11) })
  t.strictSame(await readDueTimes(), [{ due_at: null }], 'after its lease was given up')
  await enable(12)
  t.equal((await claim(db, at(13))).length, 1)
  await disable(14)
  await enable(15)
  await removeReplica(db, 'a')
  t.strictSame(await readDueTimes(), [{ due_at: at(15).getTime() }], 'a lost lease does not hide that it is due')
  await finish(db, await claim(db, at(16)), { kind: 'gone', disableReason: 'gone' }, at(17))
  t.strictSame(await readDueTimes(), [{ due_at: null }])
})

test('an attempt that disables its receiver ends the due times of its other queues', async (t, { db }) => {
  const repositories = ['weather', 'ocean'].map((name) => repositoryWith(db, [], name))
  const receiver = { ...newWebhook('', 'all'), repoId: null, filter: { ...defaultFilter, repos: ['**'] } }
  await addReceiver(db, receiver, { secrets, by, now: at(0) })
  for (const { repoId } of await Promise.all(repositories)) await moveHead(db, repoId, ['A'], at(1))
  const claims = await claim(db, at(2), { limit: 1 })
  t.strictSame(await nextDueAt(db), at(1))
  await finish(db, claims, { kind: 'dead', disableReason: 'dead' }, at(3))
  t.strictSame(await db.selectFrom('queues').select('due_at').execute(), [{ due_at: null }, { due_at: null }])
})

test('queues take turns', async (t, { db }) => {
  const aliases = ['a', 'b', 'c']
  const { repoId } = await repositoryWith(
    db,
    aliases.map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  const order: string[] = []
  for (let step = 2; step < 11; step++) {
    const claims = await claim(db, at(step), { limit: 1 })
    order.push(...summary(claims))
    await finish(db, claims, delivered, at(step))
  }
  t.strictSame(
    [0, 3, 6].map((start) => order.slice(start, start + 3).toSorted()),
    ['A', 'B', 'C'].map((id) => aliases.map((alias) => `${alias} ${id}`)),
  )
})

test('no origin gets more than its share', async (t, { db }) => {
  const busy = ['a', 'b', 'c', 'd'].map((alias) => webhook(alias, { url: 'https://busy.example.org/hook' }))
  const { repoId } = await repositoryWith(db, [...busy, webhook('e', { url: 'https://busy.example.org:8443/hook' })])
  await moveHead(db, repoId, ['A'], at(1))
  const room = (total: number) => ({ total, ofOthers: total, byTenant: new Map() })
  const rooms = (total: number) => ({
    origins: { ofOthers: room(3), byOrigin: new Map([['busy.example.org:443', room(total)]]) },
  })
  const some = await claim(db, at(2), rooms(2))
  const origins = some.map(({ origin }) => origin).toSorted()
  t.strictSame(origins, ['busy.example.org:443', 'busy.example.org:443', 'busy.example.org:8443'])
  t.strictSame(await claim(db, at(2), rooms(0)), [])
  t.equal((await claim(db, at(2), rooms(2))).length, 2, 'what was left out still waits')
})

test('organisations share an origin, however many queues of one were due first', async (t, { db }) => {
  const url = 'https://chat.example.org/hook'
  const shared = ['a', 'b', 'c', 'd', 'e', 'f'].map((alias) => webhook(alias, { url }))
  const { repoId } = await repositoryWith(db, shared)
  await moveHead(db, repoId, ['A'], at(1))
  const late = await repositoryWith(db, [webhook('late', { url })], 'weather', 'globex')
  await moveHead(db, late.repoId, ['A'], at(2))
  const claimWith = async (ofOthers: Room, byOrigin: ReadonlyMap<string, Room>, limit = 100) => {
    const claims = await claim(db, at(3), { limit, origins: { ofOthers, byOrigin } })
    return claims.map(({ receiver }) => receiver.org).toSorted()
  }
  const room = { total: 4, ofOthers: 2, byTenant: new Map([['acme', 0]]) }
  const listed = new Map([['chat.example.org:443', room]])
  t.strictSame(await claimWith(ample, listed, 1), ['globex'], 'a full share does not hide who has room')
  await removeReplica(db, 'a')
  const one = new Map([['chat.example.org:443', { ...room, byTenant: new Map([['acme', 1]]) }]])
  t.strictSame(await claimWith(ample, one), ['acme', 'globex'])
  await removeReplica(db, 'a')
  const unlisted = { ...room, byTenant: new Map() }
  t.strictSame(await claimWith(unlisted, new Map()), ['acme', 'acme', 'globex'], 'at an origin that is not listed')
  await removeReplica(db, 'a')
  const two = { total: 2, ofOthers: 2, byTenant: new Map() }
  t.strictSame(await claimWith(two, new Map()), ['acme', 'globex'], 'they take turns')
})

test('no organisation gets more than its share, and receivers that fail have a share of their own', async (t, {
  db,
}) => {
  const { repoId } = await repositoryWith(
    db,
    ['a', 'b', 'c', 'd'].map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['A'], at(1))
  const room = (total: number, own: number) => ({ total, ofOthers: total, byTenant: new Map([['acme', own]]) })
  const failed = await claim(db, at(2), {
    rooms: { steady: { ...room(2, 0), byTenant: new Map() }, failing: room(0, 0) },
  })
  t.equal(failed.length, 2, 'the room of an organisation without deliveries under way')
  await finish(db, failed, { kind: 'retry', dueAt: at(3) }, at(3))
  const claimWith = async (steady: number, failing: number) => {
    const claims = await claim(db, at(4), { rooms: { steady: room(9, steady), failing: room(9, failing) } })
    return claims.map(({ receiver }) => (receiver.failingSince === null ? 'steady' : 'failing'))
  }
  t.strictSame(await claimWith(0, 0), [])
  t.strictSame(await claimWith(0, 1), ['failing'])
  t.strictSame(await claimWith(1, 0), ['steady'])
  const none = { ...room(0, 0), byTenant: new Map() }
  t.strictSame(await claim(db, at(4), { rooms: { steady: none, failing: none } }), [])
  t.strictSame((await claimWith(5, 5)).toSorted(), ['failing', 'steady'], 'what was left out still waits')
})

test('claimers at the same time never get the same receiver', async (t, { db, connect }) => {
  const aliases = Array.from({ length: 40 }, (_, index) => `c${index}`)
  const { repoId } = await repositoryWith(
    db,
    aliases.map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  const workers = [db, await connect(), await connect(), await connect()]
  const log: string[] = []
  const underWay = new Set<string>()
  await Promise.all(
    workers.map(async (worker) => {
      for (let empty = 0; empty < 3;) {
        const claims = await claim(worker, at(2), { limit: 7 })
        empty = claims.length === 0 ? empty + 1 : 0
        for (const { receiver } of claims) {
          if (underWay.has(receiver.id)) t.fail(`${receiver.alias} is under way twice`)
          underWay.add(receiver.id)
        }
        log.push(...claims.map((one) => summary([one]).join()))
        for (const { receiver } of claims) underWay.delete(receiver.id)
        t.strictSame(await finish(worker, claims, delivered, at(2)), [], 'no lease is lost')
      }
    }),
  )
  t.strictSame(
    aliases.map((alias) => log.filter((entry) => entry.startsWith(`${alias} `))),
    aliases.map((alias) => ['A', 'B', 'C'].map((id) => `${alias} ${id}`)),
    'each exactly once and in order',
  )
})

test('a redelivery goes first, once, and its failure neither retries nor ends anything', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, delivered, at(3))
  await finish(db, await claim(db, at(3)), { kind: 'retry', dueAt: at(60_000) }, at(4))
  const id = first[0]?.deliveryId ?? ''
  const ask = () => redeliver(db, { org: 'acme', repoId, id }, { by, now: at(5) })
  const audit = { repoId, keyId: by.id, action: 'delivery.redeliver', subjectId: id }
  t.match(await Promise.all([ask(), ask()]), [audit, audit])
  const again = await claim(db, at(5))
  t.match(again, [{ deliveryId: id, attempt: 2, isRedelivery: true, event: first[0]?.event }])
  await finish(db, again, { kind: 'failed' }, at(6))
  t.strictSame(await claim(db, at(7)), [], 'twice is once, and B still waits for its retry')
  t.strictSame(await nextDueAt(db), at(60_000))
  t.match(await findDelivery(db, { org: 'acme', repoId, id }), { state: 'delivered', attemptCount: 2 })
  const refusal = { code: 'delivery-not-found' }
  await t.rejects(redeliver(db, { org: 'acme', repoId, id: 'no such delivery' }, { by, now: at(8) }), refusal)
  await t.rejects(redeliver(db, { org: 'acme', repoId: 'of another', id }, { by, now: at(8) }), refusal)
  const told = await listAudit(db, { repoId, limit: 9 })
  t.match(told, [audit, audit], 'what was refused is not told')
})

test('a receiver that fails a redelivery counts as failing, and stays enabled', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, delivered, at(3))
  await redeliver(db, { org: 'acme', repoId, id: first[0]?.deliveryId ?? '' }, { by, now: at(4) })
  await finish(db, await claim(db, at(5)), { kind: 'failed' }, at(6))
  t.match(await listReceivers(db, { org: 'acme', repoId }), [
    { isEnabled: true, failingSince: at(6), lastFailure: { status: 500 }, lastSuccessAt: at(3) },
  ])
})

test('a retry still waits for its time when the redelivery before it has expired', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, delivered, at(3))
  await moveHead(db, repoId, ['B'], at(4))
  await finish(db, await claim(db, at(5)), { kind: 'retry', dueAt: at(60_000) }, at(6))
  await redeliver(db, { org: 'acme', repoId, id: first[0]?.deliveryId ?? '' }, { by, now: at(7) })
  await expire(db, { eventsBefore: at(4) })
  t.strictSame(await claim(db, at(8)), [])
  t.strictSame(await nextDueAt(db), at(60_000))
  t.strictSame(summary(await claim(db, at(60_000))), ['one B'])
})

test('asking for a delivery that waits for its retry costs none of its attempts', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const places: [number, number][] = []
  for (let n = 0; n < 4; n++) {
    const [claimed, ...others] = await claim(db, at(2 + 100 * n))
    if (claimed === undefined) throw new Error('nothing is due')
    t.strictSame(others, [])
    places.push([claimed.attempt, claimed.scheduledAttempt])
    await finish(db, [claimed], { kind: 'retry', dueAt: at(102 + 100 * n) }, at(3 + 100 * n))
    const ask = () => redeliver(db, { org: 'acme', repoId, id: claimed.deliveryId }, { by, now: at(4) })
    // Twice after the first attempt, and once after the third.
    if (n === 0) await Promise.all([ask(), ask()])
    if (n === 2) await ask()
  }
  t.strictSame(places, [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
  ])
})

test('asking for a delivery whose retry is under way changes nothing', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  await finish(db, await claim(db, at(2)), { kind: 'retry', dueAt: at(100) }, at(3))
  const retried = await claim(db, at(100))
  await redeliver(db, { org: 'acme', repoId, id: retried[0]?.deliveryId ?? '' }, { by, now: at(101) })
  await finish(db, retried, { kind: 'retry', dueAt: at(200) }, at(102))
  t.strictSame(await claim(db, at(103)), [])
  t.match(await claim(db, at(200)), [{ attempt: 3, scheduledAttempt: 3 }])
})

test('asking for a delivery that waits for an earlier one does not change their order', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, { kind: 'retry', dueAt: at(100) }, at(3))
  const deliveries = await listDeliveries(db, { org: 'acme', repoId, limit: 9 })
  const { id = '' } = deliveries.find((delivery) => delivery.id !== first[0]?.deliveryId) ?? {}
  await redeliver(db, { org: 'acme', repoId, id }, { by, now: at(4) })
  t.strictSame(await claim(db, at(5)), [])
  t.strictSame(summary(await claim(db, at(100))), ['one A'])
})

test('an answer that no text column can hold whole is kept as far as possible', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const claims = await claim(db, at(2))
  await finish(db, claims, { kind: 'gone', disableReason: 'c\0d' }, at(3), 'a\0b')
  const rows = await db.selectFrom('attempts').select(['status', 'response_excerpt', 'started_at']).execute()
  t.strictSame(rows, [{ status: 500, response_excerpt: 'a\ufffdb', started_at: at(3).getTime() }])
  t.match(await listReceivers(db, { org: 'acme', repoId }), [{ disabledReason: 'c\ufffdd' }])
})

test('what was discarded while it was under way is not planned again', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const claims = await claim(db, at(2))
  await setEnabled(db, receivers.get('one'), false, at(3))
  await setEnabled(db, receivers.get('one'), true, at(3), 'none')
  await finish(db, claims, { kind: 'retry', dueAt: at(5_000) }, at(4))
  t.match(await listDeliveries(db, { org: 'acme', repoId, limit: 1 }), [{ state: 'discarded', nextAttemptAt: null }])
  t.equal(await nextDueAt(db), null)
})
