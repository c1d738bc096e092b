// Answers an agent over standard input and output. The agent starts the process and ends it.
import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** The two ends of the connection, and what ends it. */
export type StdioParts = {
  readonly input: Readable
  readonly output: Writable
  /** Aborts when the process must stop. */
  readonly stop: AbortSignal
  /** Called with invalid messages and failures to write. */
  readonly onError: (error: Error) => void
}

/** Longest message, in bytes, as over HTTP. A longer one ends the connection. */
const maxMessageBytes = 65_536

/** A connection with a promise that resolves when either side has closed it. */
class Connection extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise

  override async close(): Promise<void> {
    await super.close()
    this.#closed.resolve()
  }
}

/** Answers messages until the input ends or the process has to stop. */
export async function serveOverStdio(
  { input, output, stop, onError }: StdioParts,
  makeServer: () => Server,
): Promise<void> {
  const connection = new Connection(input, output, { maxBufferSize: maxMessageBytes })
  const service = serveStdio(makeServer, { transport: connection, maxSubscriptions: 0, onerror: onError })
  const end = () => void service.close()
  stop.addEventListener('abort', end, { once: true })
  if (stop.aborted) end()
  await connection.closed
  stop.removeEventListener('abort', end)
  // Otherwise open input would keep the process running.
  input.destroy()
}
