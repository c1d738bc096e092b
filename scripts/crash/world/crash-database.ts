// The database of a run: SQLite files, or a PostgreSQL server of its own, whose troubles harm nobody else.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Database } from '@floe/storage/database'
import { sql } from 'kysely'
import { findFreePort } from '../../free-port.ts'
import { createPostgresDatabase } from '../../postgres-database.ts'
import type { SeededRandom } from '../../history/seeded-random.ts'

export type CrashDatabase = {
  /** Creates a new database. Returns its address. */
  readonly create: () => Promise<string>
  /** How much the clocks of two replicas may differ, in milliseconds. */
  readonly skewMs: number
  /** Whether replicas may end by themselves, because the database was restarted. */
  readonly mayEnd: boolean
  /** Makes trouble until the signal. `db` must remain usable. */
  readonly makeTrouble: (db: Database, random: SeededRandom, over: AbortSignal) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Longest time between two cuts of a connection, in milliseconds; the database is restarted after as many cuts. */
const maxCutPauseMs = 10_000
const cutsBeforeRestart = 6

/** SQLite makes no trouble: its processes are on one machine. */
export async function openSqlite(directory: string): Promise<CrashDatabase> {
  return {
    create: async () => `sqlite:${await mkdtemp(join(directory, 'database-'))}/floe.db`,
    skewMs: 0,
    mayEnd: false,
    makeTrouble: async (_db, _random, over) => void (await once(over, 'abort')),
    stop: async () => {},
  }
}

/** Cuts connections at random, and restarts the server once. */
export async function openPostgres(directory: string): Promise<CrashDatabase> {
  const cluster = await startCluster(directory)
  const makeTrouble = async (db: Database, random: SeededRandom, over: AbortSignal) => {
    let cuts = 0
    while (!over.aborted) {
      await pause(random.below(maxCutPauseMs), undefined, { signal: over }).catch(() => {})
      if (++cuts === cutsBeforeRestart) await cluster.restart()
      const cut = sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`
      // The server may be restarting.
      await cut.execute(db).catch(() => {})
    }
    console.log(`${cuts} connections cut, ${cuts < cutsBeforeRestart ? 'no' : 'one'} restart of the database`)
  }
  return {
    create: () => createPostgresDatabase(cluster.url),
    skewMs: 5_000,
    mayEnd: true,
    makeTrouble,
    stop: cluster.stop,
  }
}

const run = promisify(execFile)

type Cluster = {
  readonly url: string
  /** Stops the server immediately, like a power failure, and starts it again. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Finds the user `postgres` if this process runs as root, which PostgreSQL refuses. */
async function findUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, 'postgres'])).stdout))
  return { uid: Number(uid), gid: Number(gid) }
}

/** Starts a server with the programs that `pg_config` names and with its data below `directory`. */
async function startCluster(directory: string): Promise<Cluster> {
  const user = await findUser()
  const programs = (await run('pg_config', ['--bindir'])).stdout.trim()
  const data = join(directory, 'postgres')
  await mkdir(data, { mode: 0o700 })
  if (user !== undefined) {
    await chown(directory, user.uid, user.gid)
    await chown(data, user.uid, user.gid)
  }
  const port = await findFreePort()
  // `pg_ctl` would wait for a server that inherits its pipes, so the server has its own log.
  const control = (...args: string[]) =>
    run(join(programs, 'pg_ctl'), ['--pgdata', data, '--wait', '--log', join(data, 'log'), ...args], user ?? {})
  await run(join(programs, 'initdb'), ['--pgdata', data, '--auth', 'trust', '--username', 'postgres'], user ?? {})
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`
  await control('start', '--options', settings)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async () => void (await control('restart', '--mode', 'immediate', '--options', settings)),
    stop: async () => void (await control('stop', '--mode', 'immediate')),
  }
}
