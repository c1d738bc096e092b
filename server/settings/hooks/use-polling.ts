import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut } from '../failures.ts'

/**
 * Loads at once, then every `everyMs` milliseconds while the page is visible, and when the page becomes visible or the
 * network returns. `data` stays while later requests fail. `isCurrent` is false while `data` is the answer of an
 * earlier `load` function.
 */
export function usePolling<Data>(load: (signal: AbortSignal) => Promise<Data>, everyMs: number) {
  const [answer, setAnswer] = useState<{ readonly load: unknown; readonly data: Data }>()
  const [error, setError] = useState<unknown>()
  const poll = useRef(() => {})

  useEffect(() => {
    const listening = new AbortController()
    let timer = 0
    let current = new AbortController()
    const request = async (signal: AbortSignal) => {
      try {
        const data = await load(signal)
        if (signal.aborted) return
        setAnswer({ load, data })
        setError(undefined)
      } catch (reason) {
        if (signal.aborted) return
        setError(() => reason)
        // Every further request would open the browser's log-in window.
        if (isSignedOut(reason)) {
          listening.abort()
          return
        }
      }
      if (!document.hidden) timer = setTimeout(poll.current, everyMs)
    }
    const stop = () => {
      clearTimeout(timer)
      current.abort()
    }
    poll.current = () => {
      stop()
      current = new AbortController()
      void request(current.signal)
    }
    const onVisibility = () => (document.hidden ? clearTimeout(timer) : poll.current())
    document.addEventListener('visibilitychange', onVisibility, listening)
    addEventListener('online', () => poll.current(), listening)
    poll.current()
    return () => {
      stop()
      listening.abort()
      // An action that ends after its component is gone still calls `refresh`.
      poll.current = () => {}
    }
  }, [load, everyMs])

  const refresh = useCallback(() => poll.current(), [])
  return { data: answer?.data, isCurrent: answer?.load === load, error, refresh }
}
