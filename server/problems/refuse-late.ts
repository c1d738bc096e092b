// Refuses requests that could not be begun in time. Fastify never sees them, because it would take longer than to answer most of them.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '../http/security-headers.ts'
import type { RequestRecords } from '../observation/request-records.ts'
import { RequestProblem } from './request-problem.ts'
import { toProblem } from './to-problem.ts'

/** How long callers should wait, in seconds. */
const retryAfterS = '5'

const tooLate = new RequestProblem('unavailable', 'The service has too much to do; try again later')

/** Makes the function that refuses requests which have waited too long. They are counted, but have no line in the log. */
export function makeLateRefusal(requests: Pick<RequestRecords, 'durations'>) {
  const durations = requests.durations.find('none', 'late', '503')
  return (_request: IncomingMessage, response: ServerResponse): void => {
    durations.note(0)
    const problem = toProblem(tooLate, randomUUID())
    response
      .writeHead(problem.status, {
        ...securityHeaders,
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'retry-after': retryAfterS,
      })
      .end(JSON.stringify(problem))
  }
}
