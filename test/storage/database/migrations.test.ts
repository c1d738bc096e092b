// Databases of earlier versions, brought up to date.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findDelivery,
  listReceivers,
  listDeliveries,
  openDatabase,
  openReceiver,
  resealSecrets,
} from '@floe/storage/database'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import t, { type Test } from 'tap'
import { chooseColumnTypes } from '../../../storage/database/engine.ts'
import { createMigrations } from '../../../storage/database/migrations/index.ts'
import { openPostgres } from '../../../storage/database/postgres/open-postgres.ts'
import { openSqlite } from '../../../storage/database/sqlite/open-sqlite.ts'
import { secrets } from '../sample-secrets.ts'
import { reachableEngines } from './engines.ts'

const chatUrl = 'https://hooks.slack.com/services/T0/hush-hush'
const signingSecret = `whsec_${'k'.repeat(43)}=`

/** Makes a database as it was before secrets were sealed, with a webhook, a chat and a delivery. */
async function makeOld(url: string): Promise<void> {
  const file = /^sqlite:(.*)/.exec(url)?.[1]
  const limits = { connectMs: 5_000, statementMs: null, answerMs: null }
  const db = new Kysely<unknown>({ dialect: file === undefined ? openPostgres(url, limits) : openSqlite(file, 5_000) })
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  await new Migrator({ db, provider }).migrateTo('0002-notifications')
  const shared = sql.raw(`'host:443', '["NewCommit"]', 1, 1, 5, 5`)
  const columns = sql.raw('origin, events, is_declared, is_enabled, created_at, updated_at')
  await sql`insert into repositories (id, org, name, created_at) values ('repo', 'acme', 'weather', 'then')`.execute(db)
  await sql`
    insert into configurations (id, repo_id, kind, alias, url, service, secret_token, signing_secrets, ${columns}) values
      ('1', 'repo', 'webhook', 'hook', 'https://one.test/', null, 'open-sesame', ${`["${signingSecret}"]`}, ${shared}),
      ('2', 'repo', 'chat', 'chat', ${chatUrl}, 'slack', null, '[]', ${shared})
  `.execute(db)
  await sql`
    insert into events (id, repo_id, branch, sequence, name, payload, line, created_at)
      values ('event', 'repo', 'main', 1, 'NewCommit', '{}', 'line', 7)
  `.execute(db)
  await sql`
    insert into deliveries (id, event_id, configuration_id, state, turn, due_at, attempts)
      values ('delivery', 'event', '1', 'pending', 1, null, 0)
  `.execute(db)
  await db.destroy()
}

async function urls(t: Test): Promise<[string, string][]> {
  const ofServer = (await reachableEngines(t)).flatMap(({ name, newUrl }) =>
    newUrl === undefined ? [] : [{ name, newUrl }],
  )
  const found: [string, string][] = [['SQLite', `sqlite:${join(t.testdir(), 'floe.db')}`]]
  for (const { name, newUrl } of ofServer) found.push([name, await newUrl(t)])
  return found
}

for (const [name, url] of await urls(t)) {
  t.test(`${name}: secrets that were stored as they are get sealed, and stay what they are`, async (t) => {
    await makeOld(url)
    const db = await openDatabase(url)
    t.teardown(() => db.destroy())
    t.throws(() => secrets.open('plain:x', ''), { name: 'SecretError' }, 'nothing that is not sealed is taken')
    t.equal(await resealSecrets(db, secrets), 2)
    t.equal(await resealSecrets(db, secrets), 0)
    const receivers = await listReceivers(db, 'repo')
    t.match(receivers, [
      { alias: 'hook', version: 1 },
      { alias: 'chat', version: 1 },
    ])
    t.match(
      receivers.map((one) => openReceiver(one, secrets, new Date())),
      [
        { url: 'https://one.test/', secretToken: 'open-sesame', signingSecrets: [signingSecret] },
        { url: chatUrl, secretToken: null, signingSecrets: [] },
      ],
    )
    const [delivery] = await listDeliveries(db, { repoId: 'repo', limit: 9 })
    t.match(delivery, { id: 'delivery', createdAt: new Date(7), receiverId: '1' })
    t.match(await findDelivery(db, { repoId: 'repo', id: 'delivery' }), { payload: '{}' })
  })
}

t.test('what was stored as it is leaves no trace in the file', async (t) => {
  const directory = t.testdir()
  await makeOld(`sqlite:${join(directory, 'floe.db')}`)
  const db = await openDatabase(`sqlite:${join(directory, 'floe.db')}`)
  await resealSecrets(db, secrets)
  await db.destroy()
  for (const name of await readdir(directory)) {
    const bytes = await readFile(join(directory, name))
    for (const secret of ['open-sesame', 'hush-hush', signingSecret])
      t.notOk(bytes.includes(secret), `${name}: ${secret}`)
  }
})
