import { useCallback, useRef, useState } from 'preact/hooks'

/** An action of the user's, one at a time. */
export type Action = {
  readonly isBusy: boolean
  /** What the last run failed with. */
  readonly error: unknown
  readonly run: (action: () => Promise<void>) => void
}

/** Runs actions, keeps what went wrong, and ignores a second click while the first is under way. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // Known at once, unlike the state, which the next drawing brings.
  const isRunning = useRef(false)
  const run = useCallback((action: () => Promise<void>) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    void action()
      .catch((reason: unknown) => setError(() => reason))
      .finally(() => {
        isRunning.current = false
        setBusy(false)
      })
  }, [])
  return { isBusy, error, run }
}
