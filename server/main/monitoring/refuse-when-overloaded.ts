// Refuses requests with 503 and Retry-After while memory or processor time is short, so that requests under way can end.
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import type { Timing } from '../../timing.ts'

/** How long callers should wait while the service is overloaded, in seconds. */
const retryAfterS = 5

/** Longest mean delay of the event loop within a second, in milliseconds. An answer that needs several iterations then takes seconds. */
const maxEventLoopDelayMs = 500

/** Shares of the V8 heap limit and of the container's memory. Above them, the process would soon be killed. */
const heapShare = 0.9
const memoryShare = 0.95

/** Requests are refused above any of these limits, which are checked every `sampleInterval` ms; 0 means no limit. */
export type OverloadLimits = {
  readonly maxEventLoopDelay: number
  readonly maxHeapUsedBytes: number
  readonly maxRssBytes: number
  readonly sampleInterval: number
}

/** The limits of this process. */
export function findOverloadLimits(): OverloadLimits {
  return {
    maxEventLoopDelay: maxEventLoopDelayMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShare,
    maxRssBytes: findMemoryLimit() * memoryShare,
    sampleInterval: 1_000,
  }
}

/** Makes a scope refuse requests while the process is overloaded. Returns a function that says whether it is. */
export async function refuseWhenOverloaded(
  scope: FastifyInstance,
  limits: OverloadLimits,
  after: Timing['after'],
): Promise<() => boolean> {
  // The first samples measure how long the start kept the event loop.
  let hasStarted = false
  scope.addHook('onListen', (done) => {
    const cancel = after(2 * limits.sampleInterval, () => (hasStarted = true))
    scope.server.once('close', cancel)
    done()
  })
  await scope.register(underPressure, {
    ...limits,
    pressureHandler: async () => {
      if (!hasStarted) return
      throw new RequestProblem('unavailable', 'The service is overloaded; try again later', {
        headers: { [responseHeaders.retryAfter.name]: String(retryAfterS) },
      })
    },
  })
  return () => hasStarted && scope.isUnderPressure()
}

/** Returns the memory limit of the container in bytes; 0 without a limit. */
function findMemoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit < totalmem() ? limit : 0
}
