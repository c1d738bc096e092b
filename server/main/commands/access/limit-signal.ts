/** A command took longer than it may. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError'
}

/** Time limit of a command that reads one location, in milliseconds. */
const oneLocationMs = 60_000

/**
 * Returns a signal that aborts when `stop` does, or at a time limit; then its reason is a {@link TimeLimitError}.
 *
 * @param advice what the message says behind the limit
 */
export function limitSignal(stop: AbortSignal, timeoutMs = oneLocationMs, advice = ''): AbortSignal {
  const limit = new AbortController()
  const limitText = timeoutMs > 60_000 ? `${timeoutMs / 60_000} minutes` : `${timeoutMs / 1_000} s`
  // This timer does not keep the process, as one of `setTimeout` would.
  AbortSignal.timeout(timeoutMs).addEventListener('abort', () =>
    limit.abort(new TimeLimitError(`reading took longer than ${limitText}${advice}`)),
  )
  return AbortSignal.any([stop, limit.signal])
}
