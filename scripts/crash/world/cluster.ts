// A separate PostgreSQL server for one run, so that it can be restarted without harm to others.
import { execFile } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../bench/measured-process.ts'

const run = promisify(execFile)

export type Cluster = {
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
export async function startCluster(directory: string): Promise<Cluster> {
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
