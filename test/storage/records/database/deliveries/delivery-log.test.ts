import {
  findDelivery,
  listAudit,
  listDeliveries,
  openDatabase,
  readQueueState,
  redeliver,
  removeReplica,
} from '@floe/storage/database'
import type { Database, DeliveryQuery } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainLastQuery } from '../explain-queries.ts'
import { at, by, claim, finish, moveHead, repositoryWith, setEnabled, webhook } from '../recorded.ts'

/** All pages of a list, as line and alias of each delivery. */
async function walk(
  db: Database,
  query: Omit<DeliveryQuery, 'limit'>,
  aliases: ReadonlyMap<string, string>,
  limit = 2,
) {
  const pages: string[][] = []
  for (let before: string | undefined; ;) {
    const page = await listDeliveries(db, { ...query, before, limit })
    if (page.length === 0) return pages
    pages.push(page.map(({ line, receiverId }) => `${line.slice('now at '.length)} ${aliases.get(receiverId)}`))
    before = page.at(-1)?.id
  }
}

const test = await testOnEngines(t)

test('pages hold each delivery of the repository once, newest first', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
  const other = await repositoryWith(db, [webhook('one')], 'other')
  for (const [index, id] of ['A', 'B', 'C'].entries()) await moveHead(db, repoId, [id], at(index))
  await moveHead(db, other.repoId, ['X'], at(1))
  const aliases = new Map([...receivers.values()].map(({ id, alias }) => [id, alias]))
  const pages = await walk(db, { org: 'acme', repoId }, aliases)
  t.strictSame(
    pages.map((page) => page.toSorted()),
    [
      ['C one', 'C two'],
      ['B one', 'B two'],
      ['A one', 'A two'],
    ],
  )
  t.strictSame((await walk(db, { org: 'acme', repoId }, aliases, 1)).flat(), pages.flat(), 'of whatever size')
  const receiverId = receivers.get('two')?.id
  t.strictSame(await walk(db, { org: 'acme', repoId, receiverId }, aliases), [['C two', 'B two'], ['A two']])
  t.strictSame(await walk(db, { org: 'acme', repoId: other.repoId, receiverId }, aliases), [])
  const [elsewhere] = await listDeliveries(db, { org: 'acme', repoId: other.repoId, limit: 1 })
  t.strictSame(await listDeliveries(db, { org: 'acme', repoId, before: elsewhere?.id, limit: 9 }), [])
})

test('a delivery tells its event, its attempts, and when the next one is', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const receiverId = receivers.get('one')?.id
  const [fresh] = await listDeliveries(db, { org: 'acme', repoId, limit: 1 })
  const event = { event: 'NewCommit', sequence: 1, line: 'now at A', receiverId, createdAt: at(1) }
  t.match(fresh, { ...event, state: 'pending', attemptCount: 0, nextAttemptAt: null, lastAttempt: null })
  await finish(db, await claim(db, at(2)), { kind: 'retry', dueAt: at(60_000) }, at(3), 'sorry')
  const [waiting] = await listDeliveries(db, { org: 'acme', repoId, limit: 1 })
  const lastAttempt = { startedAt: at(3), durationMs: 1, status: 500, error: 'answered 500' }
  t.match(waiting, { id: fresh?.id, state: 'pending', attemptCount: 1, nextAttemptAt: at(60_000) })
  t.strictSame(waiting?.lastAttempt, lastAttempt)
  await setEnabled(db, receivers.get('one'), false, at(4))
  t.match(await listDeliveries(db, { org: 'acme', repoId, limit: 1 }), [{ state: 'held', nextAttemptAt: null }])
  await setEnabled(db, receivers.get('one'), true, at(5))
  await finish(db, await claim(db, at(6)), { kind: 'delivered' }, at(7), 'thanks')
  const details = await findDelivery(db, { org: 'acme', repoId, id: fresh?.id ?? '' })
  t.match(details, { ...event, payload: '{"to":"A"}', state: 'delivered', attemptCount: 2, nextAttemptAt: null })
  t.strictSame(details?.attempts, [
    { number: 1, ...lastAttempt, responseExcerpt: 'sorry' },
    { number: 2, ...lastAttempt, startedAt: at(7), status: 200, error: null, responseExcerpt: 'thanks' },
  ])
  t.equal(await findDelivery(db, { org: 'acme', repoId: 'of another', id: fresh?.id ?? '' }), undefined)
})

