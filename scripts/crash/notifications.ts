// Kills the service at random moments while branches and tags change, and starts it again. At the end, every receiver
// must have every event that it selects, in order. It may have an event twice only if a kill interrupted the sending.
// Each head move must be followed by its verdict, once. Each branch that somebody expects to be updated must be told
// stale and fresh in turn.
// Usage: npm run crash -- [--kills 300] [--seed N] [--proxy] [--database postgres://SERVER/DATABASE [--replicas 1]]
// With `--proxy`, deliveries go through a proxy that breaks off one of fifty connections. Uses a new SQLite file, or a
// new database on the server of `--database`, which replicas can share. A random replica is killed. Exits with 1 on any
// fault.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { changeVerdicts, streamedEventNames } from '@floe/contract/lists'
import { defaultFilter, openDatabase, type ReceiverFilter } from '@floe/storage/database'
import { checkRun, type CrashFindings } from './checks.ts'
import { clockEpoch, createPostgresDatabase, dropPostgresDatabase } from '../postgres-database.ts'
import { crashExpectations } from './freshness.ts'
import { MovingRefs } from './moving-refs.ts'
import { type CrashProcess, CrashProcesses } from './world/processes.ts'
import { CrashProxy } from './world/proxy.ts'
import { waitUntilDone } from './recorded.ts'
import { authorityFile } from '../bench/deliveries/loopback-deliveries.ts'
import { behaviours, CrashReceivers } from './world/receivers.ts'
import { makeSeededRandom } from '../fuzz/mutations.ts'

const repositories = ['north', 'east', 'south', 'west']
/**
 * The subscriptions. Each repository, or the organisation where `repos` is not null, has a webhook for each of them
 * with each behaviour.
 */
const subscriptions: Readonly<Record<string, ReceiverFilter>> = {
  main: defaultFilter,
  // Its payloads say what each head move changed, so that the choice of the others can be checked.
  everything: {
    ...defaultFilter,
    events: streamedEventNames,
    branches: ['**'],
    compatibility: changeVerdicts,
    includesChanges: true,
  },
  breaks: { ...defaultFilter, events: ['SchemaChanged'], branches: ['main', 'dev'] },
  verdicts: {
    ...defaultFilter,
    events: ['NewCommit', 'SchemaChanged'],
    paths: ['a/t', 'c'],
    compatibility: ['breaking', 'compatible'],
  },
  branches: { ...defaultFilter, events: ['NewCommit', 'BranchCreated'], branches: ['release-*', 'dev/**'] },
  tags: { ...defaultFilter, events: ['TagCreated', 'TagDeleted'] },
  paths: { ...defaultFilter, branches: ['main', 'dev'], paths: ['*/b', 'c/**'] },
  organisation: {
    ...defaultFilter,
    repos: ['*'],
    events: [...streamedEventNames, 'ReceiverFailing'],
    branches: ['**'],
  },
  search: { ...defaultFilter, repos: ['*'], branches: ['**'], search: { q: 'a ', variable: ['t'] } },
  unfound: { ...defaultFilter, repos: ['*'], branches: ['**'], search: { units: ['K'] } },
  some: { ...defaultFilter, repos: ['*th'], branches: ['main', 'release-*'], paths: ['a', 'c'] },
}
/** The webhooks by alias. */
const crashWebhooks = new Map(
  Object.entries(subscriptions).flatMap(([name, filter]) =>
    Object.keys(behaviours).map((behaviour) => [`${name}-${behaviour}`, { filter, behaviour }] as const),
  ),
)
/**
 * Longest life of a process before it is killed, in milliseconds. Some are killed before they listen, some before they
 * take over the polls of the previous process.
 */
const maxLifeMs = 6_000
/**
 * Every second process is killed at most this many milliseconds after a request, while the attempt is being recorded.
 */
const maxAfterArrivalMs = 30
/** The clock of the service runs faster, so that retries take seconds. */
const clock = { speed: 4, aheadMs: 0 }

