// How long the steps take that delete old events with their deliveries and attempts, and how long other changes wait
// meanwhile.
// Usage: npm run bench -- deletion [--database postgres://USER@HOST/DATABASE] [--events 3000] [--receivers 50]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Database, deleteExpired, type ExpiryStep, openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { cleanUpRows } from '../../../server/notifications/clean-up.ts'
import { createDatabase, declareWebhooks, payload } from './loopback-deliveries.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    events: { type: 'string', default: '3000' },
    receivers: { type: 'string', default: '50' },
  },
})
const events = Number(values.events)

const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
try {
  const urls = Array.from({ length: Number(values.receivers) }, (_, index) => `https://receiver-${index}.test/`)
  await fill(db, await declareWebhooks(db, urls))
  let isDone = false
  const waits = measureWaits(db, () => isDone)
  const start = performance.now()
  const steps = await deleteAll(db)
  const seconds = (performance.now() - start) / 1_000
  isDone = true
  console.log(`${events} events in ${seconds.toFixed(1)} s: ${(events / seconds).toFixed(0)}/s`)
  console.log(`${steps.length} steps: ${summarize(steps)}`)
  console.log(`other changes: ${summarize(await waits)}`)
} finally {
  await db.destroy()
  await remove()
}

/** Records events that were delivered to all receivers, all of them long ago. */
async function fill(db: Database, repoId: string): Promise<void> {
  const numbers = sql.raw(
    `(with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${events})
      select i from numbers)`,
  )
  await sql`
    insert into events (id, repo_id, ref, sequence, name, payload, line, created_at, org, position)
    select 'event-' || i, ${repoId}, 'branch/main', i, 'NewCommit', ${payload}, 'line', i, 'acme', i
    from ${numbers} as numbers`.execute(db)
  await sql`
    insert into event_positions (org, last, deleted_through, has_streams)
    values ('acme', ${events}, 0, 1), ('other', 0, 0, 1)`.execute(db)
  for (let from = 1; from <= events; from += 100) {
    await sql`
      insert into deliveries (id, org, receiver_repo_id, event_number, receiver_id)
      select '018c0000-0000-7000-8000-' || events.number || '-' || substr(receivers.id, 1, 8), 'acme', ${repoId},
        events.number, receivers.id
      from events cross join receivers where sequence between ${from} and ${from + 99}
      order by events.number, receivers.id`.execute(db)
  }
  await sql`
    insert into attempts (delivery_number, number, started_at, duration_ms, status, response_excerpt)
    select number, 1, event_number, 50, 204, '' from deliveries order by number`.execute(db)
}

/**
 * Deletes everything as the service does, but the attempts only with their deliveries. Returns how long each step took,
 * in milliseconds.
 */
async function deleteAll(db: Database): Promise<readonly number[]> {
  const never = new Date(0)
  const steps: number[] = []
  for (let step: ExpiryStep | undefined; step?.deleted !== 0;) {
    const start = performance.now()
    step = await deleteExpired(db, {
      attemptsBefore: never,
      eventsBefore: new Date(),
      auditBefore: never,
      keysBefore: never,
      sessionsBefore: never,
      limit: cleanUpRows,
      cursor: step?.cursor,
    })
    steps.push(performance.now() - start)
  }
  return steps
}

/** Makes a small change again and again. Returns how long each took, in milliseconds. */
async function measureWaits(db: Database, isDone: () => boolean): Promise<readonly number[]> {
  const waits: number[] = []
  for (let last = 1; !isDone(); last++) {
    const start = performance.now()
    await db.updateTable('event_positions').set({ last }).where('org', '=', 'other').execute()
    waits.push(performance.now() - start)
    await pause(2)
  }
  return waits
}

function summarize(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => (sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0).toFixed(1)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}
