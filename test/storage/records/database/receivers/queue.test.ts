import { randomUUID } from 'node:crypto'
import { countHeld, type Database } from '@floe/storage/database'
import type { KyselyPlugin } from 'kysely'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, claim, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'

/** Holds deliveries of these head moves for the receivers. Faster than recording one head move after the other. */
async function hold(db: Database, repoId: string, receiverIds: readonly string[], sequences: readonly number[]) {
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
        return { id: randomUUID(), event_number: number, receiver_id, receiver_repo_id: repoId }
      })
      const added = await db.insertInto('deliveries').values(deliveries).returning(['number', 'event_number']).execute()
      const waiting = added.map(({ number, event_number }) => {
        const queue_position = positions.get(event_number) ?? null
        const whose = { ...of, receiver_id, receiver_repo_id: repoId }
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