/** The clock of the services, in milliseconds since 1970. */
const readClock = (): number => clockEpoch + (Date.now() - clockEpoch) * clock.speed

type Options = {
  readonly kills: number
  readonly seed: number
  readonly database: string | undefined
  readonly replicas: number
  readonly usesProxy: boolean
}

async function crash({ kills, seed, database, replicas, usesProxy }: Options): Promise<CrashFindings> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
  const url =
    database === undefined ? `sqlite:${directory}/floe.db` : await createPostgresDatabase(database, clock.speed)
  try {
    const random = makeSeededRandom(seed)
    const proxy = usesProxy ? await CrashProxy.start(random) : undefined
    const receivers = new CrashReceivers(random, proxy?.findService)
    const config = await prepare(receivers, url, directory, proxy)
    const directories = repositories.map((name) => join(directory, 'repositories', name))
    for (const directory of directories)
      for (const folder of ['snapshots', 'transactions']) await mkdir(join(directory, folder), { recursive: true })
    const moving = new MovingRefs(directories, random, readClock)
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
        await Promise.all(services.splice(victim, 1, processes.start(clock)).map((service) => kill(processes, service)))
        const { length } = processes.kills
        if (length % 20 === 0) console.log(`${length} kills, ${moving.count} changes of refs`)
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

/** Starts the receivers, and writes the configuration with the webhooks. */
async function prepare(
  receivers: CrashReceivers,
  url: string,
  directory: string,
  proxy: CrashProxy | undefined,
): Promise<string> {
  const origins = new Map<string, string>()
  for (const [behaviour, answer] of Object.entries(behaviours)) origins.set(behaviour, await receivers.start(answer))
  const all = Array.from(crashWebhooks, ([alias, { filter, behaviour }]) => {
    return { ...filter, alias, url: `${origins.get(behaviour)}/${alias}` }
  })
  const webhooks = all.flatMap(({ includesChanges: includeChanges, ...webhook }) => {
    const owners = webhook.repos === null ? repositories.map((repo) => ({ repo })) : [{}]
    return owners.map((owner) => ({ org: 'acme', ...owner, ...webhook, includeChanges }))
  })
  const config = join(directory, 'floe.yaml')
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    database: url,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme' }],
    orgs: { acme: { repositories: [{ scan: join(directory, 'repositories') }] } },
    notifications: {
      allowPrivateNetworks: ['127.0.0.0/8'],
      extraCaFile: authorityFile,
      proxy: proxy?.url ?? null,
      webhooks,
    },
    expectations: crashExpectations,
  }
  await writeFile(config, JSON.stringify(settings))
  return config
}

/** Kills a process. Fails when it had ended by itself. */
async function kill(processes: CrashProcesses, victim: CrashProcess): Promise<void> {
  const code = await processes.kill(victim)
  if (code !== null) throw new Error(`the service ended by itself with ${String(code)}`)
}

type Crashed = { readonly receivers: CrashReceivers; readonly moving: MovingRefs; readonly processes: CrashProcesses }

/** Lets a last process deliver the rest, stops it with SIGTERM, and checks everything. */
async function drain(url: string, { receivers, moving, processes }: Crashed): Promise<CrashFindings> {
  const service = processes.start(clock)
  const db = await openDatabase(url)
  try {
    await waitUntilDone(db, moving.refs)
    const exitCodes = [await processes.stop(service)]
    const webhooks = new Map([...crashWebhooks].map(([alias, { filter }]) => [alias, filter]))
    return await checkRun({ db, receivers, processes, exitCodes, repositories, mainMoves: moving.mainMoves, webhooks })
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
    proxy: { type: 'boolean', default: false },
  },
})
console.log(`seed ${values.seed}`)
const results = await crash({
  kills: Number(values.kills),
  seed: Number(values.seed),
  database: values.database,
  replicas: Number(values.replicas),
  usesProxy: values.proxy,
})
results.print()
