import { ReadingTimeoutError } from '../problems/reading-problem.ts'

/** How long the reads for one answer may take together, in milliseconds. */
const readingTimeoutMs = 30_000

type After = (ms: number, callback: () => void) => unknown

/** Unlike the timer of `Timing`, it does not keep the process running. */
const systemAfter: After = (ms, callback) => setTimeout(callback, ms).unref()

/**
 * Makes a signal that aborts a slow read with a {@link ReadingTimeoutError}. It outlives the request, because other
 * requests may wait for the same read.
 */
export function makeReadingSignal(after: After = systemAfter): AbortSignal {
  const controller = new AbortController()
  after(readingTimeoutMs, () => controller.abort(new ReadingTimeoutError(readingTimeoutMs)))
  return controller.signal
}

/**
 * Like {@link makeReadingSignal}, but also aborts when the caller disconnects. For work that can be shared or dropped.
 */
export function makeRequestSignal(request: { readonly signal: AbortSignal }): AbortSignal {
  return AbortSignal.any([request.signal, makeReadingSignal()])
}
