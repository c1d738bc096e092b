import { responseHeaders } from '@floe/contract'
import { RequestProblem } from './request-problem.ts'

/** How long callers should wait while the service has too much to do, in seconds. */
export const overloadRetryS = 5

/** Makes the problem of a request that is refused because the service has too much to do. */
export function explainOverload(): RequestProblem {
  return new RequestProblem('unavailable', 'The service has too much to do; try again later', {
    headers: { [responseHeaders.retryAfter.name]: String(overloadRetryS) },
  })
}
