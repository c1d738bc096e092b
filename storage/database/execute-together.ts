import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { Database } from './open-database.ts'
import type { TransactingConnection } from './sqlite/sqlite-driver.ts'

/** Statements by a name for their rows. Those that are undefined are left out. */
type Statements = Readonly<Record<string, CompiledQuery | undefined>>

/** The rows of statements; none for a statement that was left out. */
export type RowsOf<S extends Statements> = {
  readonly [Name in keyof S]: readonly (S[Name] extends CompiledQuery<infer Row> | undefined ? Row : never)[]
}

/**
 * Executes statements in their order, as one transaction that waits for the database once. So no statement can be made from the rows of
 * another; each finds in the tables what those before it have changed.
 */
export async function executeTogether<S extends Statements>(db: Database, statements: S): Promise<RowsOf<S>> {
  const named = Object.entries(statements).flatMap(([name, query]) => (query === undefined ? [] : [{ name, query }]))
  const queries = named.map(({ query }) => query)
  const results = await db
    .getExecutor()
    .provideConnection((connection) =>
      isTransacting(connection) ? connection.executeTogether(queries) : sendTogether(connection, queries),
    )
  const rows = named.map(({ name }, index) => [name, results[index]?.rows ?? []])
  // The rows are those of the statement with the same name.
  return {
    ...Object.fromEntries(Object.keys(statements).map((name) => [name, []])),
    ...Object.fromEntries(rows),
  } as RowsOf<S>
}

function isTransacting(connection: DatabaseConnection): connection is TransactingConnection {
  return 'executeTogether' in connection
}

/**
 * Sends all statements before the first is answered. PostgreSQL refuses what follows a failed statement, and then undoes at `commit` what
 * came before.
 */
async function sendTogether(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const all = [CompiledQuery.raw('begin'), ...queries, CompiledQuery.raw('commit')]
  const outcomes = await Promise.allSettled(all.map((query) => connection.executeQuery(query)))
  const results = outcomes.map((outcome) => {
    // The first failure is the cause of the others.
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  return results.slice(1, -1)
}
