// The program of a SQLite thread. It answers each message of the main thread with one message, in order; the first answer says whether
// the database could be opened.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  type Connection,
  openConnection,
  type Opening,
  type PlacedStatement,
  type Statement,
  type StatementResult,
} from './open-connection.ts'

/** What a thread is asked for: a statement, or statements as a transaction of their own. `close` ends the thread. */
export type Request = PlacedStatement | readonly Statement[] | 'close'

/** The results of the statements of a request. */
export type Answer =
  | { readonly results: readonly StatementResult[] }
  | { readonly failure: { readonly code: string; readonly message: string } }

function serve(port: MessagePort, opening: Opening): void {
  let connection: Connection | undefined
  const answer = (work: () => readonly StatementResult[]) => port.postMessage(describe(work))
  answer(() => {
    connection = openConnection(opening)
    return []
  })
  port.on('message', (request: Request) => {
    // The main thread sends statements only after the database was opened.
    answer(() => (connection === undefined ? [] : fulfil(connection, request)))
    if (request === 'close') port.close()
  })
}

function fulfil(connection: Connection, request: Request): readonly StatementResult[] {
  if (request === 'close') {
    connection.close()
    return []
  }
  return 'sql' in request ? [connection.execute(request)] : connection.executeTogether(request)
}

function describe(work: () => readonly StatementResult[]): Answer {
  try {
    return { results: work() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      failure: { code: error instanceof Error && 'code' in error ? String(error.code) : 'SQLITE_MISUSE', message },
    }
  }
}

// Only `SqliteThread` starts this file, with this data.
if (parentPort !== null) serve(parentPort, workerData as Opening)
