import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isSqlite } from './engine.ts'
import type { Tables } from '../tables.ts'

type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision'

type ValueOf<Type extends ColumnType> = Type extends 'text' ? string : number

/**
 * Makes a table of records for a statement about many rows. It is called `rows`, and has a column for each of these
 * members of the records: `rows.delivery`. All records are one parameter, so that the statement is the same for any
 * number of them. PostgreSQL refuses texts with NUL or lone surrogates.
 *
 * @param columns names without capitals, which PostgreSQL would want in quotes
 */
export function rowsOf<Columns extends Readonly<Record<string, ColumnType>>>(
  db: Kysely<Tables>,
  records: readonly { readonly [Name in keyof Columns]: ValueOf<Columns[Name]> | null | undefined }[],
  columns: Columns,
): RawBuilder<unknown> {
  return rowsOfJson(db, JSON.stringify(records), columns)
}

/** Like {@link rowsOf}, for records that were written as JSON before. */
export function rowsOfJson(
  db: Kysely<Tables>,
  json: string,
  columns: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const all = Object.entries(columns)
  if (!isSqlite(db)) {
    const definitions = all.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`json_to_recordset(${json}::json) as rows (${sql.join(definitions)})`
  }
  // SQLite returns values of JSON with their types.
  const expressions = all.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(expressions)} from json_each(${json})) as rows`
}
