// The program of a SQLite thread. It answers each message of the main thread with one message, in order; the first answer says whether
// the database could be opened.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  type Connection,
  openConnection,
  type Opening,
  type Statement,
  type StatementResult,
} from './open-connection.ts'

/** What a thread is asked for. `close` ends it. */
export type Request = Statement | 'close'

/** The result of a request. */
export type Answer = StatementResult | { readonly failure: { readonly code: string; readonly message: string } }

const nothing: StatementResult = { rows: [] }

function serve(port: MessagePort, opening: Opening): void {
  let connection: Connection | undefined
  const answer = (work: () => StatementResult) => port.postMessage(describe(work))
  answer(() => {
    connection = openConnection(opening)
    return nothing
  })
  port.on('message', (request: Request) => {
    if (request !== 'close') {
      // The main thread sends statements only after the database was opened.
      answer(() => connection?.execute(request) ?? nothing)
      return
    }
    answer(() => {
      connection?.close()
      return nothing
    })
    port.close()
  })
}

function describe(work: () => StatementResult): Answer {
  try {
    return work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      failure: { code: error instanceof Error && 'code' in error ? String(error.code) : 'SQLITE_MISUSE', message },
    }
  }
}

// Only `SqliteThread` starts this file, with this data.
if (parentPort !== null) serve(parentPort, workerData as Opening)
