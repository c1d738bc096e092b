// Limits everything that a receiver sends: interim answers, headers, the framing of chunks and the body, as they come out of TLS. A
// receiver may send each byte on its own, and each read takes us as much time as many bytes, so reads count too.
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Most interim answers (status 1xx) before the final one. */
const maxInterimAnswers = 10

/** Most bytes of one exchange, reads included. Twice the longest body that we read. */
const maxReceivedBytes = 512_000

/** A read counts as this many bytes besides its own. */
const readBytes = 1_024

/** What a receiver has sent too much of, as the end of a sentence about its host; undefined while it keeps to the limits. */
export type AnswerLimit = { exceeded: string | undefined }

/** Destroys a request when its receiver sends more than it may. */
export function limitAnswer(sent: ClientRequest): AnswerLimit {
  const limit: AnswerLimit = { exceeded: undefined }
  const stop = (what: string) => {
    limit.exceeded ??= what
    sent.destroy()
  }
  let interimAnswers = 0
  sent.on('information', () => {
    if (++interimAnswers > maxInterimAnswers) stop(`sent more than ${maxInterimAnswers} interim answers (1xx)`)
  })
  let received = 0
  const count = (bytes: number) => {
    received += readBytes + bytes
    if (received > maxReceivedBytes) stop('sent too much before it had answered')
  }
  sent.once('socket', (socket: Socket) => watchSocket(sent, socket, count))
  return limit
}

/** Calls `count` for each read until the answer ends. Afterwards another request may use the connection. */
function watchSocket(sent: ClientRequest, socket: Socket, count: (bytes: number) => void): void {
  const onData = (data: Buffer) => count(data.length)
  // A ticket for a later TLS session is not data, but takes time too.
  const onSession = () => count(0)
  const unwatch = () => void socket.off('data', onData).off('session', onSession)
  socket.on('data', onData).on('session', onSession)
  sent.once('response', (response: IncomingMessage) => response.once('end', unwatch))
  sent.once('close', unwatch)
}
