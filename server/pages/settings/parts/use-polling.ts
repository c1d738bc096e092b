import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut } from './failure.tsx'

/**
 * Loads at once, again each `everyMs` milliseconds while the page is visible, and when the page or the network comes back. `data` stays
 * while later requests fail. `isCurrent` is false while `data` comes from an earlier `load`.
 */
export function usePolling<Data>(load: (signal: AbortSignal) => Promise<Data>, everyMs: number) {
  const [answered, setAnswered] = useState<{ readonly load: unknown; readonly data: Data }>()
  const [error, setError] = useState<unknown>()
  const poll = useRef(() => {})

  useEffect(() => {
    const ended = new AbortController()
    let timer = 0
    let current = new AbortController()
    const request = async (signal: AbortSignal) => {
      try {
        const data = await load(signal)
        if (signal.aborted) return
        setAnswered({ load, data })
        setError(undefined)
      } catch (reason) {
        if (signal.aborted) return
        setError(() => reason)
        // Each further request would open the browser's log-in window.
        if (isSignedOut(reason)) return
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
    document.addEventListener('visibilitychange', onVisibility, ended)
    addEventListener('online', () => poll.current(), ended)
    poll.current()
    return () => {
      stop()
      ended.abort()
    }
  }, [load, everyMs])

  const refresh = useCallback(() => poll.current(), [])
  return { data: answered?.data, isCurrent: answered?.load === load, error, refresh }
}
