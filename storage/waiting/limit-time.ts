/**
 * Calls `run` and returns its result. Throws the error from `timeout` after `limitMs` milliseconds, or the reason of
 * `signal` if that aborts first. It then stops waiting, even if `run` ignores its signal.
 */
export async function limitTime<T>(
  limitMs: number,
  signal: AbortSignal,
  timeout: () => Error,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.any, which leaves an entry on a long-lived signal for each call until garbage collection.
  const limited = new AbortController()
  const leave = () => limited.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', leave)
  const timer = setTimeout(() => limited.abort(timeout()), limitMs)
  try {
    return await waitOrAbort(run(limited.signal), limited.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** Waits for a promise. Throws the reason of the signal if that aborts first. */
export async function waitOrAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  // A signal can abort with any value. Pass it on unchanged.
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
