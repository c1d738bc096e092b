import { useCallback, useRef, useState } from 'preact/hooks'

/** The state of an action that the user starts. */
export type Action = {
  readonly isBusy: boolean
  /** The error of the last run. */
  readonly error: unknown
  readonly run: (action: () => Promise<void>) => void
}

/** Runs an action, keeps its error, and ignores further clicks while it runs. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // A ref changes at once; state changes only with the next rendering.
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
