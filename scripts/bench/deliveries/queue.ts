// A large queue: one event for 10,000 webhooks, 100,000 waiting deliveries, and millions of recorded attempts.
// Usage: npm run bench -- queue [--attempts 10000000] [--database postgres://USER@HOST/DATABASE]
// Receivers have a process of their own. The database is a new SQLite file, or a new database on the server of this URL. Ten million
// attempts take about 4 GB on disk.
import { parseArgs } from 'node:util'
import {
  advanceQueues,
  type Database,
  deleteExpired,
  type FinishedAttempt,
  listDeliveries,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { openBenchDatabase } from './bench-database.ts'
import { declareWebhooks, findQuantile, recordEvent, startDelivering } from './loopback-deliveries.ts'
import { startReceivers } from './receivers.ts'

const { values } = parseArgs({
  options: { database: { type: 'string' }, attempts: { type: 'string', default: '10000000' } },
})
const attempts = Number(values.attempts)
const receivers = 10_000
const waitingEvents = 10
const waiting = receivers * waitingEvents
/** Recorded attempts of each delivery that was made before. */
const attemptsEach = 10
const pages = 200
const pageSize = 100
const claims = 300
/** As many as the clean-up of the service deletes in one step. */
const expiredRows = 100

async function measureQueue(db: Database, origins: readonly string[]): Promise<void> {
  const urls = Array.from({ length: receivers }, (_, index) => `${origins[index % origins.length]}/${index}`)
  const repoId = await declareWebhooks(db, urls)
  await fillLog(db, repoId)
  const moves: number[] = []
  for (let n = 0; n < waitingEvents; n++) moves.push(await time(() => recordEvent(db, repoId)))
  report('one event recorded for 10,000 webhooks', moves)
  await claimOneByOne(db)
  await drain(db, '100,000 deliveries drained')
  await readPages(db, repoId)
  for (let n = 0; n < waitingEvents; n++) await recordEvent(db, repoId)
  const cleaning = startCleaning(db)
  await drain(db, 'the same while attempts are deleted')
  report('  100 attempts deleted', await cleaning.stop())
}

/** Records attempts of deliveries that were made long ago. */
async function fillLog(db: Database, repoId: string): Promise<void> {
  const start = performance.now()
  const events = Math.ceil(attempts / attemptsEach / receivers)
  for (let n = 0; n < events; n++) await recordEvent(db, repoId)
  await db.updateTable('receivers').set({ due_at: null }).execute()
  const ids = await db.selectFrom('events').select('id').execute()
  // One event at a time, because a statement on PostgreSQL may take only some seconds.
  for (const [n, { id }] of ids.entries()) {
    const delivered = { state: 'delivered', turn: null, attempts: attemptsEach } as const
    await db.updateTable('deliveries').set(delivered).where('event_id', '=', id).execute()
    await sql`
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${attemptsEach})
      insert into attempts (delivery_id, number, started_at, duration_ms, status, error, response_excerpt)
      select deliveries.id, numbers.number, cast(${n * attemptsEach} + numbers.number as bigint), 12, 200, null, 'ok'
      from deliveries cross join numbers where event_id = ${id}`.execute(db)
  }
  const seconds = ((performance.now() - start) / 1_000).toFixed(0)
  console.log(
    `${ids.length * receivers * attemptsEach} attempts of ${ids.length * receivers} deliveries written in ${seconds} s`,
  )
}

/** Claims a delivery, then records it and claims the next. What is left of the last lease ends later. */
async function claimOneByOne(db: Database): Promise<void> {
  const times: number[] = []
  let finished: readonly FinishedAttempt[] = []
  const options = { limit: 1, perOrigin: 16, inFlight: new Map<string, number>(), busy: new Set<string>(), leaseMs: 0 }
  for (let n = 0; n < claims; n++) {
    const now = new Date()
    times.push(
      await time(async () => {
        const { claims } = await advanceQueues(db, { finished, claim: options }, now)
        const outcome = { startedAt: now, durationMs: 12, status: 200, error: null, responseExcerpt: 'ok' }
        finished = claims.map((claim) => ({ claim, outcome, next: { kind: 'retry', dueAt: now } }))
      }),
    )
  }
  report('one attempt recorded and one delivery claimed', times)
}

/** Delivers all that waits. */
async function drain(db: Database, what: string): Promise<void> {
  const done = Promise.withResolvers<void>()
  let recorded = 0
  let memory = 0
  const start = performance.now()
  const delivering = startDelivering(
    db,
    () => {
      if (++recorded % 100 === 0) memory = Math.max(memory, process.memoryUsage.rss())
      if (recorded >= waiting) done.resolve()
    },
    done.reject,
  )
  await done.promise
  const seconds = (performance.now() - start) / 1_000
  await delivering.stop()
  const megabytes = (memory / 1_000_000).toFixed(0)
  console.log(`${what}: ${seconds.toFixed(1)} s, ${(waiting / seconds).toFixed(0)}/s, at most ${megabytes} MB resident`)
}

async function readPages(db: Database, repoId: string): Promise<void> {
  const times: number[] = []
  let before: string | undefined
  for (let page = 0; page < pages; page++) {
    const query = { repoId, before, limit: pageSize }
    times.push(await time(async () => (before = (await listDeliveries(db, query)).at(-1)?.id)))
  }
  report('a page of the log', times)
}

/** Deletes the oldest attempts, one step after another, until it is stopped. Returns how long each step took. */
function startCleaning(db: Database): { readonly stop: () => Promise<readonly number[]> } {
  const stopping = new AbortController()
  const never = new Date(0)
  // Later than what was written by `fillLog`, and long before now.
  const expiry = { attemptsBefore: new Date(attempts + 1), eventsBefore: never, auditBefore: never, keysBefore: never }
  const clean = async (): Promise<readonly number[]> => {
    const times: number[] = []
    while (!stopping.signal.aborted) times.push(await time(() => deleteExpired(db, { ...expiry, limit: expiredRows })))
    return times
  }
  const cleaning = clean()
  // A failure is told by `stop`.
  cleaning.catch(() => undefined)
  return {
    stop: () => {
      stopping.abort()
      return cleaning
    },
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function report(what: string, times: readonly number[]): void {
  const [median, p95, most] = [0.5, 0.95, 0.999].map((part) => findQuantile(times, part).toFixed(1))
  console.log(`${what}: median ${median} ms, p95 ${p95} ms, slowest ${most} ms of ${times.length}`)
}

const { origins, stop } = await startReceivers({ isApart: true })
const { db, drop } = await openBenchDatabase(values.database)
try {
  await measureQueue(db, origins)
} finally {
  await drop()
  stop()
}
