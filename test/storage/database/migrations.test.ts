// Databases of earlier versions, brought up to date.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findDelivery,
  findHeadToIndex,
  listAudit,
  listReceivers,
  listDeliveries,
  openDatabase,
  openReceiver,
  readEventBounds,
  readEvents,
  readSchemaVersion,
  resealSecrets,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { secrets } from '../sample-secrets.ts'
import { openOld, testUpgradesOnEngines } from './old-database.ts'
import { claim, finish, moveHead } from './recorded.ts'

const chatUrl = 'https://hooks.slack.com/services/T0/hush-hush'
const signingSecret = `whsec_${'k'.repeat(43)}=`

/** Makes a database as it was before secrets were sealed, with a webhook, a chat and a delivery. */
async function makeOld(url: string): Promise<void> {
  const db = await openOld(url, '0002-notifications')
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

const test = await testUpgradesOnEngines(t)

test('secrets that were stored as they are get sealed, and stay what they are', async (t, url) => {
  await makeOld(url)
  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  t.throws(() => secrets.open('plain:x', ''), { name: 'SecretError' }, 'nothing that is not sealed is taken')
  t.equal(await resealSecrets(db, secrets), 2)
  t.equal(await resealSecrets(db, secrets), 0)
  const receivers = await listReceivers(db, { org: 'acme', repoId: 'repo' })
  const opened = receivers.map((one) => ({ ...one, ...openReceiver(one, secrets, new Date()) }))
  const hook = { url: 'https://one.test/', secretToken: 'open-sesame', signingSecrets: [signingSecret] }
  const chat = { alias: 'chat', version: 1, url: chatUrl, secretToken: null, signingSecrets: [] }
  t.match(opened, [{ alias: 'hook', version: 1, ...hook }, chat])
  const [delivery] = await listDeliveries(db, { org: 'acme', repoId: 'repo', limit: 9 })
  t.match(delivery, { id: 'delivery', createdAt: new Date(7), receiverId: '1' })
  t.match(await findDelivery(db, { org: 'acme', repoId: 'repo', id: 'delivery' }), { payload: '{}' })
})

test('URLs of webhooks that were stored as they are get sealed, and the audit forgets them', async (t, url) => {
  const old = await openOld(url, '0005-receivers')
  const sealedChat = secrets.seal(chatUrl, 'configuration/2/url')
  const shared = sql.raw(`'[]', 'host:443', '["NewCommit"]', 0, 1, 5, 5`)
  const columns = sql.raw('signing_secrets, origin, events, is_declared, is_enabled, created_at, updated_at')
  await sql`insert into repositories (id, org, name, created_at) values ('r', 'acme', 'weather', 'then')`.execute(old)
  await sql`
    insert into receivers (id, repo_id, kind, alias, url, service, ${columns}) values
      ('1', 'r', 'webhook', 'hook', 'https://one.test/hush-hush?key=hush', null, ${shared}),
      ('2', 'r', 'chat', 'chat', ${sealedChat}, 'slack', ${shared})
  `.execute(old)
  const after = JSON.stringify({ alias: 'hook', url: 'https://one.test:8443/hush-hush?...', enabled: true })
  for (let n = 0; n < 600; n++) {
    await sql`
      insert into audit (id, org, repo_id, key_id, action, before, after, at)
        values (${String(n)}, 'acme', 'r', 'k', 'webhook.create', null, ${after}, ${n})
    `.execute(old)
  }
  await old.destroy()

  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  t.equal(await resealSecrets(db, secrets), 1)
  t.strictSame(
    (await listReceivers(db, { org: 'acme', repoId: 'r' })).map((one) => openReceiver(one, secrets, new Date()).url),
    ['https://one.test/hush-hush?key=hush', chatUrl],
  )
  for (const table of ['receivers', 'audit']) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    t.notMatch(JSON.stringify(rows), 'hush', table)
  }
  const audit = await listAudit(db, { repoId: 'r', limit: 1_000 })
  t.equal(audit.length, 600)
  t.equal(audit[0]?.keyName, null, 'nobody knows the names of the past')
  t.strictSame(audit[0]?.after, { alias: 'hook', url: 'https://one.test:8443/...', enabled: true })
})

