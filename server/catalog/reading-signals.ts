import { readingTimeoutMs } from '../problems/reading-problem.ts'

/**
 * Makes a signal that aborts a slow read. It outlives the request, because other requests may wait for the same read.
 * Unlike a timer of our own, the one of `AbortSignal.timeout` does not keep the signal of an ended read in memory.
 */
export function makeReadingSignal(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

/**
 * Like {@link makeReadingSignal}, but also aborts when the caller disconnects. For work that can be shared or dropped.
 */
export function makeRequestSignal(request: { readonly signal: AbortSignal }): AbortSignal {
  return AbortSignal.any([request.signal, makeReadingSignal()])
}
