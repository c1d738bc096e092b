import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { isConnectionLost } from './failure.tsx'
import { NowContext } from './moment.tsx'

export type Action = ReturnType<typeof useAction>

/**
 * Runs an action of the user, returns its error until the next run, and ignores further clicks while it runs. That the service did not answer
 * is said until a poll gets an answer.
 */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const loadedAt = useContext(NowContext)
  useEffect(() => setError((last: unknown) => (isConnectionLost(last) ? undefined : last)), [loadedAt])
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
