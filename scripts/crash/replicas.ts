// Replicas share one PostgreSQL server under faults: every five seconds a replica is killed, their clocks differ,
// connections to the database are cut at random, and the database is restarted once. At the end, every receiver must
// have every event once and in order, or twice if the first sender was killed.
// Usage: npm run crash -- replicas [--replicas 3] [--seconds 180] [--deliveries 100000] [--skew SECONDS] [--seed N]
// Starts its own PostgreSQL server with the programs that `pg_config` names. Exits with 1 on any fault.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  defaultFilter,
  addReceiver,
  createApiKey,
  type Database,
  type NewReceiver,
  openDatabase,
} from '@floe/storage/database'
import { loadConfig } from '../../server/main/configuration/load-config.ts'
import { openSecretBox } from '../../server/main/configuration/open-secret-box.ts'
import { makeSeededRandom } from '../fuzz/mutations.ts'
import { checkRun, type CrashFindings } from './checks.ts'
import { startCluster } from './world/cluster.ts'
import { createPostgresDatabase } from '../postgres-database.ts'
import { CrashProcesses } from './world/processes.ts'
import { waitUntilDone } from './recorded.ts'
import { authorityFile } from '../bench/deliveries/loopback-deliveries.ts'
import { CrashReceivers, rareBehaviours } from './world/receivers.ts'
import { type Trouble, TroubledReplicas } from './world/trouble.ts'
import { rememberRepository } from '../../test/storage/records/database/remember-repository.ts'

const repositories = Array.from({ length: 40 }, (_, index) => `repository-${index}`)
const webhooksOfRepository = 50
/** Most webhooks of a repository that share a port. */
const webhooksOfPort = 12
const rare = ['slow', 'failing', 'hanging'] as const
/** The webhooks of each repository. */
const aliases = Array.from({ length: webhooksOfRepository }, (_, index) => `${chooseBehaviour(index)}-${index}`)
const webhook: Omit<NewReceiver, 'repoId' | 'alias' | 'url'> = {
  kind: 'webhook',
  org: 'acme',
  service: null,
  ...defaultFilter,
  secretToken: null,
  headers: {},
  isEnabled: true,
}

type Options = Pick<Trouble, 'replicas' | 'skewMs' | 'lastsMs'> & { readonly deliveries: number; readonly seed: number }

async function crashReplicas({ deliveries, seed, ...options }: Options): Promise<CrashFindings> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-crash-'))
  const cluster = await startCluster(directory)
  const url = await createPostgresDatabase(cluster.url, 1)
  const random = makeSeededRandom(seed)
  const receivers = new CrashReceivers(random)
  const config = join(directory, 'floe.yaml')
  const db = await openDatabase(`${url}?application_name=crash`)
  const directories = await prepare(receivers, db, config, url)
  const apiKey = await createApiKey(db, { org: 'acme', role: 'admin', repos: null }, new Date())
  const processes = new CrashProcesses(config)
  const movesOfHead = Math.ceil(deliveries / webhooksOfRepository / repositories.length)
  const trouble = { ...options, random, cluster, db, apiKey, processes, movesOfHead, directories }
  const replicas = new TroubledReplicas(trouble)
  try {
    const begin = performance.now()
    await replicas.make()
    const calmAt = performance.now()
    await waitUntilDone(db, replicas.lastHeads)
    const [troubleS, drainS] = [calmAt - begin, performance.now() - calmAt].map((ms) => Math.round(ms / 1_000))
    const { moves, cuts, restarts, failedStarts } = replicas.counts
    const { length: kills } = processes.kills
    console.log(
      `${options.replicas} replicas, clocks ${options.skewMs / 1_000} s apart; in ${troubleS} s ${moves} head moves,`,
    )
    console.log(`${kills} kills, ${cuts} connections cut, ${restarts} restart of the database,`)
    console.log(`${failedStarts} starts failed meanwhile;`)
    console.log(`the last delivery was made ${drainS} s later`)
    const exitCodes = await replicas.stop()
    const webhooks = new Map(aliases.map((alias) => [alias, defaultFilter]))
    return await checkRun({ db, receivers, processes, exitCodes, repositories, mainMoves: [], webhooks })
  } finally {
    replicas.end()
    await db.destroy()
    await cluster.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Writes the configuration, and adds the webhooks of all repositories. @returns the directories of the repositories */
async function prepare(receivers: CrashReceivers, db: Database, config: string, url: string): Promise<string[]> {
  const directory = join(dirname(config), 'repositories')
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    database: url,
    encryptionKey: randomBytes(32).toString('base64'),
    deployments: [{ name: 'crash', org: 'acme' }],
    orgs: { acme: { repositories: [{ scan: directory }] } },
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: authorityFile },
  }
  await writeFile(config, JSON.stringify(settings))
  const secrets = openSecretBox(await loadConfig(config, {}, {}))
  const directories = repositories.map((name) => join(directory, name))
  for (const directory of directories) await mkdir(directory, { recursive: true })
  const origins: string[] = []
  for (let index = 0; index < webhooksOfRepository; index++) {
    const isNew = index <= rare.length || index % webhooksOfPort === 0
    origins.push(
      (isNew ? undefined : origins.at(-1)) ?? (await receivers.start(rareBehaviours[chooseBehaviour(index)])),
    )
  }
  const addWebhooks = async (repo: string) => {
    const repoId = await rememberRepository(db, 'acme', repo, new Date())
    for (const [index, origin] of origins.entries()) {
      const alias = aliases[index] ?? ''
      const options = { by: { id: 'crash', org: 'acme', name: null }, now: new Date(), secrets }
      await addReceiver(db, { ...webhook, repoId, alias, url: `${origin}/${alias}` }, options)
    }
  }
  await Promise.all(repositories.map(addWebhooks))
  return directories
}

/** In each repository, one webhook is slow, one sometimes fails and one sometimes hangs; the others are quick. */
function chooseBehaviour(index: number): keyof typeof rareBehaviours {
  return rare[index] ?? 'quick'
}

const { values } = parseArgs({
  options: {
    replicas: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '180' },
    deliveries: { type: 'string', default: '100000' },
    skew: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
console.log(`seed ${values.seed}`)
const results = await crashReplicas({
  replicas: Number(values.replicas),
  lastsMs: Number(values.seconds) * 1_000,
  deliveries: Number(values.deliveries),
  skewMs: Number(values.skew) * 1_000,
  seed: Number(values.seed),
})
results.print()
