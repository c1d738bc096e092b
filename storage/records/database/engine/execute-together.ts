import { CompiledQuery } from 'kysely'
import type { DatabaseConnection, Kysely, QueryResult } from 'kysely'
import type { TransactingConnection } from '../sqlite/sqlite-driver.ts'
import type { Tables } from '../tables.ts'

/** Statements by a name for their rows. Undefined ones are skipped. */
type Statements = Readonly<Record<string, CompiledQuery | undefined>>

/** The rows of each statement; none for a skipped one. */
export type StatementRows<S extends Statements> = {
  readonly [Name in keyof S]: readonly (S[Name] extends CompiledQuery<infer Row> | undefined ? Row : never)[]
}

/**
 * Executes statements in order, as one transaction that waits for the database only once. No statement can depend on
 * the rows that another returns, but each sees the changes of those before it. In a transaction, they are executed one
 * by one, as part of it.
 */
export async function executeTogether<S extends Statements>(
  db: Kysely<Tables>,
  statements: S,
): Promise<StatementRows<S>> {
  const names = Object.keys(statements).filter((name) => statements[name] !== undefined)
  const queries = names.flatMap((name) => statements[name] ?? [])
  const results = await (db.isTransaction ? executeOneByOne(db, queries) : executeAsTransaction(db, queries))
  const rows = Object.keys(statements).map((name) => [name, results[names.indexOf(name)]?.rows ?? []])
  // The rows are those of the statement with the same name.
  return Object.fromEntries(rows) as StatementRows<S>
}

async function executeOneByOne(
  tx: Kysely<Tables>,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const results = []
  for (const query of queries) results.push(await tx.executeQuery(query))
  return results
}

function executeAsTransaction(
  db: Kysely<Tables>,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  return db
    .getExecutor()
    .provideConnection((connection) =>
      isTransacting(connection) ? connection.executeTogether(queries) : sendTogether(connection, queries),
    )
}

function isTransacting(connection: DatabaseConnection): connection is TransactingConnection {
  return 'executeTogether' in connection
}

/**
 * Sends all statements to PostgreSQL without waiting for the answers. After a failed statement, it refuses the others,
 * and `commit` rolls back.
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
