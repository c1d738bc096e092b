// Expectations that the configuration file declares, each for the repositories of an organisation that match a pattern.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { writeSettings } from './change-expectations.ts'
import type { ExpectationSettings } from './expectations.ts'
import { transact } from '../transact.ts'

/** An expectation that the configuration file declares. */
export type DeclaredExpectation = ExpectationSettings & {
  readonly org: string
  /** A pattern of the names of repositories. */
  readonly repos: string
}

/**
 * Makes the database contain exactly the declared expectations of all organisations. Those that were declared before
 * keep their state. One with another value is a new one.
 */
export async function applyDeclaredExpectations(
  db: Database,
  declared: readonly DeclaredExpectation[],
  now: Date,
): Promise<void> {
  const wanted = new Map(
    declared.map(({ org, repos, ...settings }) => {
      const columns = { org, repos, ...writeSettings(settings) }
      return [writeKey(columns), columns] as const
    }),
  )
  const before = await selectDeclared(db).execute()
  // Nothing is written if nothing has changed, so that a service can start while its database refuses changes.
  if (before.length === wanted.size && before.every((row) => wanted.has(writeKey(row)))) return
  await transact(db, async (tx) => {
    const rows = await lockRows(tx, selectDeclared(tx)).execute()
    const known = new Set(rows.map(writeKey))
    const at = now.getTime()
    for (const [key, columns] of wanted) {
      if (known.has(key)) continue
      await tx
        .insertInto('expectations')
        .values({ id: randomUUID(), repo_id: null, ...columns, is_declared: 1, created_at: at, updated_at: at })
        // Two processes may start with the same file.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    const undeclared = rows.filter((row) => !wanted.has(writeKey(row))).map(({ id }) => id)
    await tx
      .deleteFrom('expectations')
      .where(isOneOf(tx, 'id', undeclared))
      .execute()
  })
}

function selectDeclared(db: Database) {
  return (
    db
      .selectFrom('expectations')
      .selectAll()
      // A literal: with a parameter, SQLite would not use the index of declared rows.
      .where('is_declared', '=', sql.lit<1>(1))
      .orderBy('id')
  )
}

/** What tells declared expectations apart. */
function writeKey(columns: {
  readonly org: string
  readonly repos: string | null
  readonly branch: string
  readonly path: string | null
  readonly max_age: string | null
  readonly written: number | null
}): string {
  const { org, repos, branch, path, max_age, written } = columns
  return JSON.stringify([org, repos, branch, path, max_age, written])
}
