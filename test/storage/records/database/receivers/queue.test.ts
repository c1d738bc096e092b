import { randomUUID } from 'node:crypto'
import {
  applyDeclaredReceivers,
  countHeld,
  type Database,
  listReceivers,
  openDatabase,
  updateReceiver,
} from '@floe/storage/database'
import type { KyselyPlugin } from 'kysely'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import {
  at,
  by,
  claim,
  finish,
  moveHead,
  nextDueAt,
  repositoryWith,
  setEnabled,
  summary,
  webhook,
} from '../recorded.ts'

/** Holds deliveries of these head moves for the receivers. Faster than recording one head move after the other. */
async function hold(
  db: Database,
  repoId: string,
  receiverIds: readonly string[],
  sequences: readonly number[],
  owner: string | null = repoId,
) {
  const of = { repo_id: repoId } as const
  for (let first = 0; first < sequences.length; first += 500) {
    const events = sequences.slice(first, first + 500).map((sequence) => {
      const payload = JSON.stringify({ to: String(sequence) })
      const what = { ref: 'branch/main', name: 'NewCommit', payload, line: '', created_at: at(1).getTime() } as const
      return { ...of, ...what, id: randomUUID(), sequence }
    })
    const recorded = await db.insertInto('events').values(events).returning(['number', 'sequence']).execute()
    const positions = new Map(recorded.map(({ number, sequence }) => [number, sequence]))
    for (const receiver_id of receiverIds) {
      const deliveries = recorded.map(({ number }) => {
        return { id: randomUUID(), event_number: number, org: 'acme', receiver_id, receiver_repo_id: owner }
      })
      const added = await db.insertInto('deliveries').values(deliveries).returning(['number', 'event_number']).execute()
      const waiting = added.map(({ number, event_number }) => {
        const queue_position = positions.get(event_number) ?? null
        const whose = { ...of, org: 'acme', receiver_id, receiver_repo_id: owner }
        return { ...whose, delivery_number: number, state: 'pending', queue_position } as const
      })
      await db.insertInto('undelivered').values(waiting).execute()
      const queue = { receiver_id, repo_id: repoId }
      await db
        .insertInto('queues')
        .values(queue)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}

/** Notes how many rows each statement changes. */
function watchChanges(): { readonly plugin: KyselyPlugin; readonly changes: number[] } {
  const changes: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      changes.push(Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  return { plugin, changes }
}

const resumes = ['all', 'latest', 'none'] as const

const test = await testOnEngines(t)

test('thousands of held deliveries are sent or discarded, in statements of a thousand', async (t, { db }) => {
  const declared = resumes.map((alias) => webhook(alias))
  const { repoId, receivers } = await repositoryWith(db, declared)
  const ids = resumes.map((alias) => receivers.get(alias)?.id ?? '')
  for (const receiver of receivers.values()) await setEnabled(db, receiver, false, at(0))
  // The first have expired, and the receivers did not select some others.
  const sequences = Array.from({ length: 9_000 }, (_, index) => index + 300).filter((n) => n < 1_200 || n > 6_000)
  const count = sequences.length
  await hold(db, repoId, ids, sequences)
  t.strictSame(await countHeld(db, ids), new Map(ids.map((id) => [id, count])))

  const { plugin, changes } = watchChanges()
  for (const alias of resumes) await setEnabled(db.withPlugin(plugin), receivers.get(alias), true, at(2), alias)
  t.ok(Math.max(...changes) <= 1_000, `one statement changed ${Math.max(...changes)} rows`)
  t.strictSame(summary(await claim(db, at(2))), ['all 300', 'latest 9299'])
  const left = await db
    .selectFrom('undelivered')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select((eb) => ['alias', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['alias', 'state'])
    .orderBy('alias')
    .orderBy('state')
    .execute()
  t.strictSame(left, [
    { alias: 'all', state: 'pending', count },
    { alias: 'latest', state: 'discarded', count: count - 1 },
    { alias: 'latest', state: 'pending', count: 1 },
    { alias: 'none', state: 'discarded', count },
  ])
})

/** A webhook of the organisation for all repositories. */
async function declareForAll(db: Database) {
  const owner = { org: 'acme', repoId: null }
  await applyDeclaredReceivers(db, owner, [webhook('all', { repos: ['**'] })], { secrets, now: at(0) })
  const [receiver] = await listReceivers(db, owner)
  if (receiver === undefined) throw new Error('it was not declared')
  return receiver
}

test('enabling takes as many statements for many repositories without held deliveries as for none', async (t, {
  db,
}) => {
  const receiver = await declareForAll(db)
  const delivered: string[] = []
  const countStatements = async (names: readonly string[]) => {
    for (const name of names) {
      const { repoId } = await repositoryWith(db, [], name)
      await moveHead(db, repoId, ['A'], at(1))
      delivered.push(repoId)
    }
    await finish(db, await claim(db, at(2)), { kind: 'delivered' }, at(3))
    await setEnabled(db, receiver, false, at(4))
    const { plugin, changes } = watchChanges()
    await setEnabled(db.withPlugin(plugin), receiver, true, at(5), 'latest')
    t.equal(await nextDueAt(db), null)
    return changes.length
  }
  const few = await countStatements([])
  t.equal(await countStatements(Array.from({ length: 12 }, (_, index) => `ocean${index}`)), few)
  t.equal(delivered.length, 12)
})

test('the latest of each branch of each repository is sent, however many are held', async (t, { db }) => {
  const receiver = await declareForAll(db)
  const first = await repositoryWith(db, [], 'first')
  const second = await repositoryWith(db, [], 'second')
  await setEnabled(db, receiver, false, at(0))
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
  await hold(db, first.repoId, [receiver.id], numbers(1, 1_500), null)
  await hold(db, second.repoId, [receiver.id], numbers(2_001, 700), null)
  await setEnabled(db, receiver, true, at(2), 'latest')
  t.strictSame(summary(await claim(db, at(2))), ['all 1500', 'all 2700'])
  const states = await db
    .selectFrom('undelivered')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute()
  t.strictSame(states, [
    { state: 'discarded', count: 2_198 },
    { state: 'pending', count: 2 },
  ])
})

test('a change that is refused discards nothing', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
  const one = receivers.get('one')
  if (one === undefined) throw new Error('it was not declared')
  await setEnabled(db, one, false, at(0))
  await db.updateTable('receivers').set({ is_declared: 0 }).execute()
  const held = Array.from({ length: 2_500 }, (_, index) => index + 1)
  await hold(db, repoId, [one.id], held)
  const change = { isEnabled: true, resume: 'none', alias: 'two' } as const
  await t.rejects(updateReceiver(db, one, change, { secrets, by, now: at(2) }), { name: 'AliasInUseError' })
  t.strictSame(await countHeld(db, [one.id]), new Map([[one.id, held.length]]))
  await updateReceiver(db, one, { ...change, alias: 'three' }, { secrets, by, now: at(3) })
  t.strictSame(await claim(db, at(3)), [])
})

t.test('to send all held deliveries, only the first of each queue is read', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  await setEnabled(db, receivers.get('one'), false, at(2))
  const plans = await explainQueries(db, (spied) => setEnabled(spied, receivers.get('one'), true, at(3), 'all'))
  const reads = plans.flat().filter((step) => step.includes('undelivered USING'))
  t.ok(reads.length > 0)
  t.notMatch(reads.join('\n'), '(receiver_id=?)')
})
