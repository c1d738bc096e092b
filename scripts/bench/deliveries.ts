// Deliveries per second: recorded in SQLite, claimed, signed, posted over HTTPS, each attempt recorded. Compared with bare POSTs of the same
// bytes by undici and by node:https, with the same number at once, to the same receivers.
// Usage: npm run bench -- deliveries [apart]
// Sender and receiver share this process; with `apart` the receiver is a separate process. Rounds alternate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '@floe/storage/database'
import * as undici from 'undici'
import {
  authority,
  declareWebhooks,
  payload,
  findQuantile,
  recordEvent,
  startDelivering,
  startLoopbackReceiver,
} from './loopback-deliveries.ts'

const rounds = 3
const receivers = 256
const eventsPerRound = 40
const total = receivers * eventsPerRound
const ports = 16
const underWay = 256

/** Requests per second. */
type Rates = { readonly floe: number; readonly undici: number; readonly https: number }

async function compare(isApart: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const child = isApart
    ? spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), 'receive'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    : undefined
  const db = await openDatabase(`sqlite:${join(directory, 'floe.db')}`)
  try {
    const origins = child
      ? String((await once(child.stdout, 'data'))[0])
          .trim()
          .split(' ')
      : await startReceivers()
    const urls = Array.from({ length: receivers }, (_, index) => `${origins[index % ports]}/${index}`)
    const repoId = await declareWebhooks(db, urls)
    const rates: Rates[] = []
    for (let round = 0; round <= rounds; round++) {
      const rate = {
        floe: await measureFloe(db, repoId),
        undici: await measureUndici(origins),
        https: await measureHttps(origins),
      }
      // The first round is a warm-up.
      if (round > 0) rates.push(rate)
    }
    report(rates)
  } finally {
    await db.destroy()
    child?.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

/** @returns the origins of receivers that answer 200 to everything */
function startReceivers(): Promise<string[]> {
  return Promise.all(
    Array.from({ length: ports }, () =>
      startLoopbackReceiver((request, response) => {
        request.resume().on('end', () => response.end('ok'))
      }),
    ),
  )
}

/** Measures delivery only; the events are recorded before. */
async function measureFloe(db: Database, repoId: string): Promise<number> {
  for (let n = 0; n < eventsPerRound; n++) await recordEvent(db, repoId)
  const done = Promise.withResolvers<void>()
  let recorded = 0
  const start = performance.now()
  const delivering = startDelivering(
    db,
    (attempts) => {
      const failed = attempts.find(({ next }) => next.kind !== 'delivered')
      if (failed !== undefined) done.reject(new Error(`a delivery failed: ${failed.outcome.error}`))
      recorded += attempts.length
      if (recorded === total) done.resolve()
    },
    done.reject,
  )
  await done.promise
  const rate = countPerSecond(start)
  await delivering.stop()
  return rate
}

/** The upper limit: the same bytes, posted by undici alone. */
async function measureUndici(origins: readonly string[]): Promise<number> {
  const dispatcher = new undici.Agent({ connections: underWay / ports, connect: { ca: authority } })
  const rate = await measureBare(async (number) => {
    const { body } = await undici.request(`${origins[number % ports]}/`, {
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

async function measureHttps(origins: readonly string[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca: authority }) })
  const rate = await measureBare(
    (number) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' }
        const sent = request(`${origins[number % ports]}/`, { method: 'POST', agent, headers })
        sent.on('error', reject)
        sent.on('response', (response) => response.resume().on('end', resolve))
        sent.end(payload)
      }),
  )
  agent.destroy()
  return rate
}

async function measureBare(post: (number: number) => Promise<void>): Promise<number> {
  let sent = 0
  const start = performance.now()
  const sendNext = async (): Promise<void> => {
    while (sent < total) await post(sent++)
  }
  await Promise.all(Array.from({ length: underWay }, sendNext))
  return countPerSecond(start)
}

function countPerSecond(start: number): number {
  return total / ((performance.now() - start) / 1_000)
}

function report(rates: readonly Rates[]): void {
  const median = (of: (rate: Rates) => number) => findQuantile(rates.map(of), 0.5)
  console.log(`deliveries: ${median(({ floe }) => floe).toFixed(0)}/s, median of ${rounds} rounds`)
  for (const client of ['undici', 'https'] as const) {
    const ratios = rates.map((rate) => rate.floe / rate[client])
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
    const rate = median((rate) => rate[client]).toFixed(0)
    console.log(`bare ${client}: ${rate}/s; ratio ${findQuantile(ratios, 0.5).toFixed(2)} (${least} to ${most})`)
  }
}

const [mode] = process.argv.slice(2)
if (mode === 'receive') {
  console.log((await startReceivers()).join(' '))
  setInterval(() => {}, 1_000)
} else await compare(mode === 'apart')
