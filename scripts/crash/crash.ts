// Kills the service at random moments while branches and tags change, receivers get events, callers follow them, and
// heads are indexed for search, and starts it again. At the end, every receiver must have every event that it selects,
// in order; it may have an event twice only if a kill interrupted the sending. Every caller must have every event once
// and in order, and the index must say what a new one says.
// Usage: npm run crash -- [--engine sqlite|postgres] [--kills 60] [--replicas 2] [--seed N]
// With `postgres`, starts a PostgreSQL server of its own with the programs that `pg_config` names. Then the clocks of
// the replicas differ, connections to the database are cut at random, and the database is restarted once. Exits with 1
// on any fault. `npm run simulate` checks more, but without real processes, sockets, files and transactions.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { defaultFilter, type EventFilter, streamedEventNames } from '@floe/contract/lists'
import { type Database, openDatabase } from '@floe/storage/database'
import { authorityFile } from '../bench/deliveries/loopback-deliveries.ts'
import { ChangingRepository } from '../history/changing-repository.ts'
import { compareIndexes } from '../history/index-content.ts'
import { listUndone } from '../history/list-undone.ts'
import { SeededRandom } from '../history/seeded-random.ts'
import { checkFollower, checkRun, type CrashFindings, listMainMoves } from './checks.ts'
import { type CrashDatabase, openPostgres, openSqlite } from './world/crash-database.ts'
import { Follower } from './world/followers.ts'
import { CrashProcesses, logFile } from './world/processes.ts'
import { behaviours, CrashReceivers } from './world/receivers.ts'
import { CrashReplicas } from './world/replicas.ts'

const names = ['north', 'east', 'south', 'west', 'up', 'down']
const followerCount = 20
/** Longest pause between two changes, in milliseconds. */
const maxPauseMs = 200
/** Longest life of a process before it is killed, in milliseconds. Some are killed before they listen. */
const maxLifeMs = 6_000
/** Every second process is killed at most this long after a request, in milliseconds, while the attempt is recorded. */
const maxAfterArrivalMs = 30
/** Longest time to do the rest, and for callers to get the last events, in milliseconds. */
const drainLimitMs = 600_000

/** The filters of webhooks. A webhook whose filter has `repos` belongs to the organisation, others to a repository. */
const subscriptions: Readonly<Record<string, EventFilter>> = {
  main: defaultFilter,
  branches: { ...defaultFilter, events: ['NewCommit', 'BranchCreated'], branches: ['release-*', 'dev/**'] },
  paths: { ...defaultFilter, branches: ['main', 'dev'], paths: ['*/b', 'c/**'] },
  // Its payloads say what each head move changed, so that the choice of the others can be checked.
  organisation: {
    ...defaultFilter,
    repos: ['*'],
    events: [...streamedEventNames, 'ReceiverFailing'],
    branches: ['**'],
    include_changes: true,
  },
}
/** The webhooks by alias. */
const webhooks = new Map(
  Object.entries(subscriptions).flatMap(([name, filter]) =>
    Object.keys(behaviours).map((behaviour) => [`${name}-${behaviour}`, { filter, behaviour }] as const),
  ),
)

type Options = { readonly kills: number; readonly replicas: number; readonly random: SeededRandom }

async function crash(database: CrashDatabase, directory: string, options: Options): Promise<CrashFindings> {
  const { random } = options
  const receivers = new CrashReceivers(random)
  const scanned = join(directory, 'repositories')
  const nature = { random, readClock: Date.now, readWriterClock: Date.now }
  const repositories = names.map((name, index) => new ChangingRepository(name, scanned, index, nature))
  const service = { directory, scanned, url: await database.create() }
  const processes = new CrashProcesses(await writeConfig(service, await declareWebhooks(receivers)))
  const db = await openDatabase(service.url)
  const replicas = new CrashReplicas(processes, { ...options, ...database })
  const stopped = new AbortController()
  const followers = Array.from({ length: followerCount }, () => new Follower(replicas, random, stopped.signal))
  try {
    const calm = new AbortController()
    const troubles = [
      killAtRandom(replicas, receivers, options, calm.signal),
      changeUntil(repositories, random, calm.signal),
      database.makeTrouble(db, random, calm.signal),
      replicas.superviseUntil(calm.signal),
    ]
    // The first ends when it has killed often enough, the others with it.
    await Promise.race(troubles).finally(() => calm.abort())
    await Promise.all(troubles)
    const begin = performance.now()
    await waitUntil(async () => (await listUndone(db, repositories, [])).length === 0)
    console.log(`the rest was done after ${Math.round((performance.now() - begin) / 1_000)} s`)
    const webhookFilters = new Map([...webhooks].map(([alias, { filter }]) => [alias, filter]))
    const findings = await checkRun({ db, receivers, processes, repositories: names, webhooks: webhookFilters })
    const moves = await listMainMoves(db)
    await waitUntil(() => followers.every(({ ids }) => ids.length >= moves.length))
    for (const follower of followers) checkFollower(follower, moves, findings)
    const requests = followers.reduce((sum, follower) => sum + follower.requests, 0)
    console.log(`${followerCount} callers got ${moves.length} moves each, with ${requests} requests`)
    stopped.abort(new Error('the run is over'))
    await Promise.all(followers.map(({ ended }) => ended))
    for (const code of await replicas.stop())
      if (code !== 0) findings.faults.push(`a service stopped with ${String(code)}`)
    await compareIndex(db, { ...service, url: await database.create() }, repositories, findings)
    return findings
  } finally {
    stopped.abort()
    replicas.end()
    await db.destroy()
  }
}

