import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { Database } from './open-database.ts'
import type { TransactingConnection } from './sqlite/sqlite-driver.ts'

/** Statements by a name for their rows. Undefined ones are skipped. */
type Statements = Readonly<Record<string, CompiledQuery | undefined>>

/** The rows of each statement; none for a skipped one. */
export type RowsOf<S extends Statements> = {
  readonly [Name in keyof S]: readonly (S[Name] extends CompiledQuery<infer Row> | undefined ? Row : never)[]
}

/**
 * Executes statements in order, as one transaction that waits for the database only once. No statement can depend on the rows that another
 * returns, but each sees the changes of those before it.
 */
export async function executeTogether<S extends Statements>(db: Database, statements: S): Promise<RowsOf<S>> {
  const names = Object.keys(statements).filter((name) => statements[name] !== undefined)
  const queries = names.flatMap((name) => statements[name] ?? [])
  const results = await db
    .getExecutor()
    .provideConnection((connection) =>
      isTransacting(connection) ? connection.executeTogether(queries) : sendTogether(connection, queries),
    )
  const rows = Object.keys(statements).map((name) => [name, results[names.indexOf(name)]?.rows ?? []])
  // The rows are those of the statement with the same name.
  return Object.fromEntries(rows) as RowsOf<S>
}

function isTransacting(connection: DatabaseConnection): connection is TransactingConnection {
  return 'executeTogether' in connection
}

/**
 * Sends all statements without waiting for the answers. After a failed statement, PostgreSQL refuses the others, and `commit` rolls back.
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
