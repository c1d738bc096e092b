import { useCallback, useRef, useState } from 'preact/hooks'

export type Action = ReturnType<typeof useAction>

/** Runs an action of the user, ignores further clicks meanwhile, and keeps its error until the next run or `clear`. */
export function useAction() {
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
  const clear = useCallback(() => setError(undefined), [])
  return { isBusy, error, run, clear }
}
