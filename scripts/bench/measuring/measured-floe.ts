// Floe as its users start it, for benchmarks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey, openDatabase } from '@floe/storage/database'
import { startProcess, type MeasuredProcess } from './measured-process.ts'
import { findFreePort } from '../../free-port.ts'

/** The command that `npx floe` runs. */
export const floe = fileURLToPath(new URL('../../../node_modules/.bin/floe', import.meta.url))

/** A running service with one private deployment, and a key for it. */
export type MeasuredFloe = MeasuredProcess & {
  readonly origin: string
  /** Address of the metadata routes. */
  readonly meta: string
  readonly headers: { readonly authorization: string }
  /** Milliseconds from the start of the command until it was ready. */
  readonly startMs: number
}

/** A database with a key. It outlasts the services that use it. */
export type BenchDatabase = { readonly url: string; readonly key: string; readonly remove: () => Promise<void> }

/** Creates a SQLite database with a reader's key. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const url = `sqlite:${join(directory, 'floe.db')}`
  const db = await openDatabase(url)
  const key = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  await db.destroy()
  return { url, key, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Starts the service on the repositories of a directory. */
export async function startFloe(repositories: string, { url, key }: BenchDatabase): Promise<MeasuredFloe> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const options = ['--org', 'acme', '--deployment', 'bench', '--port', String(port), '--database', url]
  const start = performance.now()
  const measured = await startProcess({
    command: floe,
    args: ['serve', repositories, ...options],
    readyUrl: `${origin}/readyz`,
  })
  return {
    ...measured,
    origin,
    meta: `${origin}/v1/services/bench/acme/_meta`,
    headers: { authorization: `Basic ${Buffer.from(`acme:${key}`).toString('base64')}` },
    startMs: performance.now() - start,
  }
}