test('events that were recorded before get positions, and later ones follow', async (t, url) => {
  const old = await openOld(url, '0010-replicas')
  await sql`
    insert into repositories (id, org, name, created_at) values
      ('a', 'acme', 'weather', 'then'), ('b', 'acme', 'ice', 'then'), ('c', 'other', 'weather', 'then'),
      ('d', 'acme', 'new', 'then')
  `.execute(old)
  const columns = sql.raw('id, repo_id, branch, sequence, name, payload, line, created_at')
  await sql`
    insert into events (${columns}) values
      ('1', 'a', 'main', 1, 'NewCommit', '{"to":"A"}', '', 5), ('2', 'a', 'main', 2, 'NewCommit', '{"to":"C"}', '', 7),
      ('3', 'b', 'main', 1, 'NewCommit', '{"to":"B"}', '', 6), ('4', 'c', 'main', 1, 'NewCommit', '{"to":"X"}', '', 6)
  `.execute(old)
  await old.destroy()

  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  t.strictSame(await readEventBounds(db, 'acme'), { last: 3, deletedThrough: 0 })
  t.strictSame(await readEventBounds(db, 'other'), { last: 1, deletedThrough: 0 })
  t.strictSame(await readEventBounds(db, 'nobody'), { last: 0, deletedThrough: 0 })
  await moveHead(db, 'd', ['D'], new Date(1))
  const query = { org: 'acme', repos: null, after: 0, through: 4, limit: 9 }
  const { events } = await readEvents(db, query)
  const placed = events.map(({ position, payload }) => `${position} ${JSON.parse(payload).to}`)
  t.strictSame(placed, ['1 A', '2 B', '3 C', '4 D'])
})

test('deliveries that were recorded before are listed by the new indexes', async (t, url) => {
  const old = await openOld(url, '0013-counts-per-process')
  await sql`insert into repositories (id, org, name, created_at) values ('r', 'acme', 'weather', 'then')`.execute(old)
  await sql`
    insert into receivers (id, repo_id, kind, alias, url, signing_secrets, origin, events, is_declared, is_enabled, created_at, updated_at)
      values ('1', 'r', 'webhook', 'hook', '', '[]', 'host:443', '["NewCommit"]', 0, 1, 5, 5)
  `.execute(old)
  for (const n of [1, 2, 3]) {
    await sql`
      insert into events (id, repo_id, branch, sequence, name, payload, line, created_at)
        values (${`e${n}`}, 'r', 'main', ${n}, 'NewCommit', '{}', 'line', 7)
    `.execute(old)
    await sql`
      insert into deliveries (id, repo_id, created_at, event_id, receiver_id, state, turn, attempts)
        values (${`d${n}`}, 'r', 7, ${`e${n}`}, '1', ${n === 2 ? 'dead' : 'delivered'}, null, 1)
    `.execute(old)
  }
  await old.destroy()

  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  const list = async (query: object) =>
    (await listDeliveries(db, { org: 'acme', repoId: 'r', limit: 9, ...query })).map(({ id }) => id)
  t.strictSame(await list({}), ['d3', 'd2', 'd1'])
  t.strictSame(await list({ receiverId: '1', before: 'd3' }), ['d2', 'd1'])
  t.strictSame(await list({ state: 'dead' }), ['d2'])
  t.strictSame(await list({ state: 'delivered', before: 'd3' }), ['d1'])
})

