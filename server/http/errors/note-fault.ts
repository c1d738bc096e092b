import { problemDefinitions } from '@floe/contract'
import type { FaultLog } from '../../observation/fault-log.ts'
import type { RequestProblem } from '../../problems/request-problem.ts'

/**
 * Logs a problem with its cause if it is a fault of the service or of an object store. Refusals are in the lines of
 * requests.
 *
 * @param reqId id of the request; undefined if there was none
 */
export function noteFault(problem: RequestProblem, faults: Pick<FaultLog, 'note'>, reqId: string | undefined): void {
  const { code, cause, message } = problem
  // Otherwise an overloaded service would log a fault for every request that it refuses.
  const isDeliberate = code === 'unavailable' && cause === undefined
  if (problemDefinitions[code].status < 500 || isDeliberate) return
  faults.note(cause ?? problem, message, { reqId, problem: code })
}
