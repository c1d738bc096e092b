// Expectations that the configuration file declares, each for the repositories of an organisation that match a pattern.
import { randomUUID } from 'node:crypto'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { writeSettings } from './change-expectations.ts'
import type { ExpectationSettings } from './expectations.ts'

/** An expectation that the configuration file declares. */
export type DeclaredExpectation = ExpectationSettings & {
  readonly org: string
  /** A pattern of the names of repositories. */
  readonly repos: string
}

/**
 * Makes the database contain exactly the declared expectations of these organisations. Those that were declared before
 * keep their state. One with another value is a new one.
 */
export async function applyDeclaredExpectations(
  db: Database,
  orgs: readonly string[],
  declared: readonly DeclaredExpectation[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const query = tx
      .selectFrom('expectations')
      .selectAll()
      .where(isOneOf(tx, 'org', orgs))
      .where('is_declared', '=', 1)
    const rows = await lockRows(tx, query.orderBy('id')).execute()
    const known = new Map(rows.map((row) => [writeKey(row), row.id]))
    for (const { org, repos, ...settings } of declared) {
      const columns = { org, repos, ...writeSettings(settings) }
      if (known.delete(writeKey(columns))) continue
      const at = now.getTime()
      await tx
        .insertInto('expectations')
        .values({ id: randomUUID(), repo_id: null, ...columns, is_declared: 1, created_at: at, updated_at: at })
        // Two processes may start with the same file.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await tx
      .deleteFrom('expectations')
      .where(isOneOf(tx, 'id', [...known.values()]))
      .execute()
  })
}

/** What tells declared expectations apart. */
function writeKey(columns: {
  readonly org: string
  readonly repos: string | null
  readonly branch: string
  readonly path: string | null
  readonly max_age: string
}): string {
  const { org, repos, branch, path, max_age } = columns
  return JSON.stringify([org, repos, branch, path, max_age])
}
