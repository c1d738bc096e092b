// Kills the service at random moments while heads move, and starts it again. At the end, every receiver must have got every event in
// order. It may have got an event twice only if a kill interrupted the sending.
// Usage: npm run crash -- [--kills 300] [--seed N] [--database postgres://SERVER/DATABASE [--replicas 1]]
// Uses a new SQLite file, or a new database on the server of `--database`, which several replicas can share; a random one is killed.
// Exits with 1 on any fault.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { NewCommit } from '@floe/contract'
import { type Database, openDatabase } from '@floe/storage/database'
import { buildRepo, buildId } from '../../test/storage/icechunk/build-object.ts'
import { checkReceiver, CrashFindings } from './checks.ts'
import { createPostgresDatabase, dropPostgresDatabase } from './postgres.ts'
import { behaviours, CrashReceivers } from './receivers.ts'
import { type Random, makeSeededRandom } from '../fuzz/mutations.ts'

const repositories = ['north', 'east', 'south', 'west']
/** Longest life of a process before it is killed, in milliseconds. Some are killed before they listen. */
const maxLifeMs = 3_000
/** Every second process lives this much longer than the next request, in milliseconds, because attempts are being recorded then. */
const maxAfterArrivalMs = 30
/** The longest pause between two moves of some head. */
const maxPauseMs = 400
/** How long the last process may take to deliver the rest, in milliseconds. */
const drainLimitMs = 900_000
/** Commits that a repository lists. */
const listedCommits = 20

type Options = {
  readonly kills: number
  readonly seed: number
  readonly database: string | undefined
  readonly replicas: number
}

async function crash({ kills, seed, database, replicas }: Options): Promise<CrashFindings> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
  const url = database === undefined ? `sqlite:${directory}/floe.db` : await createPostgresDatabase(database)
  try {
    const random = makeSeededRandom(seed)
    const receivers = new CrashReceivers(random)
    const config = join(directory, 'floe.yaml')
    await writeFile(config, JSON.stringify(await startReceivers(receivers, url, directory)))
    for (const name of repositories) await mkdir(join(directory, 'repositories', name), { recursive: true })
    const moving = new MovingHeads(join(directory, 'repositories'), random)
    const killedAt: number[] = []
    const services = Array.from({ length: replicas }, () => startService(config))
    try {
      while (killedAt.length < kills) {
        const victim = random(replicas)
        await pause(random(maxLifeMs))
        if (killedAt.length % 2 === 0) {
          await Promise.race([receivers.waitForArrival(), pause(maxLifeMs)])
          await pause(random(maxAfterArrivalMs))
        }
        await killService(services[victim])
        killedAt.push(Date.now())
        services[victim] = startService(config)
        if (killedAt.length % 20 === 0) console.log(`${killedAt.length} kills, ${moving.count} head moves`)
      }
      await moving.stop()
    } finally {
      for (const service of services) await killService(service)
      killedAt.push(Date.now())
    }
    return await drain(config, url, { receivers, moving, killedAt })
  } finally {
    await rm(directory, { recursive: true, force: true })
    if (database !== undefined) await dropPostgresDatabase(database, url)
  }
}

async function startReceivers(receivers: CrashReceivers, database: string, directory: string): Promise<object> {
  const webhooks = []
  for (const [behaviour, answer] of Object.entries(behaviours)) {
    const origin = await receivers.start(answer)
    for (const repo of repositories) {
      webhooks.push({ org: 'acme', repo, alias: behaviour, url: `${origin}/${repo}/${behaviour}` })
    }
  }
  return {
    listen: { host: '127.0.0.1', port: 0 },
    database,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme' }],
    orgs: { acme: { repositories: [{ scan: join(directory, 'repositories') }] } },
    notifications: {
      allowPrivateNetworks: ['127.0.0.0/8'],
      extraCaFile: fileURLToPath(
        new URL('../../test/server/notifications/certificates/authority.pem', import.meta.url),
      ),
      webhooks,
    },
  }
}

/** Writes version 2 repositories whose heads move on until it is stopped. */
class MovingHeads {
  readonly heads = new Map(repositories.map((name, index) => [name, index * 15_000]))
  count = 0
  #isStopping = false
  readonly #moving: Promise<void>

  constructor(directory: string, random: Random) {
    this.#moving = this.#move(directory, random)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#moving
  }

