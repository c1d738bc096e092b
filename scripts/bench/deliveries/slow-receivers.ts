// Deliveries per second to receivers that answer late, and the memory that attempts in flight take.
// Usage: npm run bench -- slow-receivers [--database postgres://USER@HOST/DATABASE] [--receivers 4000] [--ports 250]
//   [--delay 500]
//   [--in-flight 2048] [--events 5]
// The receivers run in a process of their own, spread over the ports; a port is a host of its own for the limits.
import { parseArgs } from 'node:util'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { createDatabase, declareWebhooks, recordEvent, startDelivering } from './loopback-deliveries.ts'
import { startReceivers } from './receivers.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    receivers: { type: 'string', default: '4000' },
    ports: { type: 'string', default: '250' },
    delay: { type: 'string', default: '500' },
    'in-flight': { type: 'string' },
    events: { type: 'string', default: '5' },
  },
})
const receivers = Number(values.receivers)
const total = receivers * Number(values.events)
const maxInFlight = values['in-flight'] === undefined ? undefined : Number(values['in-flight'])

const { origins, stop } = await startReceivers({
  isApart: true,
  ports: Number(values.ports),
  delayMs: Number(values.delay),
})
const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
try {
  const urls = Array.from({ length: receivers }, (_, index) => `${origins[index % origins.length]}/${index}`)
  const repoId = await declareWebhooks(db, urls)
  const rssBefore = process.memoryUsage.rss()
  for (let n = 0; n < Number(values.events); n++) await recordEvent(db, repoId)
  // PostgreSQL does this itself, but only once a minute. Without statistics, each batch reads all receivers.
  if (values.database !== undefined) await sql`analyze`.execute(db)
  const used = process.threadCpuUsage()
  const { seconds, rssMost, perSecond } = await deliver(total)
  const { user, system } = process.threadCpuUsage(used)
  const [rate, threadTime] = [total / seconds, (user + system) / total].map((figure) => figure.toFixed(0))
  console.log(`${total} deliveries in ${seconds.toFixed(1)} s: ${rate}/s; by second ${perSecond.join(' ')}`)
  console.log(`main thread ${threadTime} us each; memory ${mega(rssBefore)} MB, then at most ${mega(rssMost)} MB`)
} finally {
  stop()
  await db.destroy()
  await remove()
}

/** Delivers until this number of attempts is recorded. */
async function deliver(count: number) {
  const done = Promise.withResolvers<void>()
  const start = performance.now()
  const perSecond: number[] = []
  let recorded = 0
  let rssMost = 0
  const sampling = setInterval(() => (rssMost = Math.max(rssMost, process.memoryUsage.rss())), 100)
  const delivering = startDelivering(
    db,
    (attempt) => {
      if (attempt.next.kind !== 'delivered') done.reject(new Error(`a delivery failed: ${attempt.outcome.error}`))
      const second = Math.floor((performance.now() - start) / 1_000)
      perSecond[second] = (perSecond[second] ?? 0) + 1
      if (++recorded === count) done.resolve()
    },
    done.reject,
    maxInFlight,
  )
  await done.promise
  const seconds = (performance.now() - start) / 1_000
  clearInterval(sampling)
  await delivering.stop()
  return { seconds, rssMost, perSecond: Array.from(perSecond, (number) => number ?? 0) }
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
