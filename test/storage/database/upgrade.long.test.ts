// A database of an earlier version with a million deliveries, brought up to date.
import { listDeliveries, openDatabase, readEventBounds } from '@floe/storage/database'
import { type Kysely, sql } from 'kysely'
import { t } from 'tap'
import { openOld, testUpgradesOnEngines } from './old-database.ts'

const repositories = 20
const eventsOfEach = 1_000
const receiversOfEach = 50
const deliveries = repositories * eventsOfEach * receiversOfEach

/** Generous: a busy machine with a slow disk. */
const maxUpgradeMs = 300_000

const count = (n: number) =>
  sql.raw(
    `(with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${n}) select i from numbers)`,
  )

/** Makes each delivery with one attempt. Its id is that of the event and the number of its receiver. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into repositories (id, org, name, created_at)
    select 'r' || i, 'acme', 'r' || i, 'then' from ${count(repositories)} as r`.execute(db)
  await sql`
    insert into receivers (
      id, repo_id, kind, alias, url, signing_secrets, origin, events, is_declared, is_enabled, created_at, updated_at
    )
    select repositories.id || '-' || i, repositories.id, 'webhook', 'a' || i, '', '[]', 'host:443', '[]', 0, 1, 5, 5
    from repositories cross join ${count(receiversOfEach)} as a`.execute(db)
  await sql`
    insert into events (id, repo_id, branch, sequence, name, payload, line, created_at)
    select repositories.id || '-' || i, repositories.id, 'main', i, 'NewCommit', '{}', 'line', i
    from repositories cross join ${count(eventsOfEach)} as e`.execute(db)
  await sql`
    insert into deliveries (id, repo_id, created_at, event_id, receiver_id, state, turn, attempts)
    select events.id || '-' || i, repo_id, created_at, events.id, repo_id || '-' || i, 'delivered', null, 1
    from events cross join ${count(receiversOfEach)} as d`.execute(db)
  await sql`
    insert into attempts (delivery_id, number, started_at, duration_ms, status)
    select id, 1, created_at, 1, 200 from deliveries`.execute(db)
}

const test = await testUpgradesOnEngines(t)

test('a million deliveries and attempts survive an upgrade', async (t, url) => {
  const old = await openOld(url, '0010-replicas')
  await fill(old)
  await old.destroy()
  const start = performance.now()
  const db = await openDatabase(url, { busyMs: 60_000, statementMs: 60_000, answerMs: 70_000 })
  t.teardown(() => db.destroy())
  const upgradeMs = performance.now() - start
  t.comment(`upgraded in ${(upgradeMs / 1_000).toFixed(1)} s`)
  t.ok(upgradeMs < maxUpgradeMs)
  const counts = { events: repositories * eventsOfEach, deliveries, attempts: deliveries } as const
  for (const table of ['events', 'deliveries', 'attempts'] as const) {
    const { n } = await db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
    t.equal(n, counts[table], table)
  }
  t.strictSame(await readEventBounds(db, 'acme'), { last: counts.events, deletedThrough: 0 })
  const listed = await listDeliveries(db, {
    org: 'acme',
    repoId: 'r7',
    receiverId: 'r7-9',
    state: 'delivered',
    limit: 2,
  })
  t.strictSame(
    listed.map(({ id, lastAttempt }) => [id, lastAttempt?.status]),
    [
      ['r7-1000-9', 200],
      ['r7-999-9', 200],
    ],
  )
})
