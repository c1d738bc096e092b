// Deliveries per second: recorded in SQLite, claimed, signed, posted over HTTPS, each attempt recorded; beside bare POSTs of the same bytes
// with as many at once to the same receivers, in one run.
// Usage: npx node --conditions=@floe/source scripts/bench-deliveries.ts [apart]
// Sender and receiver share this process; with `apart` the receiver is a process of its own. Rounds alternate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  applyDeclaredConfigurations,
  type Database,
  type DeclaredConfiguration,
  openDatabase,
  readHead,
  recordHeadMove,
  rememberRepository,
} from '@floe/storage/database'
import { addressRules } from '../server/notifications/deliver/address-rules.ts'
import { attempt } from '../server/notifications/deliver/attempt.ts'
import { databaseQueue } from '../server/notifications/deliver/database-queue.ts'
import { Deliverer } from '../server/notifications/deliver/deliverer.ts'
import { openPoster } from '../server/notifications/deliver/post.ts'
import { resolveHost } from '../server/notifications/deliver/resolve-host.ts'

const rounds = 4
const configurations = 256
const eventsPerRound = 40
const ports = 16
const underWay = 256

const certificate = (file: string) =>
  readFileSync(new URL(`../test/server/notifications/certificates/${file}`, import.meta.url), 'utf8')
const payload = JSON.stringify({ event: 'NewCommit', details: { commit_message: 'x'.repeat(900) } })

async function compare(isApart: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const child = isApart
    ? spawn(process.execPath, [fileURLToPath(import.meta.url), 'receive'], { stdio: ['ignore', 'pipe', 'inherit'] })
    : undefined
  const db = await openDatabase(`sqlite:${join(directory, 'floe.db')}`)
  try {
    const origins = child
      ? String((await once(child.stdout, 'data'))[0])
          .trim()
          .split(' ')
      : await startReceivers()
    const repoId = await declare(db, origins)
    const rates: { floe: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const rate = { floe: await measureFloe(db, repoId), bare: await measureBare(origins) }
      // The first round warms both up.
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
async function startReceivers(): Promise<string[]> {
  const options = { cert: certificate('receiver.pem'), key: certificate('receiver.key.pem') }
  return Promise.all(
    Array.from({ length: ports }, async () => {
      const server = createServer(options, (request, response) => {
        request.resume().on('end', () => response.end('ok'))
      })
      server.listen(0, '127.0.0.1').unref()
      await once(server, 'listening')
      // A TCP server that listens has an address and a port.
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
}

async function declare(db: Database, origins: readonly string[]): Promise<string> {
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const declared = Array.from({ length: configurations }, (_, index): DeclaredConfiguration => {
    const url = `${origins[index % origins.length]}/${index}`
    return {
      kind: 'webhook',
      alias: String(index),
      url,
      service: null,
      events: ['NewCommit'],
      secretToken: 'open sesame',
    }
  })
  await applyDeclaredConfigurations(db, repoId, declared, new Date())
  return repoId
}

/** Only the delivering is timed; the events are recorded before. */
async function measureFloe(db: Database, repoId: string): Promise<number> {
  for (let n = 0; n < eventsPerRound; n++) {
    const previous = await readHead(db, repoId, 'main')
    const snapshotId = `S${(previous?.sequence ?? 0) + 1}`
    const event = { payload, line: 'line' }
    await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, event }, new Date())
  }
  const total = configurations * eventsPerRound
  const poster = openPoster({
    rules: addressRules(['127.0.0.0/8']),
    resolveHost,
    extraCa: certificate('authority.pem'),
  })
  const queue = databaseQueue(db, Date.now)
  const done = Promise.withResolvers<void>()
  let recorded = 0
  const start = performance.now()
  const deliverer = new Deliverer({
    queue: {
      ...queue,
      finish: async (attempts) => {
        await queue.finish(attempts)
        const failed = attempts.find(({ next }) => next.kind !== 'delivered')
        if (failed !== undefined) throw new Error(`a delivery failed: ${failed.outcome.error}`)
        recorded += attempts.length
        if (recorded === total) done.resolve()
      },
    },
    attempt: (claim) =>
      attempt(claim, {
        post: poster.post,
        version: '0.0.0',
        now: Date.now,
        random: Math.random,
        startBudget: () => AbortSignal.timeout(5_000),
      }),
    now: Date.now,
    onError: done.reject,
  })
  await done.promise
  const seconds = (performance.now() - start) / 1_000
  await deliverer.stop()
  poster.close()
  return total / seconds
}

/** The ceiling: the same bytes by node:https and nothing else. */
async function measureBare(origins: readonly string[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca: certificate('authority.pem') }) })
  const total = configurations * eventsPerRound
  let sent = 0
  const start = performance.now()
  const sendNext = async (): Promise<void> => {
    while (sent < total) await postBare(`${origins[sent++ % origins.length]}/`, agent)
  }
  await Promise.all(Array.from({ length: underWay }, sendNext))
  const seconds = (performance.now() - start) / 1_000
  agent.destroy()
  return total / seconds
}

function postBare(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
    sent.on('error', reject)
    sent.on('response', (response) => response.resume().on('end', resolve))
    sent.end(payload)
  })
}

function report(rates: readonly { floe: number; bare: number }[]): void {
  const ratios = rates.map(({ floe, bare }) => floe / bare)
  console.log(`deliveries: ${median(rates.map(({ floe }) => floe)).toFixed(0)}/s (median of ${rounds} rounds)`)
  console.log(`bare POSTs: ${median(rates.map(({ bare }) => bare)).toFixed(0)}/s`)
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  console.log(`ratio: ${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const [mode] = process.argv.slice(2)
if (mode === 'receive') {
  console.log((await startReceivers()).join(' '))
  setInterval(() => {}, 1_000)
} else await compare(mode === 'apart')
