// Watches what comes out of a socket, because undici does not tell of all that a receiver sends.
import type { TLSSocket } from 'node:tls'
import { PostError } from './explain-exchange.ts'

/** Most bytes that a receiver may send after a request, reads included. Twice the longest body that we read. */
const maxReceivedBytes = 512_000

/** A read counts as this many bytes besides its own, because it takes us as much time as many bytes. */
const readBytes = 1_024

/** Errors of kept connections that ended before the receiver sent anything after the last request. */
const staleErrors = new WeakSet<Error>()

/** Returns whether the receiver had closed a kept connection before it saw the request. */
export function isStale(error: Error): boolean {
  return staleErrors.has(error)
}

/**
 * Limits what a receiver sends after each request: interim answers, headers, the framing of chunks and the body, as they come out of TLS,
 * and tickets for later sessions.
 */
export function limitAnswers(socket: TLSSocket, { hostname }: URL): void {
  const push = socket.push.bind(socket)
  const write = socket.write.bind(socket)
  let received = 0
  let hasRequest = false
  let hasAnswered = false
  let isKept = false
  const countRead = (bytes: number) => {
    received += readBytes + bytes
    if (received > maxReceivedBytes) socket.destroy(new PostError(`${hostname} sent too much before it had answered`))
  }
  // Node.js passes each record that it has decrypted to `push`. The events of the socket join records that came together.
  socket.push = (chunk: Buffer | null) => {
    if (chunk !== null) countRead(chunk.length)
    // What comes before the first request is no answer: if it were, a hostile receiver could have us try again without end.
    hasAnswered ||= hasRequest && chunk !== null
    return push(chunk)
  }
  socket.on('session', () => countRead(0))
  // undici writes only requests, and the next one only after the answer to the last.
  socket.write = (...args: unknown[]) => {
    received = 0
    hasRequest = true
    isKept = hasAnswered
    // The arguments are those of one of its forms.
    return write(...(args as Parameters<typeof write>))
  }
  const isUnanswered = () => isKept && received === 0
  socket.on('error', (error) => isUnanswered() && staleErrors.add(error))
  socket.on('end', () => isUnanswered() && socket.destroy(new Error('the receiver has closed the connection')))
}
