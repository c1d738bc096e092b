// Answers an agent over standard input and output. The agent starts and stops the process.
import { pipeline, type Readable, type Writable } from 'node:stream'
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId, type Server } from '@modelcontextprotocol/server'
import { waitOrAbort } from '@floe/storage/waiting'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { limitMessages } from './limit-messages.ts'

/** The two streams of the connection, and a signal that closes it. */
export type StdioParts = {
  readonly input: Readable
  readonly output: Writable
  /** Aborts when the process must stop. */
  readonly stop: AbortSignal
  /** Called for an invalid message, and if a message cannot be written. */
  readonly onError: (error: Error) => void
}

/** Maximum length of a message, in bytes; the same as over HTTP. */
const maxMessageBytes = 65_536

/** Longest wait for the last answers after the input has ended, in milliseconds. A call takes at most 30 s. */
const lastAnswersMs = 40_000

/** Standard input and output. When the input ends, it first answers the requests that have arrived, then closes. */
class AnsweringTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise
  readonly #answered = Promise.withResolvers<void>()
  readonly #unanswered = new Set<RequestId>()
  readonly #parts: StdioParts

  constructor(parts: StdioParts) {
    super(parts.input, parts.output)
    this.#parts = parts
  }

  override async start(): Promise<void> {
    const receive = this.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transport emits no events, but calls this
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

/** The answer to a message that is not read. Its id is in the message, so the answer has none. */
const tooLong = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message: `A message has at most ${maxMessageBytes} bytes` },
}

/** Answers messages until the input ends or the process has to stop. */
export async function serveOverStdio(parts: StdioParts, makeServer: () => Server): Promise<void> {
  const { input, output, stop, onError } = parts
  const messages = limitMessages(maxMessageBytes, () => output.write(`${JSON.stringify(tooLong)}\n`))
  // An error of the input destroys `messages` too, and so ends the service.
  pipeline(input, messages, () => {})
  const transport = new AnsweringTransport({ ...parts, input: messages })
  const service = serveStdio(makeServer, { transport, maxSubscriptions: 0, onerror: onError })
  const end = () => void service.close()
  stop.addEventListener('abort', end, { once: true })
  if (stop.aborted) end()
  await transport.closed
  stop.removeEventListener('abort', end)
  // Otherwise open input would keep the process running.
  input.destroy()
}
