import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Batches } from '../waiting/batches.ts'
import { listRecords, lockRows } from './engine.ts'
import type { Database } from './open-database.ts'
import { shardCount, writeShard } from './replicas/replicas.ts'

const batchNames = 500

type NamesOfOrg = { readonly org: string; readonly names: readonly string[] }

type NamedRepository = { readonly org: string; readonly name: string }

/**
 * Returns the stable ids (UUIDs) of repositories by name. Creates ids for names that are new in the organisation. Needs few statements even
 * for many names.
 */
export async function ensureRepositories(
  db: Database,
  org: string,
  names: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const [ids = new Map()] = await ensureRepositoriesOf(db, [{ org, names }], now)
  return ids
}

/** Makes a function like {@link ensureRepositories} that handles organisations together which are asked about at the same time. */
export function batchRegistrations(db: Database, now: () => Date) {
  const batches = new Batches((wanted: readonly NamesOfOrg[]) => ensureRepositoriesOf(db, wanted, now()))
  return (org: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> => batches.add({ org, names })
}

/** Like {@link ensureRepositories}, for several organisations together. The results are in the same order. */
async function ensureRepositoriesOf(
  db: Database,
  wanted: readonly NamesOfOrg[],
  now: Date,
): Promise<readonly ReadonlyMap<string, string>[]> {
  const all = wanted.flatMap(({ org, names }) => names.map((name) => ({ org, name })))
  const ids = new Map<string, Map<string, string>>()
  for (let start = 0; start < all.length; start += batchNames) {
    const batch = all.slice(start, start + batchNames)
    await addIds(db, batch, ids)
    const unknown = batch.filter(({ org, name }) => !ids.get(org)?.has(name))
    if (unknown.length === 0) continue
    await insertRepositories(db, unknown, now)
    await addIds(db, unknown, ids)
  }
  return wanted.map(({ org }) => ids.get(org) ?? new Map())
}

async function insertRepositories(db: Database, unknown: readonly NamedRepository[], now: Date): Promise<void> {
  // In order, so that processes that insert the same names cannot deadlock.
  const records = unknown.toSorted(compareNames).map((one) => ({ id: randomUUID(), ...one }))
  await sql`
    insert into repositories (id, org, name, created_at)
    select item.value ->> 'id', item.value ->> 'org', item.value ->> 'name', ${now.toISOString()}
    from ${listRecords(db, records)}
    where true
    on conflict (org, name) do nothing`.execute(db)
}

function compareNames(left: NamedRepository, right: NamedRepository): number {
  const [one, other] = left.org === right.org ? [left.name, right.name] : [left.org, right.org]
  return one < other ? -1 : Number(one > other)
}

async function addIds(
  db: Database,
  wanted: readonly NamedRepository[],
  ids: Map<string, Map<string, string>>,
): Promise<void> {
  const { rows } = await sql<NamedRepository & { readonly id: string }>`
    select repositories.id, repositories.org, repositories.name
    from ${listRecords(db, wanted)}
    join repositories on repositories.org = item.value ->> 'org' and repositories.name = item.value ->> 'name'`.execute(
    db,
  )
  for (const { id, org, name } of rows) {
    const ofOrg = ids.get(org) ?? new Map()
    ids.set(org, ofOrg.set(name, id))
  }
}

type RecordedRepository = NamedRepository & { readonly id: string }

/** Shards whose numbers follow each other. */
export type ShardRange = { readonly first: number; readonly last: number }

/**
 * Lists repositories of shards that were ever recorded, in the order of their ids.
 *
 * @param after the last id of the page before; empty for the first page
 */
export function listRepositoriesOfShards(
  db: Database,
  { first, last }: ShardRange,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly RecordedRepository[]> {
  return (
    db
      .selectFrom('repositories')
      .select(['id', 'org', 'name'])
      .where('id', '>', after === '' ? writeShard(first) : after)
      // `g` follows the last hexadecimal digit.
      .where('id', '<', last + 1 < shardCount ? writeShard(last + 1) : 'g')
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** Lists the names of all repositories of an organisation that were ever recorded. */
export async function listRecordedNames(db: Database, org: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('repositories').select('name').where('org', '=', org).execute()
  return rows.map(({ name }) => name)
}

/** Lists the organisations that have recorded repositories. */
export async function listRecordedOrgs(db: Database): Promise<readonly string[]> {
  const rows = await db.selectFrom('repositories').select('org').distinct().execute()
  return rows.map(({ org }) => org)
}

/**
 * Makes other transactions that add receivers to the same repository, or to the same organisation, wait for the end of this one. The first
 * repository stands for its organisation.
 */
export async function lockOwner(
  tx: Database,
  { org, repoId }: { readonly org: string; readonly repoId: string | null },
): Promise<void> {
  const query = tx.selectFrom('repositories').select('id')
  const locked =
    repoId === null ? query.where('org', '=', org).orderBy('name').limit(1) : query.where('id', '=', repoId)
  await lockRows(tx, locked).execute()
}
