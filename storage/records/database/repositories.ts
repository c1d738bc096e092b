import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Batches } from '../../waiting/batches.ts'
import { lockRows } from './engine/engine.ts'
import type { Database } from './open-database.ts'
import { partitionCount, writePartition } from './replicas/replicas.ts'
import { rowsOf } from './engine/rows-of.ts'

const batchNames = 500

type NamesOfOrg = { readonly org: string; readonly names: readonly string[] }

type NamedRepository = { readonly org: string; readonly name: string }

/**
 * Returns the stable ids (UUIDs) of repositories by name. Creates ids for names that are new in the organisation. Needs
 * few statements even for many names.
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

/**
 * Makes a function like {@link ensureRepositories} whose calls for several organisations at the same time share
 * statements.
 */
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
    const missing = batch.filter(({ org, name }) => !ids.get(org)?.has(name))
    if (missing.length === 0) continue
    await insertRepositories(db, missing, now)
    await addIds(db, missing, ids)
  }
  return wanted.map(({ org }) => ids.get(org) ?? new Map())
}

async function insertRepositories(db: Database, repositories: readonly NamedRepository[], now: Date): Promise<void> {
  // In order, so that processes that insert the same names cannot deadlock.
  const records = repositories.toSorted(compareNames).map((repository) => ({ id: randomUUID(), ...repository }))
  await sql`
    insert into repositories (id, org, name, created_at)
    select rows.id, rows.org, rows.name, cast(${now.getTime()} as bigint)
    from ${rowsOf(db, records, { id: 'text', org: 'text', name: 'text' })}
    where true
    on conflict (org, name) do nothing`.execute(db)
}

function compareNames(left: NamedRepository, right: NamedRepository): number {
  const [first, second] = left.org === right.org ? [left.name, right.name] : [left.org, right.org]
  return first < second ? -1 : Number(first > second)
}

/** Reads the ids of repositories into `ids`, by organisation and name. */
async function addIds(
  db: Database,
  repositories: readonly NamedRepository[],
  ids: Map<string, Map<string, string>>,
): Promise<void> {
  const { rows } = await sql<NamedRepository & { readonly id: string }>`
    select repositories.id, repositories.org, repositories.name
    from ${rowsOf(db, repositories, { org: 'text', name: 'text' })}
    join repositories on repositories.org = rows.org and repositories.name = rows.name`.execute(db)
  for (const { id, org, name } of rows) {
    const ofOrg = ids.get(org) ?? new Map()
    ids.set(org, ofOrg.set(name, id))
  }
}

/** A repository that is recorded, with its stable id. */
export type RecordedRepository = NamedRepository & { readonly id: string }

/** Partitions whose numbers follow each other. */
export type PartitionRange = { readonly first: number; readonly last: number }

/**
 * Lists repositories of partitions that were ever recorded, in the order of their ids.
 *
 * @param after the last id of the page before; empty for the first page
 */
export function listRepositoriesOfPartitions(
  db: Database,
  { first, last }: PartitionRange,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly RecordedRepository[]> {
  return (
    db
      .selectFrom('repositories')
      .select(['id', 'org', 'name'])
      .where('id', '>', after === '' ? writePartition(first) : after)
      // `g` follows the last hexadecimal digit.
      .where('id', '<', last + 1 < partitionCount ? writePartition(last + 1) : 'g')
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
 * Makes other transactions that add receivers to the same repository, or to the same organisation, wait until this one
 * ends. Locks the row of the repository, or of the first repository of the organisation.
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
