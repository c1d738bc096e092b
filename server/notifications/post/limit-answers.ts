// Limits the age of a connection and the bytes that it receives, because undici measures ages with a clock that may be
// set back, and does not report all bytes.
import type { Socket } from 'node:net'
import { PostError } from './explain-exchange.ts'

/** Maximum number of bytes that a receiver may send after a request, including `readBytes`: twice the longest body. */
const maxReceivedBytes = 512_000

/** Each read counts as this many additional bytes, because it takes as much time. */
const readBytes = 1_024

/** Errors of reused connections that ended before the receiver answered the last request. */
const staleErrors = new WeakSet<Error>()

/** Whether the receiver had closed a reused connection before it saw the request. */
export function isStale(error: Error): boolean {
  return staleErrors.has(error)
}

/**
 * Limits the bytes that a receiver sends after each request, as TLS decrypts them: interim answers, headers, chunk
 * framing and body, and also session tickets. A request that finds its connection too old is not written, and may be
 * repeated on another one.
 */
export function limitAnswers(socket: Socket, { hostname }: URL, isTooOld: () => boolean): void {
  const push = socket.push.bind(socket)
  const write = socket.write.bind(socket)
  let received = 0
  let hasRequest = false
  let hasAnswered = false
  let isReused = false
  const countRead = (bytes: number) => {
    received += readBytes + bytes
    if (received > maxReceivedBytes) socket.destroy(new PostError(`${hostname} sent too much before it had answered`))
  }
  // Node.js passes each decrypted record to `push`. Events of the socket would join records that arrive together.
  socket.push = (chunk: Buffer | null) => {
    if (chunk !== null) countRead(chunk.length)
    // Bytes before the first request are no answer: otherwise, a hostile receiver could cause endless retries.
    hasAnswered ||= hasRequest && chunk !== null
    return push(chunk)
  }
  socket.on('session', () => countRead(0))
  // undici writes only requests, and each only after the answer to the last.
  socket.write = (...args: unknown[]) => {
    received = 0
    hasRequest = true
    isReused = hasAnswered
    if (isReused && isTooOld()) {
      socket.destroy(new Error('the connection is too old'))
      return false
    }
    // The arguments fit one of the overloads.
    return write(...(args as Parameters<typeof write>))
  }
  const isUnanswered = () => isReused && received === 0
  socket.on('error', (error) => isUnanswered() && staleErrors.add(error))
  socket.on('end', () => isUnanswered() && socket.destroy(new Error('the receiver has closed the connection')))
}
