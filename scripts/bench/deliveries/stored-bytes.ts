// Bytes that a database takes for each delivery, by table and index, after events were recorded, sent to 50 webhooks
// and delivered.
// Usage: npm run bench -- stored-bytes [--database postgres://USER@HOST/DATABASE] [--events 1000] [--waiting]
// With `--waiting`, nothing is delivered. PostgreSQL is vacuumed before its tables are measured, as it does itself once
// a minute.
import { parseArgs } from 'node:util'
import { advanceQueues, type ClaimedDelivery, type Database, openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { createDatabase, declareWebhooks, recordEvent } from './loopback-deliveries.ts'

const receivers = 50

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    events: { type: 'string', default: '1000' },
    waiting: { type: 'boolean', default: false },
  },
})

const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
try {
  const urls = Array.from({ length: receivers }, (_, index) => `https://receiver-${index}.test/`)
  const repoId = await declareWebhooks(db, urls)
  for (let n = 0; n < Number(values.events); n++) {
    await recordEvent(db, repoId)
    if (!values.waiting) await deliver(db)
  }
  const sizes = await (values.database === undefined ? measureSqlite(db) : measurePostgres(db))
  const deliveries = receivers * Number(values.events)
  const lines = sizes.map(({ owner, name, bytes }) => `| ${owner} | ${name} | ${(bytes / deliveries).toFixed(1)} |`)
  console.log(['| table | part | bytes for each delivery |', '| --- | --- | --- |', ...lines].join('\n'))
  for (const [what, owners] of [
    ['delivery', ['deliveries', 'undelivered']],
    ['attempt', ['attempts']],
    ['event, divided by its deliveries', ['events']],
  ] as const) {
    const bytes = sizes.flatMap((size) => (owners.some((owner) => owner === size.owner) ? [size.bytes] : []))
    console.log(`${what}: ${(bytes.reduce((sum, more) => sum + more, 0) / deliveries).toFixed(0)} bytes`)
  }
} finally {
  await db.destroy()
  await remove()
}

/** Delivers everything that waits, half of it at a time. */
async function deliver(db: Database): Promise<void> {
  const room = { total: receivers, ofOthers: receivers, byTenant: new Map<string, number>() }
  let claims: readonly ClaimedDelivery[] = []
  let leases = 0
  do {
    const finished = claims.map((claim) => ({
      claim,
      outcome: { startedAt: new Date(), durationMs: 50, status: 204, error: null, responseExcerpt: '' },
      next: { kind: 'delivered' as const },
    }))
    const claim = {
      limit: receivers / 2,
      lease: { replica: 'a', number: ++leases },
      dueBy: new Date(),
      origins: { ofOthers: room, byOrigin: new Map() },
      rooms: { steady: room, failing: room },
    }
    claims = (await advanceQueues(db, { finished, claim }, new Date())).claims
  } while (claims.length > 0)
}

type Size = { readonly owner: string; readonly name: string; readonly bytes: number }

async function measureSqlite(db: Database): Promise<readonly Size[]> {
  const { rows } = await sql<Size>`
    select tbl_name as owner, dbstat.name, sum(pgsize) as bytes
    from dbstat join sqlite_schema on sqlite_schema.name = dbstat.name
    where tbl_name in ('events', 'deliveries', 'undelivered', 'attempts')
    group by dbstat.name order by tbl_name, dbstat.name`.execute(db)
  return rows
}

async function measurePostgres(db: Database): Promise<readonly Size[]> {
  await sql`vacuum`.execute(db)
  const { rows } = await sql<Size>`
    select tables.relname as owner, parts.relname as name, pg_relation_size(parts.oid) as bytes
    from pg_class as tables
    left join pg_index on indrelid = tables.oid
    join pg_class as parts on parts.oid in (tables.oid, indexrelid)
    where tables.relname in ('events', 'deliveries', 'undelivered', 'attempts')
    group by tables.relname, parts.oid, parts.relname order by 1, 2`.execute(db)
  return rows
}