/** Starts the receivers. @returns the webhooks as the configuration declares them */
async function declareWebhooks(receivers: CrashReceivers): Promise<readonly object[]> {
  const origins = new Map<string, string>()
  for (const [behaviour, answer] of Object.entries(behaviours)) origins.set(behaviour, await receivers.start(answer))
  return [...webhooks].flatMap(([alias, { filter, behaviour }]) => {
    const { include_changes: includeChanges, quiet: _, digest: __, ...rest } = filter
    const owners = filter.repos === null ? names.map((repo) => ({ repo })) : [{}]
    const webhook = { org: 'acme', ...rest, includeChanges, alias, url: `${origins.get(behaviour)}/${alias}` }
    return owners.map((owner) => ({ ...webhook, ...owner }))
  })
}

type Service = { readonly directory: string; readonly scanned: string; readonly url: string }

/** Writes the configuration of a service. @returns its file */
async function writeConfig({ directory, scanned, url }: Service, declared: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(directory, 'service-'))
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    database: url,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme', public: true }],
    orgs: { acme: { repositories: [{ scan: scanned }] } },
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: authorityFile, webhooks: declared },
    limits: { streamsPerCaller: 1_000 },
  }
  const file = join(folder, 'floe.yaml')
  await writeFile(file, JSON.stringify(settings))
  return file
}

/** Changes repositories at random until the signal. */
async function changeUntil(
  repositories: readonly ChangingRepository[],
  random: SeededRandom,
  over: AbortSignal,
): Promise<void> {
  let count = 0
  while (!over.aborted) {
    if (random.choose(repositories).change() !== undefined) count++
    await pause(random.below(maxPauseMs))
  }
  console.log(`${count} changes of branches and tags`)
}

async function killAtRandom(
  replicas: CrashReplicas,
  receivers: CrashReceivers,
  { kills, random }: Options,
  over: AbortSignal,
): Promise<void> {
  for (let kill = 1; kill <= kills && !over.aborted; kill++) {
    await pause(random.below(maxLifeMs))
    if (kill % 2 === 0) {
      await Promise.race([receivers.waitForArrival(), pause(maxLifeMs)])
      await pause(random.below(maxAfterArrivalMs))
    }
    await replicas.replaceOne()
    if (kill % 20 === 0) console.log(`${kill} kills`)
  }
}

/** Compares the index with that of a new service. */
async function compareIndex(
  db: Database,
  fresh: Service,
  repositories: readonly ChangingRepository[],
  findings: CrashFindings,
): Promise<void> {
  const processes = new CrashProcesses(await writeConfig(fresh, []))
  const service = processes.start()
  const freshDb = await openDatabase(fresh.url)
  try {
    // Without receivers, only `main` is recorded.
    const mains = repositories.map(({ name, branches }) => {
      return { name, branches: new Map([...branches].filter(([branch]) => branch === 'main')), tags: new Map() }
    })
    await waitUntil(async () => (await listUndone(freshDb, mains, [])).length === 0)
    const { faults, facts } = await compareIndexes(db, freshDb)
    findings.faults.push(...faults)
    console.log(`${facts} facts of the index compared`)
  } finally {
    service.child.kill('SIGKILL')
    await freshDb.destroy()
  }
}

async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + drainLimitMs; !(await holds()); await pause(500))
    if (Date.now() > end) throw new Error('the service does not come to rest')
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '60' },
    replicas: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
console.log(`seed ${values.seed}; the services log to ${logFile}`)
const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
await mkdir(join(directory, 'repositories'))
const engines: Readonly<Record<string, typeof openSqlite>> = { sqlite: openSqlite, postgres: openPostgres }
const open = engines[values.engine]
if (open === undefined) throw new TypeError('--engine must be sqlite or postgres')
const database = await open(directory)
try {
  const options = { kills: Number(values.kills), replicas: Number(values.replicas) }
  const results = await crash(database, directory, { ...options, random: new SeededRandom(Number(values.seed)) })
  results.print()
  if (results.faults.length === 0) await rm(logFile)
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
