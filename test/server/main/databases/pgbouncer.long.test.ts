// Services behind PgBouncer, with the settings that the documents show.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { openDatabase, ReplicaSignals } from '@floe/storage/database'
import { sql } from 'kysely'
import pg from 'pg'
import { t, type Test } from 'tap'
import { systemTiming } from '../../../../server/timing.ts'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { startReceiver } from '../../notifications/start-receiver.ts'
import { waitUntil } from '../../wait-until.ts'
import { runFloe, serveConfig, toLoopback, writeConfig } from '../commands/floe-process.ts'
import { findFreePort } from '../../../../scripts/free-port.ts'

const program = process.env['FLOE_TEST_PGBOUNCER'] ?? 'pgbouncer'
const printed = await promisify(execFile)(program, ['--version']).then(
  ({ stdout }) => stdout,
  () => '',
)
const [, version = '', minor = ''] = /^PgBouncer (1\.(\d+)\S*)/.exec(printed) ?? []
const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl
const missing = newUrl === undefined ? 'no PostgreSQL' : version === '' && 'no PgBouncer'
const isOld = Number(minor) < 21

const page = await readFile(new URL('../../../../docs/operating/scaling.md', import.meta.url), 'utf8')
const [, documented = ''] = /^```ini\n(.*?)^```/ms.exec(page) ?? []

const history = new URL('../../../fixtures/changes/v1/', import.meta.url).pathname

/** Starts PgBouncer before a new database. Returns both addresses. */
async function start(t: Test, change = (settings: string) => settings) {
  const direct = new URL((await newUrl?.(t)) ?? '')
  const directory = await mkdtemp(join(tmpdir(), 'floe-pgbouncer-'))
  const port = await findFreePort()
  const settings = change(documented)
    .replace('host=db.example.org port=5432 dbname=floe', `host=127.0.0.1 port=5432 dbname=${direct.pathname.slice(1)}`)
    .replace('10.0.0.5', '127.0.0.1')
    .replace('6432', `${port}`)
    .replace('scram-sha-256', 'trust')
    .replace('/etc/pgbouncer', directory)
  await writeFile(join(directory, 'pgbouncer.ini'), `${settings}unix_socket_dir =\n`)
  await writeFile(join(directory, 'userlist.txt'), '"postgres" ""\n')
  // PgBouncer does not run as root.
  await chmod(directory, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...user, join(directory, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true })
  })
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${log}`)
    return log.includes('process up')
  })
  return { direct: direct.href, pooled: `postgres://postgres@127.0.0.1:${port}/floe` }
}

/** Old versions do not know the setting. */
const refused = (settings: string) =>
  settings.replace(/^max_prepared_statements.*$/m, isOld ? '' : 'max_prepared_statements = 0')

t.test('a pooler that mixes up prepared statements is refused in words', { skip: missing }, async (t) => {
  const { pooled } = await start(t, refused)
  const folder = t.testdir({ repositories: {} })
  await writeConfig(folder, { database: pooled, encryptionKey: 'a'.repeat(64) })
  const advice = /prepared statement .*use PgBouncer 1\.21 or newer with max_prepared_statements above 100/
  for (const command of ['serve', 'check']) {
    const { code, out, err } = await runFloe(t, folder, command, '--config', 'floe.yaml')
    t.equal(code, 1)
    t.match(out + err, advice)
  }
})

t.test('a startup parameter that PgBouncer refuses is explained', { skip: missing }, async (t) => {
  const { pooled } = await start(t, (settings) => refused(settings).replace(/^ignore_startup_parameters.*$/m, ''))
  await t.rejects(openDatabase(pooled), {
    name: 'DatabaseError',
    message: /unsupported startup parameter.*; PgBouncer needs ignore_startup_parameters = statement_timeout/,
  })
})

const skip = missing || (isOld && `PgBouncer ${version} does not keep prepared statements apart`)

for (const [name, listens] of [
  ['that listen at a direct address', true],
  ['that only poll', false],
] as const) {
  t.test(`two services ${name} work through PgBouncer, and each event is delivered once`, { skip }, async (t) => {
    const { direct, pooled } = await start(t)
    const delivered: string[] = []
    const port = await startReceiver(t, (request, response) => {
      void text(request).then((body) => {
        // The first head is told too if the receiver was there before it.
        if (!body.includes('first_observation')) delivered.push(body)
        return response.end()
      })
    })
    const folder = t.testdir({ repositories: {} })
    await cp(history, join(folder, 'repositories/sea'), { recursive: true })
    const point = async (commit: string) =>
      writeFile(
        join(folder, 'repositories/sea/refs/branch.main/ref.json'),
        await readFile(join(history, 'refs', `tag.${commit}`, 'ref.json')),
      )
    await point('s0')
    const hook = { org: 'acme', repo: 'sea', alias: 'hook', url: `https://localhost:${port}/` }
    await writeConfig(folder, {
      database: pooled,
      listenUrl: listens ? direct : null,
      encryptionKey: 'a'.repeat(64),
      notifications: { ...toLoopback, pollInterval: '1s', webhooks: [hook] },
    })
    const services = [await serveConfig(t, folder), await serveConfig(t, folder)]
    const db = await openDatabase(direct)
    t.teardown(() => db.destroy())
    const seen = async () => (await db.selectFrom('heads').select('snapshot_id').execute()).length > 0
    await waitUntil(seen)
    for (const [index, commit] of ['s1', 's2', 's3'].entries()) {
      await point(commit)
      await waitUntil(() => delivered.length === index + 1)
      for (const { origin } of services) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => fetch(`${origin}/v1/services/tiles/acme/_meta/history/sea/main`)),
        )
        t.ok(answers.every(({ status }) => status === 200))
      }
    }
    t.equal(delivered.length, 3, delivered.join('\n'))
    const listening = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query = 'listen "floe"'`.execute(db)
    if (listens) t.match(listening.rows, [{ n: 2 }], 'both listen at the direct address')
    for (const { child, ended } of services) {
      child.kill('SIGTERM')
      t.match(await ended, { code: 0 })
    }
  })
}

t.test('signals through PgBouncer reach a direct address, and limits hold', { skip }, async (t) => {
  const { direct, pooled } = await start(t)
  const db = await openDatabase(pooled)
  t.teardown(() => db.destroy())
  let heard = 0
  const signals = new ReplicaSignals({
    db,
    url: direct,
    after: systemTiming.after,
    random: () => 0.5,
    onError: (error) => t.fail(String(error)),
  })
  signals.on('deliveries', () => heard++)
  await signals.start()
  t.teardown(() => signals.stop())
  // A connection begins with each signal once.
  await waitUntil(() => heard === 1)
  // This process hears it at once, and then what the database sends.
  signals.send('deliveries')
  await waitUntil(() => heard === 3)
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
    t.match((await sql.raw<object>(`show ${setting}`).execute(db)).rows, [
      { [setting]: setting === 'statement_timeout' ? '10s' : '30s' },
    ])
  }
})

t.test('a schema of its own is the setting of a role', { skip }, async (t) => {
  const { direct, pooled } = await start(t)
  const administrator = new pg.Client({ connectionString: direct })
  await administrator.connect()
  t.teardown(() => administrator.end())
  const database = new URL(direct).pathname.slice(1)
  await administrator.query('create schema mine')
  await administrator.query(`alter role postgres in database ${database} set search_path = mine`)
  const db = await openDatabase(pooled)
  await db.destroy()
  const { rows } = await administrator.query("select distinct schemaname from pg_tables where tablename = 'deliveries'")
  t.match(rows, [{ schemaname: 'mine' }])
})
