// Answers an agent over standard input and output. The agent starts the process and ends it.
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Server } from '@modelcontextprotocol/server'
import { waitOrAbort } from '@floe/storage/waiting'
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

/** Longest wait for answers after the input has ended, in milliseconds. The reads of an answer take 30 s at most. */
const lastAnswersMs = 40_000

/** Standard input and output. When the input ends, the requests that have arrived are answered first. */
class AnsweringTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise
  readonly #answered = Promise.withResolvers<void>()
  readonly #unanswered = new Set<RequestId>()
  readonly #parts: StdioParts

  constructor(parts: StdioParts) {
    super(parts.input, parts.output, { maxBufferSize: maxMessageBytes })
    this.#parts = parts
  }

  override async start(): Promise<void> {
    const receive = this.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK emits no events; it calls this function
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#unanswered.add(message.id)
      // A cancelled request gets no answer.
      if ('method' in message && message.method === 'notifications/cancelled') {
        const id = message.params?.['requestId']
        if (typeof id === 'string' || typeof id === 'number') this.#unanswered.delete(id)
      }
      receive?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if ('method' in message || message.id === undefined) return
    this.#unanswered.delete(message.id)
    if (this.#unanswered.size === 0 && this.#parts.input.readableEnded) this.#answered.resolve()
  }

  override async close(): Promise<void> {
    const { input, stop } = this.#parts
    if (input.readableEnded && this.#unanswered.size > 0) {
      const giveUp = AbortSignal.any([stop, AbortSignal.timeout(lastAnswersMs)])
      await waitOrAbort(this.#answered.promise, giveUp).catch(() => {})
    }
    await super.close()
    this.#closed.resolve()
  }
}

/** Answers messages until the input ends or the process has to stop. */
export async function serveOverStdio(parts: StdioParts, makeServer: () => Server): Promise<void> {
  const { input, stop, onError } = parts
  const transport = new AnsweringTransport(parts)
  const service = serveStdio(makeServer, { transport, maxSubscriptions: 0, onerror: onError })
  const end = () => void service.close()
  stop.addEventListener('abort', end, { once: true })
  if (stop.aborted) end()
  await transport.closed
  stop.removeEventListener('abort', end)
  // Otherwise open input would keep the process running.
  input.destroy()
}
