// Kills the service at random moments while heads move and many callers follow the events. At the end, each caller must
// have every event once and in order, over all its connections.
// Usage: npm run crash -- streams [--seconds 120] [--streams 100] [--seed N] [--database postgres://SERVER/DATABASE]
//   [--replicas 1]
// Uses a new SQLite file, or a new database on the server of `--database`. Exits with 1 on any fault.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@floe/client'
import { type Database, openDatabase, readEventBounds, readEvents } from '@floe/storage/database'
import { makeSeededRandom } from '../fuzz/mutations.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../postgres-database.ts'
import { type CrashProcess, CrashProcesses } from './world/processes.ts'
import { writeHead } from '../write-head.ts'

const repositories = ['north', 'east', 'south', 'west']
/** Longest life of a process before it is killed, and the longest pause between two head moves, in milliseconds. */
const maxLifeMs = 6_000
const maxPauseMs = 60
/** Longest time for the streams to send the remaining events, in milliseconds. */
const drainLimitMs = 120_000
const clock = { speed: 1, aheadMs: 0 }

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    streams: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    replicas: { type: 'string', default: '1' },
  },
})
console.log(`seed ${values.seed}`)
const random = makeSeededRandom(Number(values.seed))
const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
const url =
  values.database === undefined ? `sqlite:${directory}/floe.db` : await createPostgresDatabase(values.database, 1)
const db = await openDatabase(url)
try {
  await crashStreams(db)
} finally {
  await db.destroy()
  await rm(directory, { recursive: true, force: true })
  if (values.database !== undefined) await dropPostgresDatabase(values.database, url)
}

async function crashStreams(db: Database): Promise<void> {
  const config = join(directory, 'floe.yaml')
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    database: url,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme', public: true }],
    orgs: { acme: { repositories: [{ scan: join(directory, 'repositories') }] } },
    notifications: { pollInterval: '1s' },
    limits: { streamsPerCaller: 1_000 },
  }
  await writeFile(config, JSON.stringify(settings))
  for (const name of repositories) await mkdir(join(directory, 'repositories', name), { recursive: true })
  const processes = new CrashProcesses(config)
  const services = Array.from({ length: Number(values.replicas) }, () => processes.start(clock))
  const end = new AbortController()
  const followers = Array.from({ length: Number(values.streams) }, () => follow(services, end.signal))
  const lastsUntil = Date.now() + Number(values.seconds) * 1_000
  await Promise.all([moveHeads(lastsUntil), killServices(processes, services, lastsUntil)])
  const recorded = await waitForAll(db, followers)
  end.abort(new Error('the run is over'))
  const faults: string[] = []
  for (const [index, { ids, ended }] of followers.entries()) {
    await ended
    if (ids.join() !== recorded.join())
      faults.push(`stream ${index}: ${ids.length} of ${recorded.length} events, or another order`)
  }
  for (const { child } of services) child.kill('SIGKILL')
  for (const fault of faults) console.error(fault)
  const requests = followers.reduce((sum, { connections }) => sum + connections, 0)
  const { length: kills } = processes.kills
  console.log(`${recorded.length} events, ${followers.length} streams over ${requests} requests, ${kills} kills`)
  console.log(`${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
}

/** Follows all events with one client, whose requests go to random services. */
function follow(services: readonly CrashProcess[], signal: AbortSignal) {
  const follower = { ids: new Array<string>(), connections: 0, ended: Promise.resolve() }
  const fetchFromAny: typeof fetch = async (input, init) => {
    follower.connections++
    const request = new Request(input, init)
    const origin = await Promise.race([services[random(services.length)]?.origin, pause(1_000)])
    if (origin === undefined) throw new TypeError('no service listens')
    return fetch(request.url.replace('http://service', origin), { headers: request.headers, signal: request.signal })
  }
  const floe = createClient({ baseUrl: 'http://service/v1', deployment: 'crash', org: 'acme', fetch: fetchFromAny })
  const run = async () => {
    for await (const { id } of floe.events({ after: '0' }, { signal })) follower.ids.push(id)
  }
  follower.ended = run().catch((error: unknown) => {
    if (!signal.aborted) console.error(error)
  })
  return follower
}

async function moveHeads(until: number): Promise<void> {
  for (let head = 1; Date.now() < until; head++) {
    const index = head % repositories.length
    await writeHead(join(directory, 'repositories', repositories[index] ?? ''), index * 15_000 + head)
    await pause(random(maxPauseMs))
  }
}

async function killServices(processes: CrashProcesses, services: CrashProcess[], until: number): Promise<void> {
  while (Date.now() < until) {
    await pause(random(maxLifeMs))
    const victim = random(services.length)
    await Promise.all(services.splice(victim, 1, processes.start(clock)).map((service) => processes.kill(service)))
  }
}

/** Waits until all events are recorded and all streams have carried them. @returns the positions of all events */
async function waitForAll(db: Database, followers: readonly { readonly ids: readonly string[] }[]): Promise<string[]> {
  // The last service sees the last heads within a few polls.
  await pause(15_000)
  const last = (await readEventBounds(db, 'acme')).last
  for (const end = Date.now() + drainLimitMs; followers.some(({ ids }) => ids.length < last);) {
    if (Date.now() > end) break
    await pause(200)
  }
  const { events } = await readEvents(db, { org: 'acme', repos: null, after: 0, through: last, limit: last + 1 })
  return events.map(({ position }) => String(position))
}
