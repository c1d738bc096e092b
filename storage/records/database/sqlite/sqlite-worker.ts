// The program of a SQLite thread. Answers each message of the main thread with one message, in order. Before that, it
// sends one that says whether the database could be opened.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Connection, openConnection, type Opening, type StatementResult, type Work } from './open-connection.ts'

export type Request = Work | 'close'

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
    answer(() => {
      if (request !== 'close') return connection?.execute(request) ?? []
      connection?.close()
      return []
    })
    if (request === 'close') port.close()
  })
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
