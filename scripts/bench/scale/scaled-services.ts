// The service with the configuration of a row, and what the rows read from it.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { readImage } from '../../../test/deploy/dockerfile.ts'
import { buildRepo } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { authorityFile } from '../deliveries/loopback-deliveries.ts'
import { floe } from '../measuring/measured-floe.ts'
import { type MeasuredProcess, startProcess } from '../measuring/measured-process.ts'
import { findFreePort } from '../../free-port.ts'

/** Figures by what they say, with their units. */
export type Figures = Readonly<Record<string, number>>

/** Measures a row at a size. */
export type Measurement = (services: ScaledServices, size: number) => Promise<Figures>

/** A running service. */
type ScaledService = MeasuredProcess & { readonly origin: string; readonly db: Database }

const maxDeployments = 50

/** How the image starts Node.js. */
const { NODE_OPTIONS: deployedNodeOptions } = (await readImage()).environment

/** Time between two collections of statistics, in milliseconds. */
const statisticsMs = 60_000

/** Longest wait for anything, in milliseconds. */
const waitLimitMs = 1_800_000

/** Starts the service of a row on a database, and stops it. */
export class ScaledServices {
  /** A directory for repositories, which is removed afterwards. */
  readonly directory: string
  readonly #database: string
  readonly #stops: (() => Promise<void>)[] = []

  constructor(directory: string, database: string) {
    this.directory = directory
    this.#database = database
  }

  /** Starts the service with these organisations; their deployments have their names. Receivers may be on loopback. */
  async start(orgs: object, notifications: object = {}, nodeOptions = ''): Promise<ScaledService> {
    const file = join(this.directory, 'floe.yaml')
    const port = await findFreePort()
    const config = {
      listen: { port },
      database: this.#database,
      encryptionKey: Buffer.alloc(32, 7).toString('base64'),
      notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: authorityFile, ...notifications },
      deployments: Object.keys(orgs)
        .slice(0, maxDeployments)
        .map((org) => ({ name: org, org, public: true })),
      orgs,
      // `npm run bench -- search` measures the index.
      search: { enabled: false, branches: [] },
    }
    await writeFile(file, JSON.stringify(config))
    const db = await openDatabase(this.#database)
    const statistics = this.#database.startsWith('sqlite:') ? undefined : collectStatistics(db)
    this.#stops.push(() => {
      clearInterval(statistics)
      return db.destroy()
    })
    const origin = `http://127.0.0.1:${port}`
    const measured = await startProcess({
      command: floe,
      args: ['serve', '--config', file],
      // S3 needs credentials, also where nobody checks them.
      environment: {
        NODE_OPTIONS: `${deployedNodeOptions} ${nodeOptions}`,
        AWS_ACCESS_KEY_ID: 'bench',
        AWS_SECRET_ACCESS_KEY: 'bench',
      },
      readyUrl: `${origin}/healthz`,
    })
    this.#stops.push(measured.stop)
    return { ...measured, origin, db }
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop()
  }
}

/**
 * Collects statistics once a minute, as autovacuum does, which may be off. Without them, PostgreSQL reads whole tables
 * for each batch.
 */
function collectStatistics(db: Database): NodeJS.Timeout {
  return setInterval(() => void sql`analyze`.execute(db), statisticsMs)
}

/** Writes a small repository of format version 2 into each directory. */
export function writeRepositories(directories: readonly string[]): void {
  const repo = buildRepo()
  for (const directory of directories) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'repo'), repo)
  }
}

export async function countHeads(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('heads')
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Resolves when a condition holds, which is checked every `intervalMs`. */
export async function until(holds: () => boolean | Promise<boolean>, intervalMs = 250): Promise<void> {
  for (const end = Date.now() + waitLimitMs; !(await holds()); await pause(intervalMs)) {
    if (Date.now() > end) throw new Error('the condition did not hold within half an hour')
  }
}

/** Reads an address completely. @returns how long it took, in milliseconds */
export async function readTimed(url: string, accept = 'application/json'): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(120_000) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 500)}`)
  return performance.now() - start
}

/** Reads `/healthz` of a service until the signal. @returns how long each answer took, in milliseconds */
export async function sampleHealth(origin: string, over: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!over.aborted) {
    times.push(await readTimed(`${origin}/healthz`))
    await pause(50)
  }
  return times
}

/** Lets a server listen on loopback, without keeping the process running. @returns its host and port */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}` // A TCP server that listens has an address and a port.
}

/** Declares webhooks of a repository, spread over these origins. */
export function declareWebhooks(org: string, repo: string, origins: readonly string[], count = 1): object[] {
  return Array.from({ length: count }, (_, index) => {
    return { org, repo, alias: `hook-${index}`, url: `${origins[index % origins.length]}/${index}` }
  })
}
