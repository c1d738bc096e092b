// Answers input that Node.js cannot parse as HTTP. Then there is a socket, but no request.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { contentTypes } from '@floe/contract'
import { RequestProblem, toProblem } from '../../problems/request-problem.ts'

// An `import` would read all exports, among them `WebSocket`, for which Node.js loads all of `fetch`.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * How long a caller may take to read the answer, in milliseconds. Then the connection is closed, even if it is in use.
 */
const lingerMs = 1_000

/** Answers a connection whose request cannot be parsed, or does not arrive in time, and closes it. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // Clients open connections before they need them. A client that now sends its first request would take this answer
  // for the answer to that request.
  const isUnused = socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused) {
    socket.destroy()
    return
  }
  const problem = toProblem(explainClientError(error.code), randomUUID())
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      `Content-Type: ${contentTypes.problem}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function explainClientError(code: string | undefined): RequestProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new RequestProblem('headers-too-large', 'The address and headers of the request are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestProblem('request-timeout', 'The request did not arrive in time')
    default:
      return new RequestProblem('invalid-request', 'The connection did not send a valid HTTP request')
  }
}