  async #move(directory: string, random: Random): Promise<void> {
    while (!this.#isStopping) {
      const name = repositories[this.count % repositories.length] ?? ''
      const head = (this.heads.get(name) ?? 0) + 1
      this.heads.set(name, head)
      const ids = Array.from({ length: listedCommits }, (_, index) => Math.max(0, head - listedCommits + 1 + index))
      const snapshots = [...new Set(ids)].map((id, index) => ({ id: buildId(id), parent: index - 1 }))
      const repo = buildRepo({ snapshots, branches: [['main', snapshots.length - 1]] })
      await writeFile(join(directory, name, 'repo.new'), repo)
      await rename(join(directory, name, 'repo.new'), join(directory, name, 'repo'))
      this.count++
      await pause(random(maxPauseMs))
    }
  }
}

function startService(config: string): ChildProcess {
  const program = fileURLToPath(new URL('service.ts', import.meta.url))
  return spawn(process.execPath, [...process.execArgv, program, config], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function killService(service: ChildProcess | undefined): Promise<void> {
  if (service === undefined) return
  const hasEnded = service.exitCode === null ? once(service, 'exit') : Promise.resolve([service.exitCode])
  service.kill('SIGKILL')
  const [code] = await hasEnded
  if (code !== null) throw new Error(`the service ended by itself with ${code}`)
}

type Crashed = {
  readonly receivers: CrashReceivers
  readonly moving: MovingHeads
  readonly killedAt: readonly number[]
}

/** Lets a last process deliver the rest, stops it with SIGTERM, and checks everything. */
async function drain(config: string, url: string, { receivers, moving, killedAt }: Crashed): Promise<CrashFindings> {
  const service = startService(config)
  const db = await openDatabase(url)
  try {
    const heads = [...moving.heads.values()].map((head) => buildId(head).toString())
    for (const end = Date.now() + drainLimitMs; !(await isDone(db, heads));) {
      if (Date.now() > end) throw new Error('the service does not come to an end')
      await pause(500)
    }
    const exit = once(service, 'exit')
    service.kill('SIGTERM')
    const [code] = await exit
    const findings = new CrashFindings()
    findings.faults.push(...receivers.overlaps)
    if (code !== 0) findings.faults.push(`the service stopped with ${code}`)
    for (const repository of repositories) {
      const payloads = await readRecordedPayloads(db, repository, findings)
      for (const behaviour of Object.keys(behaviours)) {
        const path = `/${repository}/${behaviour}`
        checkReceiver(path, receivers.journal.get(path) ?? [], payloads, killedAt, findings)
      }
    }
    return findings
  } finally {
    service.kill('SIGKILL')
    await db.destroy()
  }
}

async function isDone(db: Database, heads: readonly string[]): Promise<boolean> {
  const seen = await db.selectFrom('heads').select('snapshot_id').execute()
  const waiting = await db.selectFrom('deliveries').select('id').where('turn', 'is not', null).limit(1).execute()
  const ids = new Set(seen.map((head) => head.snapshot_id))
  return waiting.length === 0 && heads.every((head) => ids.has(head))
}

/** The payloads of a repository's events. Their numbers have no gaps, and each event starts at the head of the previous one. */
async function readRecordedPayloads(db: Database, repository: string, { faults }: CrashFindings): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repo_id')
    .select(['payload', 'sequence'])
    .where('repositories.name', '=', repository)
    .orderBy('sequence')
    .execute()
  let previous: string | null = null
  for (const [index, { payload, sequence }] of rows.entries()) {
    const { details } = NewCommit.parse(JSON.parse(payload))
    const isNext = sequence === index + 1 && details.previous_snapshot_id === previous
    if (!isNext) faults.push(`${repository}: event ${sequence} does not follow from the one before`)
    previous = details.snapshot_id
  }
  return rows.map(({ payload }) => payload)
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    replicas: { type: 'string', default: '1' },
  },
})
console.log(`seed ${values.seed}`)
const found = await crash({
  kills: Number(values.kills),
  seed: Number(values.seed),
  database: values.database,
  replicas: Number(values.replicas),
})
for (const fault of found.faults) console.error(fault)
const { faults, deliveries, requests, retries, repeated, repeatedAfterSuccess, longestUnrecordedMs } = found
console.log(
  `${deliveries} deliveries in ${requests} requests: ${retries} retries after a failure, ${repeated} made again`,
)
console.log(
  `because of a kill, ${repeatedAfterSuccess} of them accepted before, at most ${longestUnrecordedMs} ms before the kill`,
)
console.log(`${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
