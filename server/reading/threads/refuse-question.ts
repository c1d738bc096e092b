// When the reader threads cannot keep up, questions are refused, so that those that are taken are answered in time.
import { responseHeaders } from '@floe/contract'
import type { Metrics } from '../../observation/metrics.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Stopwatch } from '../../timing.ts'

type RefusalParts = { readonly metrics: Pick<Metrics, 'readerQuestionsRefused'>; readonly elapsed: Stopwatch }

/** Makes the problem for a question that is refused, and counts it. */
export function refuseQuestion({ metrics }: Pick<RefusalParts, 'metrics'>, detail: string): RequestProblem {
  metrics.readerQuestionsRefused.inc()
  return new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: '1' } })
}

/** How long a question may wait for a slot. */
export type WaitLimit = {
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal
  /** Latest time at which the question may begin, by the stopwatch. */
  readonly beginBy: number
}

/**
 * Longest wait of a question, in milliseconds. After a longer one it is refused when its slot is free, because its
 * caller may have given up. Questions behind it are then answered in time.
 */
const maxWaitMs = 10_000

/** Begins the wait of a question for a slot. */
export function limitWait({ elapsed }: Pick<RefusalParts, 'elapsed'>, signal: AbortSignal): WaitLimit {
  return { signal, beginBy: elapsed() + maxWaitMs }
}

/**
 * Call this when a question gets its slot.
 *
 * @throws RequestProblem `unavailable` when it comes too late, and the reason of the signal when the caller has left
 */
export function requireInTime(parts: RefusalParts, { signal, beginBy }: WaitLimit): void {
  signal.throwIfAborted()
  if (parts.elapsed() <= beginBy) return
  throw refuseQuestion(parts, 'The request waited too long for its turn')
}
