import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { isConnectionLost } from '../failures.ts'
import { NowContext } from './now-context.ts'

export type Action = ReturnType<typeof useAction>

/**
 * Runs an action of the user and ignores further clicks while it runs. Its error is shown until the next run or
 * `clear`; the error that the service did not answer is shown until a poll gets an answer.
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
  const clear = useCallback(() => setError(undefined), [])
  return { isBusy, error, run, clear }
}
