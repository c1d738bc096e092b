// Kills the service at random moments while heads move and are indexed. At the end, the index must say what a new one
// says.
// Usage: npm run crash -- search [--seconds 60] [--seed N] [--database postgres://SERVER/DATABASE] [--replicas 1]
// Uses new SQLite files, or new databases on the server of `--database`. Exits with 1 on any fault.
import { cp, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Database, openDatabase, readIndexLag } from '@floe/storage/database'
import { type FixtureHistory, readHistory } from '../../test/server/notifications/fixture-histories.ts'
import { makeSeededRandom, pick } from '../fuzz/mutations.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../postgres-database.ts'
import { readIndex } from './index-content.ts'
import { CrashProcesses } from './world/processes.ts'

const repositories = ['north', 'east', 'south', 'west', 'up', 'down']
const states = ['weather', 'satellite', 'types', 'operations', 'migrated', 'reset', 'many-variables']
/** Longest life of a process before it is killed, and the longest pause between two head moves, in milliseconds. */
const maxLifeMs = 4_000
const maxPauseMs = 100
/** Longest time for the index to be brought up to the last heads, in milliseconds. */
const indexLimitMs = 120_000
/** The clock of the service is that of the machine. */
const clock = { speed: 1, aheadMs: 0 }

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    replicas: { type: 'string', default: '1' },
  },
})
console.log(`seed ${values.seed}`)
const random = makeSeededRandom(Number(values.seed))
const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
try {
  const heads = new Map<string, FixtureHistory>()
  const histories = await Promise.all(states.map(readHistory))
  for (const name of repositories)
    for (const history of histories) {
      await cp(history.directory, join(directory, 'repositories', name), { recursive: true })
      heads.set(name, history)
    }
  const crashed = await useIndex(async (config, db) => {
    const processes = new CrashProcesses(config)
    const until = Date.now() + Number(values.seconds) * 1_000
    const [moves, interrupted] = await Promise.all([
      moveHeads(histories, heads, until),
      killServices(processes, db, until),
    ])
    console.log(`${moves} head moves, ${processes.kills.length} kills, ${interrupted} of them while a head was indexed`)
    return indexRest(config, db, heads)
  })
  const fresh = await useIndex((config, db) => indexRest(config, db, heads))
  const faults = [
    ...[...crashed].filter((line) => !fresh.has(line)).map((line) => `only after kills: ${line}`),
    ...[...fresh].filter((line) => !crashed.has(line)).map((line) => `only in a new index: ${line}`),
  ]
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(`${fresh.size} facts compared, ${faults.length} faults`)
  process.exitCode = faults.length > 0 || fresh.size === 0 ? 1 : 0
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** Calls a function with the configuration of a service and its new database. */
async function useIndex<Result>(use: (config: string, db: Database) => Promise<Result>): Promise<Result> {
  const { database: server } = values
  const folder = await mkdtemp(join(directory, 'service-'))
  const url = server === undefined ? `sqlite:${folder}/floe.db` : await createPostgresDatabase(server, clock.speed)
  const config = join(folder, 'floe.yaml')
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    database: url,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme', public: true }],
    orgs: { acme: { repositories: [{ scan: join(directory, 'repositories') }] } },
    notifications: { pollInterval: '1s' },
  }
  await writeFile(config, JSON.stringify(settings))
  const db = await openDatabase(url)
  try {
    return await use(config, db)
  } finally {
    await db.destroy()
    if (server !== undefined) await dropPostgresDatabase(server, url)
  }
}

/** @returns the number of moves */
async function moveHeads(
  histories: readonly FixtureHistory[],
  heads: Map<string, FixtureHistory>,
  until: number,
): Promise<number> {
  let moves = 0
  for (; Date.now() < until; moves++) {
    const [name, history] = [pick(random, repositories), pick(random, histories)]
    // All at once, as stores do it.
    const next = join(directory, 'next')
    await copyFile(join(history.directory, 'repo'), next)
    await rename(next, join(directory, 'repositories', name, 'repo'))
    heads.set(name, history)
    await pause(random(maxPauseMs))
  }
  return moves
}

/** @returns the number of kills after which a head was leased */
async function killServices(processes: CrashProcesses, db: Database, until: number): Promise<number> {
  let interrupted = 0
  const services = Array.from({ length: Number(values.replicas) }, () => processes.start(clock))
  while (Date.now() < until) {
    await pause(random(maxLifeMs))
    const victim = random(services.length)
    await Promise.all(services.splice(victim, 1, processes.start(clock)).map((service) => processes.kill(service)))
    const leased = await db.selectFrom('heads').select('repo_id').where('index_leased_by', 'is not', null).execute()
    if (leased.length > 0) interrupted++
  }
  for (const service of services) await processes.kill(service)
  return interrupted
}

/** Has one more service index the last heads, and reads the index. */
async function indexRest(
  config: string,
  db: Database,
  heads: ReadonlyMap<string, FixtureHistory>,
): Promise<ReadonlySet<string>> {
  const processes = new CrashProcesses(config)
  const service = processes.start(clock)
  try {
    for (const end = Date.now() + indexLimitMs; !(await isCurrent(db, heads));) {
      if (Date.now() > end) throw new Error('the index does not reach the heads')
      await pause(200)
    }
    await processes.stop(service)
    return new Set(await readIndex(db))
  } finally {
    service.child.kill('SIGKILL')
  }
}

async function isCurrent(db: Database, heads: ReadonlyMap<string, FixtureHistory>): Promise<boolean> {
  const seen = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'snapshot_id'])
    .execute()
  const reached = new Map(seen.map(({ name, snapshot_id }) => [name, snapshot_id]))
  const areSeen = [...heads].every(([name, { head }]) => reached.get(name) === head)
  return areSeen && (await readIndexLag(db, [])).pending === 0
}
