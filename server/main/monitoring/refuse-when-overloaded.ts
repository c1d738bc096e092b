// Refuses requests with 503 and Retry-After while memory or processor time is short, so that requests under way can
// end.
import { totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Timing } from '../../timing.ts'

/** How long callers should wait while the service is overloaded, in seconds. */
const retryAfterS = 5

/**
 * Longest mean delay of the event loop between two samples, in milliseconds. An answer that needs several iterations of
 * the loop takes seconds then.
 */
const maxEventLoopDelayMs = 500

/** Precision of the delays that Node.js measures, in milliseconds. Each measured delay includes it. */
const resolution = 10

/** Shares of the V8 heap limit and of the container's memory. Above them, the process would soon be killed. */
const heapShare = 0.9
const memoryShare = 0.95

/** How often the process is measured, in milliseconds. */
const sampleIntervalMs = 1_000

/** Requests are refused while any of these limits is exceeded. */
export type OverloadLimits = {
  readonly eventLoopDelayMs: number
  readonly heapUsedBytes: number
  readonly rssBytes: number
}

/** The limits of this process. */
export function findOverloadLimits(): OverloadLimits {
  return {
    eventLoopDelayMs: maxEventLoopDelayMs,
    heapUsedBytes: getHeapStatistics().heap_size_limit * heapShare,
    rssBytes: findMemoryLimit() * memoryShare,
  }
}

/** Makes a scope refuse requests while the process is overloaded. Returns a function that says whether it is. */
export function refuseWhenOverloaded(
  scope: FastifyInstance,
  limits: OverloadLimits,
  after: Timing['after'],
): () => boolean {
  const delays = monitorEventLoopDelay({ resolution })
  let isOverloaded = false
  let rssBytes = 0
  let cancelNext = () => {}
  const sample = () => {
    cancelNext = after(sampleIntervalMs, sample)
    // The first call only begins to measure, because the start keeps the event loop busy.
    if (delays.enable()) return
    // Not a number if the event loop was blocked since the last sample.
    const delayMs = Number.isNaN(delays.mean) ? Infinity : delays.mean / 1e6 - resolution
    delays.reset()
    rssBytes = measureRss() ?? rssBytes
    const { used_heap_size: heapUsedBytes } = getHeapStatistics()
    isOverloaded =
      delayMs > limits.eventLoopDelayMs || heapUsedBytes > limits.heapUsedBytes || rssBytes > limits.rssBytes
  }
  scope.addHook('onListen', async () => {
    cancelNext = after(sampleIntervalMs, sample)
  })
  scope.addHook('onClose', async () => {
    cancelNext()
    delays.disable()
  })
  const refuse = async () => {
    if (!isOverloaded) return
    throw new RequestProblem('unavailable', 'The service is overloaded; try again later', {
      headers: { [responseHeaders.retryAfter.name]: String(retryAfterS) },
    })
  }
  scope.addHook('onRequest', refuse)
  // Again when the body has arrived, which can take a minute.
  scope.addHook('preValidation', refuse)
  return () => isOverloaded
}

/**
 * Measures the resident memory of the process in bytes; undefined while the process cannot open the file that says it.
 */
function measureRss(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

/** Returns the memory limit of the container in bytes; infinite without a limit. */
function findMemoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : Infinity
}