test('deliveries in every state stay in it, and go on', async (t, url) => {
  const old = await openOld(url, '0016-search')
  await sql`insert into repositories (id, org, name, created_at) values ('r', 'acme', 'weather', 'then')`.execute(old)
  await sql`
    insert into receivers (id, repo_id, kind, alias, url, signing_secrets, origin, events, is_declared, is_enabled, created_at, updated_at, due_at)
      values ('1', 'r', 'webhook', 'hook', '', '[]', 'host:443', '["NewCommit"]', 0, 1, 5, 5, 8)
  `.execute(old)
  const deliveries = [
    ['delivered', null, null, 2, 0],
    ['asked for', 0, null, 1, 0],
    ['dead', null, null, 12, 0],
    ['discarded', null, null, 0, 0],
    ['retried', 5, 9, 2, 1],
    ['new', 6, null, 0, 0],
  ] as const
  for (const [index, [id, turn, dueAt, attempts, extra]] of deliveries.entries()) {
    const state = id === 'dead' || id === 'discarded' ? id : index < 2 ? 'delivered' : 'pending'
    await sql`
      insert into events (id, repo_id, branch, sequence, name, payload, line, created_at)
        values (${`e${index}`}, 'r', 'main', ${index + 1}, 'NewCommit', '{}', 'line', 7)
    `.execute(old)
    await sql`
      insert into deliveries (id, repo_id, created_at, event_id, receiver_id, state, turn, due_at, attempts, extra_attempts)
        values (${id}, 'r', 7, ${`e${index}`}, '1', ${state}, ${turn}, ${dueAt}, ${attempts}, ${extra})
    `.execute(old)
    await sql`
      insert into attempts (delivery_id, number, started_at, duration_ms, status)
        select ${id}, ${attempts}, 8, 1, ${200 + index} where ${attempts} > 0`.execute(old)
  }
  await old.destroy()

  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  const list = async () =>
    (await listDeliveries(db, { org: 'acme', repoId: 'r', limit: 9 })).map(
      ({ id, state, attemptCount, lastAttempt }) => [id, state, attemptCount, lastAttempt?.status],
    )
  t.strictSame(await list(), [
    ['new', 'pending', 0, undefined],
    ['retried', 'pending', 2, 204],
    ['discarded', 'discarded', 0, undefined],
    ['dead', 'dead', 12, 202],
    ['asked for', 'delivered', 1, 201],
    ['delivered', 'delivered', 2, 200],
  ])
  const now = new Date(20)
  const places: unknown[] = []
  for (let claims = await claim(db, now); claims.length > 0; claims = await claim(db, now)) {
    places.push(...claims.map((one) => [one.deliveryId, one.attempt, one.scheduledAttempt, one.event.id]))
    await finish(db, claims, { kind: 'delivered' }, now)
  }
  t.strictSame(places, [
    ['asked for', 2, 2, 'e1'],
    ['retried', 3, 2, 'e4'],
    ['new', 1, 1, 'e5'],
  ])
  t.strictSame(
    (await list()).map(([id, state, count]) => [id, state, count]),
    [
      ['new', 'delivered', 1],
      ['retried', 'delivered', 3],
      ['discarded', 'discarded', 0],
      ['dead', 'dead', 12],
      ['asked for', 'delivered', 2],
      ['delivered', 'delivered', 2],
    ],
  )
})

test('a database that a newer program has changed is refused, and stays as it is', async (t, url) => {
  const old = await openOld(url, '0010-replicas')
  await sql`insert into kysely_migration (name, timestamp) values ('9999-teleport', '2030-01-01T00:00:00Z')`.execute(
    old,
  )
  await t.rejects(openDatabase(url), {
    name: 'DatabaseError',
    message: /is newer than this program: a later version of Floe has applied 9999-teleport\. Start that version/,
  })
  const { applied, pending, unknown } = await readSchemaVersion(old)
  t.match(
    { last: applied.at(-1), pending: pending[0], unknown },
    { last: '0010-replicas', pending: '0011-positions-of-events', unknown: ['9999-teleport'] },
  )
  await old.destroy()
})

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

test('heads that were indexed before the index was made anew are indexed again', async (t, url) => {
  const old = await openOld(url, '0022-names-of-api-keys')
  await sql`insert into repositories (id, org, name, created_at) values ('r', 'acme', 'weather', 'then')`.execute(old)
  await sql`
    insert into heads (repo_id, branch, snapshot_id, sequence, moved_at, indexed_snapshot_id)
      values ('r', 'main', 'A', 1, 5, 'A')
  `.execute(old)
  // The tables that refer to each other, as the migrations of then made them.
  await sql`create table search_datasets (id integer primary key, path text not null)`.execute(old)
  await sql`create table search_contents (dataset_id integer references search_datasets (id))`.execute(old)
  await sql`insert into search_datasets (id, path) values (1, 'forecast')`.execute(old)
  await sql`insert into search_contents (dataset_id) values (1)`.execute(old)
  await old.destroy()
  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  t.match(await findHeadToIndex(db, [], new Date()), { repo: 'weather', snapshotId: 'A' })
  t.equal((await db.selectFrom('search_datasets').select('id').execute()).length, 0)
})