test('of very many attempts the latest are kept', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const [{ deliveryId: id } = { deliveryId: '' }] = await claim(db, at(2))
  await removeReplica(db, 'a')
  for (let ms = 3; ms < 105; ms++) {
    await redeliver(db, { org: 'acme', repoId, id }, { by, now: at(ms) })
    await finish(db, await claim(db, at(ms)), { kind: 'delivered' }, at(ms))
  }
  const { attempts = [] } = (await findDelivery(db, { org: 'acme', repoId, id })) ?? {}
  t.strictSame([attempts.length, attempts[0]?.number, attempts.at(-1)?.number], [100, 3, 102])
  const kept = await db.selectFrom('attempts').select('number').execute()
  t.equal(kept.length, 100, 'no others')
})

t.test('lists are read from an index in their order: nothing is scanned or sorted', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const receiverId = receivers.get('one')?.id
  const [{ id: before } = { id: '' }] = await listDeliveries(db, { org: 'acme', repoId, limit: 1 })
  const owners = [
    [{ org: 'acme', repoId }, {}, 'of_repository (receiver_repo_id=?'],
    [{ org: 'acme', repoId: null }, {}, 'of_organisation (org=?'],
    [{ org: 'acme', repoId }, { receiverId }, 'of_receiver (receiver_id=?'],
    [{ org: 'acme', repoId: null }, { receiverId }, 'of_receiver (receiver_id=?'],
  ] as const
  for (const [owner, of, index] of owners) {
    const recorded = `SEARCH deliveries USING INDEX deliveries_${index} AND event_number<?)`
    const waiting = `SEARCH undelivered USING INDEX undelivered_${index} AND state=? AND delivery_number<?)`
    const queries = [
      [{}, recorded],
      [{ before }, recorded],
      [{ before, state: 'delivered' }, recorded],
      [{ before, state: 'dead' }, waiting],
      [{ before, state: 'held' }, waiting],
    ] as const
    for (const [query, search] of queries) {
      const plan = await explainLastQuery(db, (spied) =>
        listDeliveries(spied, { ...owner, ...of, ...query, limit: 100 }),
      )
      t.ok(plan.includes(search), `${search}: ${plan.join('; ')}`)
      t.notMatch(plan.join(), /SCAN|TEMP B-TREE/, JSON.stringify({ ...of, ...query }))
    }
  }
  const about = { org: 'acme', repoId: null, aboutRepoId: repoId, limit: 100 }
  for (const query of [{}, { before }, { before, state: 'delivered' }] as const) {
    const plan = await explainLastQuery(db, (spied) => listDeliveries(spied, { ...about, ...query }))
    t.match(plan.join(), 'SEARCH deliveries USING INDEX deliveries_of_organisation (org=? AND event_number>')
    t.notMatch(plan.join(), /SCAN|TEMP B-TREE/, JSON.stringify(query))
  }
  const plan = await explainLastQuery(db, (spied) => listAudit(spied, { repoId, limit: 100 }))
  t.match(plan, ['SEARCH audit USING INDEX audit_of_repository (repo_id=?)'])
  t.notMatch(plan.join(), /SCAN|TEMP B-TREE/)
  const whole = await explainLastQuery(db, (spied) => listAudit(spied, { org: 'acme', repos: null, limit: 100 }))
  t.match(whole, ['SEARCH audit USING INDEX audit_of_organisation (org=?)'])
  t.notMatch(whole.join(), /SCAN|TEMP B-TREE/)
})

test('tells how many deliveries wait, since when, and when the next is due', async (t, { db }) => {
  t.strictSame(await readQueueState(db), { waiting: 0, oldestAt: null, dueAt: null })
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A'], at(1))
  await moveHead(db, repoId, ['B'], at(2))
  t.strictSame(await readQueueState(db), { waiting: 4, oldestAt: at(1), dueAt: at(1) })
  const claims = await claim(db, at(3))
  t.equal(claims.length, 2)
  t.strictSame(await readQueueState(db), { waiting: 4, oldestAt: at(1), dueAt: null }, 'those under way count')
  await finish(db, claims, { kind: 'delivered' }, at(4))
  t.strictSame(await readQueueState(db), { waiting: 2, oldestAt: at(2), dueAt: at(4) })
  await setEnabled(db, receivers.get('two'), false, at(5))
  t.equal((await readQueueState(db)).waiting, 1, 'those of a disabled receiver do not')
})

t.test('what waits is read from indexes: no table is scanned', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const plan = await explainLastQuery(db, readQueueState)
  t.match(plan.join(), 'queues USING INDEX queues_due (due_at>?)')
  t.match(plan.join(), 'undelivered USING COVERING INDEX undelivered_queue (receiver_id=?')
  t.notMatch(plan.join(), /SCAN (receivers|deliveries|undelivered|queues USING)|TEMP B-TREE/, plan.join('\n'))
})
