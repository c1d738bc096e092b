// The service is stopped, or killed, at many points of its start.
import { watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createApiKey, findApiKey, openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import { runServer } from '../../../server/main/run-server.ts'
import { serve, startFloe, writeConfig } from './commands/floe-process.ts'
import { fixtures } from '../start-server.ts'

/** A service on a database file of its own. */
async function configure(t: Test) {
  const directory = t.testdir()
  const orgs = { acme: { repositories: [{ scan: fixtures }] } }
  const config = await loadConfig(await writeConfig(directory, { orgs }), {}, {})
  return { config, database: config.database }
}

async function checkIntegrity(database: string): Promise<unknown> {
  const db = await openDatabase(database)
  const { rows } = await sql`pragma integrity_check`.execute(db)
  await db.destroy()
  return rows
}

t.test('a service that is stopped at any point of its start ends by itself, and can be started again', async (t) => {
  const { config, database } = await configure(t)
  let heard = 0
  for (const turns of [0, 1, 4, 16, 64, 256, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768]) {
    const stop = new AbortController()
    const running = runServer(config, { stop: stop.signal, out: () => heard++ })
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    stop.abort()
    await running
  }
  t.strictSame(await checkIntegrity(database), [{ integrity_check: 'ok' }])
  const db = await openDatabase(database)
  const key = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  await db.destroy()
  const before = heard
  const stop = new AbortController()
  await runServer(config, { stop: stop.signal, out: () => (heard++, stop.abort()) })
  t.equal(heard, before + 1)
  const again = await openDatabase(database)
  t.match(await findApiKey(again, key, new Date()), { org: 'acme' }, 'nothing is lost')
  await again.destroy()
})

t.test('a service that is stopped before its start listens nowhere', async (t) => {
  const { config } = await configure(t)
  const lines: string[] = []
  await runServer(config, { stop: AbortSignal.abort(), out: (line) => lines.push(line) })
  t.strictSame(lines, [])
})

const service = [fixtures, '--org', 'acme', '--deployment', 'tiles', '--port', '0']

/** Resolves when the process has made its database, and is about to write the tables. */
async function waitForDatabase(cwd: string): Promise<void> {
  const watcher = watch(cwd, { recursive: true })
  const { promise, resolve } = Promise.withResolvers<void>()
  watcher.on('change', (_event, name) => String(name).endsWith('floe.db') && resolve())
  await promise
  watcher.close()
}

t.test('a process that is stopped or killed while it makes its database can be started again', async (t) => {
  for (const [signal, end] of [
    ['SIGTERM', { code: 0, signal: null }],
    ['SIGKILL', { code: null, signal: 'SIGKILL' }],
  ] as const) {
    const cwd = join(t.testdir({ SIGTERM: {}, SIGKILL: {} }), signal)
    const made = waitForDatabase(cwd)
    const first = startFloe(t, cwd, 'serve', ...service)
    await made
    first.child.kill(signal)
    t.match(await first.ended, end, signal)
    const { child, ended } = await serve(t, cwd, ...service)
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, signal: null }, `${signal}: the next start`)
    t.strictSame(await checkIntegrity(`sqlite:${join(cwd, '.floe/floe.db')}`), [{ integrity_check: 'ok' }])
  }
})
