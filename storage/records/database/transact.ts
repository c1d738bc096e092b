import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Runs statements in one transaction, which is rolled back if the function throws. */
export function transact<Result>(db: Kysely<Tables>, run: (tx: Kysely<Tables>) => Promise<Result>): Promise<Result> {
  // Kysely's `Transaction` extends `Kysely`. The compiler would compare all their methods to see that, which would be a
  // third of its work for the database.
  return db.transaction().execute((tx: unknown) => run(tx as Kysely<Tables>))
}
