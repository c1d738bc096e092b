// The terms of the index: words, and values that are asked for exactly.
import { sql, type SqlBool } from 'kysely'
import { excludeIndexers, isTermUsed, listRecords } from '../engine.ts'
import type { Database } from '../open-database.ts'

/**
 * The kinds of terms, with their numbers in the database. `name` is a word of the path or title of a dataset, or of the name or
 * `standard_name` of a variable; it ranks higher. `word` is a word of its other texts that is no `name` of it.
 */
export const termKinds = {
  word: 0,
  name: 1,
  variable: 2,
  standard_name: 3,
  units: 4,
  dimension: 5,
  dtype: 6,
  institution: 7,
  keyword: 8,
  attribute: 9,
} as const

export type TermKind = keyof typeof termKinds

export type Term = { readonly kind: TermKind; readonly value: string }

/** Returns the ids of terms in the order given. Records those that are new. */
export async function ensureTerms(db: Database, org: string, terms: readonly Term[]): Promise<readonly number[]> {
  const records = terms.map(({ kind, value }) => ({ kind: termKinds[kind], value }))
  const identify = ({ kind, value }: { readonly kind: number; readonly value: string }) => `${kind} ${value}`
  const known = await readTerms(db, org, records)
  const ids = new Map(known.map((row) => [identify(row), row.id]))
  const missing = records.filter((record) => !ids.has(identify(record)))
  if (missing.length > 0) {
    // In order, so that processes that record the same terms cannot deadlock.
    const sorted = missing.toSorted((a, b) => a.kind - b.kind || (a.value < b.value ? -1 : 1))
    const { rows } = await sql<TermRow>`
      insert into search_terms (org, kind, value)
      select ${org}, cast(item.value ->> 'kind' as integer), item.value ->> 'value' from ${listRecords(db, sorted)}
      where true
      on conflict (org, kind, value) do nothing
      returning id, kind, value`.execute(db)
    // Another process may have recorded some of them meanwhile.
    const others = rows.length < missing.length ? await readTerms(db, org, missing) : []
    for (const row of [...rows, ...others]) ids.set(identify(row), row.id)
  }
  return records.map((record) => {
    const id = ids.get(identify(record))
    if (id === undefined) throw new TypeError(`the term ${identify(record)} got no id`)
    return id
  })
}

type TermRow = { readonly id: number; readonly kind: number; readonly value: string }

// SQLite keeps the order of a `cross join`. It would otherwise compare all terms of the organisation with the list.
async function readTerms(
  db: Database,
  org: string,
  records: readonly { readonly kind: number; readonly value: string }[],
): Promise<readonly TermRow[]> {
  const { rows } = await sql<TermRow>`
    select search_terms.id, search_terms.kind, search_terms.value
    from ${listRecords(db, records)}
    cross join search_terms
    where search_terms.org = ${org} and search_terms.kind = cast(item.value ->> 'kind' as integer)
      and search_terms.value = item.value ->> 'value'`.execute(db)
  return rows
}

/** A term that is searched for, or all terms that begin with a text. */
export type WantedTerm = Term & { readonly isBeginning?: boolean }

/** Most terms that a beginning stands for: the shortest ones. A single letter could stand for all paths. */
const maxCompletions = 200

/** Finds the ids of wanted terms, in the order given. */
export async function findTerms(
  db: Database,
  org: string,
  wanted: readonly WantedTerm[],
): Promise<readonly (readonly number[])[]> {
  if (wanted.length === 0) return []
  // One range of the index for each. Joined with a list, PostgreSQL would read all terms.
  const ranges = wanted.map(({ kind, value, isBeginning }, place) => {
    // No word of the index holds this character, so it ends the range of a beginning.
    const end = isBeginning ? `${value}\u{10ffff}` : value
    return sql`
      select cast(${place} as integer) as place, id from (
        select id from search_terms
        where org = ${org} and kind = cast(${termKinds[kind]} as integer) and value >= ${value} and value <= ${end}
        order by length(value), value limit ${maxCompletions}
      ) as completions`
  })
  const found = sql<{ readonly place: number; readonly id: number }>`(${sql.join(ranges, sql` union all `)})`
  const rows = await db.selectFrom(found.as('found')).selectAll().execute()
  return wanted.map((_, place) => rows.filter((row) => row.place === place).map(({ id }) => id))
}

/**
 * Deletes those of the next terms that no dataset has any more.
 *
 * @param after the term that was looked at last; 0 for none
 * @returns the term that this looked at last; 0 when there are no others
 */
export async function deleteUnusedTerms(db: Database, after: number, limit: number): Promise<number> {
  const terms = await db
    .selectFrom('search_terms')
    .select(['id', isTermUsed(db).as('isUsed')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const unused = terms.filter(({ isUsed }) => !isUsed).map(({ id }) => id)
  if (unused.length > 0)
    await db.transaction().execute(async (tx) => {
      // An indexer may have found the id of a term, and not yet have written the dataset that has it.
      await excludeIndexers(tx)
      const isUnused = sql<SqlBool>`not ${isTermUsed(tx)}`
      await tx.deleteFrom('search_terms').where('id', 'in', unused).where(isUnused).execute()
    })
  return terms.length < limit ? 0 : (terms.at(-1)?.id ?? 0)
}
