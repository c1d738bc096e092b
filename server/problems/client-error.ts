// Refusals below HTTP: Node could not parse what came in, so there is no request to answer, only a socket.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RequestProblem } from './request-problem.ts'
import { toProblem } from './to-problem.ts'

/** Answers a connection whose request cannot be parsed, and closes it. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new RequestProblem('uri-too-long', 'The address and headers of the request are too long')
      : new RequestProblem('invalid-request', 'What was sent is not an HTTP request')
  const problem = toProblem(refusal, randomUUID())
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
