// Kills the service at random moments while heads move, and starts it again. At the end, every receiver must have every event in order.
// It may have an event twice only if a kill interrupted the sending.
// Usage: npm run crash -- [--kills 300] [--seed N] [--database postgres://SERVER/DATABASE [--replicas 1]]
// Uses a new SQLite file, or a new database on the server of `--database`, which replicas can share. A random replica is killed.
// Exits with 1 on any fault.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '@floe/storage/database'
import { buildId } from '../../test/storage/icechunk/build-object.ts'
import { checkRun, type CrashFindings } from './checks.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../postgres-database.ts'
import { type CrashProcess, CrashProcesses } from './processes.ts'
import { waitUntilDone } from './recorded.ts'
import { authorityFile } from '../bench/deliveries/loopback-deliveries.ts'
import { behaviours, CrashReceivers } from './receivers.ts'
import { writeHead } from '../write-head.ts'
import { type Random, makeSeededRandom } from '../fuzz/mutations.ts'

const repositories = ['north', 'east', 'south', 'west']
/**
 * Longest life of a process before it is killed, in milliseconds. Some are killed before they listen, some before they take over the polls
 * of the previous process.
 */
const maxLifeMs = 6_000
/** Every second process is killed at most this many milliseconds after a request, while the attempt is being recorded. */
const maxAfterArrivalMs = 30
/** Longest pause between two head moves, in milliseconds. */
const maxPauseMs = 400
/** The clock of the service runs faster, so that leases and retries take seconds. */
const clock = { speed: 4, aheadMs: 0 }

type Options = {
  readonly kills: number
  readonly seed: number
  readonly database: string | undefined
  readonly replicas: number
}

async function crash({ kills, seed, database, replicas }: Options): Promise<CrashFindings> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
  const url =
    database === undefined ? `sqlite:${directory}/floe.db` : await createPostgresDatabase(database, clock.speed)
  try {
    const random = makeSeededRandom(seed)
    const receivers = new CrashReceivers(random)
    const config = join(directory, 'floe.yaml')
    await writeFile(config, JSON.stringify(await startReceivers(receivers, url, directory)))
    for (const name of repositories) await mkdir(join(directory, 'repositories', name), { recursive: true })
    const moving = new MovingHeads(join(directory, 'repositories'), random)
    const processes = new CrashProcesses(config)
    const services = Array.from({ length: replicas }, () => processes.start(clock))
    try {
      while (processes.kills.length < kills) {
        const victim = random(replicas)
        await pause(random(maxLifeMs))
        if (processes.kills.length % 2 === 0) {
          await Promise.race([receivers.waitForArrival(), pause(maxLifeMs)])
          await pause(random(maxAfterArrivalMs))
        }
        await Promise.all(services.splice(victim, 1, processes.start(clock)).map((one) => kill(processes, one)))
        const { length } = processes.kills
        if (length % 20 === 0) console.log(`${length} kills, ${moving.count} head moves`)
      }
      await moving.stop()
    } finally {
      for (const service of services) await kill(processes, service)
    }
    return await drain(url, { receivers, moving, processes })
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
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: authorityFile, webhooks },
  }
}

/** Writes version 2 repositories and moves their heads until it is stopped. */
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
      await writeHead(join(directory, name), head)
      this.count++
      await pause(random(maxPauseMs))
    }
  }
}

/** Kills a process. Fails when it had ended by itself. */
async function kill(processes: CrashProcesses, victim: CrashProcess): Promise<void> {
  const code = await processes.kill(victim)
  if (code !== null) throw new Error(`the service ended by itself with ${String(code)}`)
}

type Crashed = { readonly receivers: CrashReceivers; readonly moving: MovingHeads; readonly processes: CrashProcesses }

/** Lets a last process deliver the rest, stops it with SIGTERM, and checks everything. */
async function drain(url: string, { receivers, moving, processes }: Crashed): Promise<CrashFindings> {
  const service = processes.start(clock)
  const db = await openDatabase(url)
  try {
    await waitUntilDone(
      db,
      [...moving.heads.values()].map((head) => buildId(head).toString()),
    )
    const exitCodes = [await processes.stop(service)]
    return await checkRun({ db, receivers, processes, exitCodes, repositories, aliases: Object.keys(behaviours) })
  } finally {
    service.child.kill('SIGKILL')
    await db.destroy()
  }
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
found.print()
