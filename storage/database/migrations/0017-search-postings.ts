import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../engine.ts'

/**
 * Moves the terms of datasets to a table that is an index on SQLite too, and facets to the contents, so that rows of datasets are short.
 * All heads are indexed again.
 */
export async function createPostings(db: Kysely<unknown>): Promise<void> {
  const create = isSqlite(db) ? onSqlite : onPostgres
  for (const statement of [...create, ...emptied]) await sql.raw(statement).execute(db)
}

const onSqlite = [
  'drop trigger search_postings_added',
  'drop trigger search_postings_removed',
  'drop table search_postings',
  // A document holds the ids of the terms of a dataset. Their order and number do not matter, and the text itself is not kept.
  `create virtual table search_postings
    using fts5(terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  `create trigger search_postings_removed after delete on search_datasets begin
    delete from search_postings where rowid = old.id;
  end`,
]

const onPostgres = [
  `create table search_postings (
    rowid integer primary key references search_datasets (id) on delete cascade,
    terms integer[] not null
  )`,
  'create index search_postings_terms on search_postings using gin (terms)',
  'drop index search_datasets_terms',
]

const emptied = [
  'delete from search_datasets',
  'alter table search_datasets drop column terms',
  'alter table search_datasets drop column facets',
  `alter table search_contents add column facets text not null default '{}'`,
  `update heads set indexed_snapshot_id = '', index_due_at = 0`,
]
