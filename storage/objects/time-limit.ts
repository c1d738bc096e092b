/**
 * The result of `ask`, or what `timeout` gives when it takes longer, or the signal's reason when that comes first:
 * whatever is made of the signal that `ask` gets.
 */
export async function within<T>(
  limitMs: number,
  signal: AbortSignal,
  timeout: () => Error,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.any: on a signal that lives long, it would leave a trace of each call until garbage collection.
  const attempt = new AbortController()
  const leave = () => attempt.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', leave)
  const timer = setTimeout(() => attempt.abort(timeout()), limitMs)
  try {
    return await untilAborted(ask(attempt.signal), attempt.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** The promise's result, or the signal's reason when that comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  // Signals may abort with any value, by default an AbortError; it is passed on as it is.
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
