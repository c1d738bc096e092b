// Loaded before the program, makes it a version with one more migration. With `?breaking` in the address, older
// processes cannot run with that migration.
import { type Kysely, sql } from 'kysely'
import { migrations } from '../../../../storage/records/database/migrations/index.ts'
import type { Tables } from '../../../../storage/records/database/tables.ts'

const statements = [
  'alter table receivers add column colour text',
  `alter table undelivered add column reason text default 'none'`,
  'alter table replicas add column place text',
  'create table places (name text primary key)',
  'create index events_name on events (name)',
]

const isBreaking = new URL(import.meta.url).searchParams.has('breaking')

Object.assign(migrations, {
  [isBreaking ? '9999-breaking' : '9998-next']: {
    onlyAdds: !isBreaking,
    apply: async (tx: Kysely<Tables>) => {
      for (const statement of isBreaking ? [] : statements) await sql.raw(statement).execute(tx)
    },
  },
})
