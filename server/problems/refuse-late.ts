// Refuses requests that could not be begun in time. Fastify never sees them, because it would take longer than to answer most of them.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { contentTypes } from '@floe/contract'
import { securityHeaders } from '../http/security-headers.ts'
import type { RequestRecords } from '../observation/request-records.ts'
import { explainOverload } from './overload.ts'
import { toProblem } from './to-problem.ts'

const tooLate = explainOverload()

/** Answers a request with `unavailable`. */
export type LateRefusal = (request: IncomingMessage, response: ServerResponse) => void

/** Makes the headers of CORS for the answer to a request. */
type MakeCorsHeaders = (url: string, origin: string | undefined) => Readonly<Record<string, string>>

/** Makes the function that refuses requests which have waited too long. */
export function makeLateRefusal(
  requests: Pick<RequestRecords, 'noteLate'>,
  makeCorsHeaders: MakeCorsHeaders,
): LateRefusal {
  return ({ method = '', url = '/', headers: { origin } }, response) => {
    const id = randomUUID()
    const problem = toProblem(tooLate, id)
    const { status } = problem
    requests.noteLate({ id, method, url, status, refusal: tooLate })
    response
      .writeHead(status, {
        ...securityHeaders,
        ...makeCorsHeaders(url, origin),
        ...tooLate.headers,
        'content-type': contentTypes.problem,
        'cache-control': 'no-store',
      })
      .end(JSON.stringify(problem))
  }
}
