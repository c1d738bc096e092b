// Deliveries per second: claimed, signed, posted over HTTPS, and recorded. Compared with bare POSTs of the same bytes
// by undici and by node:https, with the same concurrency, to the same receivers.
// Usage: npm run bench -- deliveries [apart] [--database postgres://USER@HOST/DATABASE] [--receivers 256]
// The database is a new SQLite file, or a new database on the server of this URL. Sender and receiver share this
// process; with `apart` the receiver is a separate process. Rounds alternate. Rates vary with the load of the machine;
// the processor time of the main thread varies less.
import { Agent, request } from 'node:https'
import { createSecureContext } from 'node:tls'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '@floe/storage/database'
import * as undici from 'undici'
import {
  authority,
  createDatabase,
  declareWebhooks,
  payload,
  recordEvent,
  startDelivering,
} from './loopback-deliveries.ts'
import { findMedian } from '../measuring/table.ts'
import { startReceivers } from './receivers.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' }, receivers: { type: 'string', default: '256' } },
})
const rounds = 5
const receivers = Number(values.receivers)
const eventsPerRound = Math.ceil(10_000 / receivers)
const total = receivers * eventsPerRound
const underWay = Math.min(receivers, 256)

/** Requests per second, and microseconds of the main thread for each. */
type Cost = { readonly rate: number; readonly cpu: number }
type Costs = { readonly floe: Cost; readonly undici: Cost; readonly https: Cost }

async function compare(isApart: boolean): Promise<void> {
  const { origins, stop } = await startReceivers({ isApart })
  const { url, remove } = await createDatabase(values.database)
  const db = await openDatabase(url)
  try {
    const urls = Array.from({ length: receivers }, (_, index) => `${origins[index % origins.length]}/${index}`)
    const repoId = await declareWebhooks(db, urls)
    const costs: Costs[] = []
    for (let round = 0; round <= rounds; round++) {
      const cost = {
        floe: await measureFloe(db, repoId),
        undici: await measureUndici(origins),
        https: await measureHttps(origins),
      }
      // The first round is a warm-up.
      if (round > 0) costs.push(cost)
    }
    report(costs)
  } finally {
    stop()
    await db.destroy()
    await remove()
  }
}

/** Measures only deliveries; the events are recorded before. */
async function measureFloe(db: Database, repoId: string): Promise<Cost> {
  for (let n = 0; n < eventsPerRound; n++) await recordEvent(db, repoId)
  const done = Promise.withResolvers<void>()
  let recorded = 0
  const stopwatch = startWatch()
  const delivering = startDelivering(
    db,
    (attempt) => {
      if (attempt.next.kind !== 'delivered') done.reject(new Error(`a delivery failed: ${attempt.outcome.error}`))
      if (++recorded === total) done.resolve()
    },
    done.reject,
  )
  await done.promise
  const cost = stopwatch()
  await delivering.stop()
  return cost
}

/** The upper limit: the same bytes, posted by bare undici. */
async function measureUndici(origins: readonly string[]): Promise<Cost> {
  const dispatcher = new undici.Agent({ connections: Math.ceil(underWay / origins.length), connect: { ca: authority } })
  const rate = await measureBare(async (number) => {
    const { body } = await undici.request(`${origins[number % origins.length]}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: payload,
      dispatcher,
    })
    await body.dump()
  })
  await dispatcher.close()
  return rate
}

async function measureHttps(origins: readonly string[]): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca: authority }) })
  const rate = await measureBare(
    (number) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' }
        const sent = request(`${origins[number % origins.length]}/`, { method: 'POST', agent, headers })
        sent.on('error', reject)
        sent.on('response', (response) => response.resume().on('end', resolve))
        sent.end(payload)
      }),
  )
  agent.destroy()
  return rate
}

async function measureBare(post: (number: number) => Promise<void>): Promise<Cost> {
  let sent = 0
  const stopwatch = startWatch()
  const sendNext = async (): Promise<void> => {
    while (sent < total) await post(sent++)
  }
  await Promise.all(Array.from({ length: underWay }, sendNext))
  return stopwatch()
}

/** Returns a function that returns the cost since now. */
function startWatch(): () => Cost {
  const start = performance.now()
  const used = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(used)
    return { rate: total / ((performance.now() - start) / 1_000), cpu: (user + system) / total }
  }
}

function report(costs: readonly Costs[]): void {
  const summarize = (values: readonly number[], digits: number) => {
    const [median, least, most] = [findMedian(values), Math.min(...values), Math.max(...values)]
    return `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`
  }
  const list = (client: keyof Costs, member: keyof Cost) => costs.map((cost) => cost[client][member])
  console.log(`${receivers} receivers, medians of ${rounds} rounds (least to most)`)
  console.log(`deliveries: ${summarize(list('floe', 'rate'), 0)}/s, ${summarize(list('floe', 'cpu'), 0)} us each`)
  for (const client of ['undici', 'https'] as const) {
    const rates = costs.map((cost) => cost.floe.rate / cost[client].rate)
    const times = costs.map((cost) => cost[client].cpu / cost.floe.cpu)
    console.log(`bare ${client}: ${summarize(list(client, 'rate'), 0)}/s, ${summarize(list(client, 'cpu'), 0)} us each`)
    console.log(`  ratio ${summarize(rates, 2)}; of processor time ${summarize(times, 2)}`)
  }
}

await compare(positionals[0] === 'apart')
