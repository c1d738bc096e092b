import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut } from './failure.tsx'

/** The state of polling. */
export type Polling<Data> = {
  /** The newest answer; kept while later requests fail. */
  readonly data: Data | undefined
  /** Whether `data` is what the present `load` answered; false until its first answer. */
  readonly isCurrent: boolean
  /** The error of the last request; undefined when it succeeded. */
  readonly error: unknown
  /** Loads now. */
  readonly refresh: () => void
}

/** Loads at once, again each `everyMs` milliseconds while the page is visible, and when the page or the network comes back. */
export function usePolling<Data>(load: (signal: AbortSignal) => Promise<Data>, everyMs: number): Polling<Data> {
  const [answered, setAnswered] = useState<{ readonly load: unknown; readonly data: Data }>()
  const [error, setError] = useState<unknown>()
  const poll = useRef(() => {})

  useEffect(() => {
    let timer = 0
    let current = new AbortController()
    const look = async ({ signal }: AbortController) => {
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
    poll.current = () => {
      clearTimeout(timer)
      current.abort()
      current = new AbortController()
      void look(current)
    }
    const onVisibility = () => {
      if (document.hidden) clearTimeout(timer)
      else poll.current()
    }
    const onOnline = () => poll.current()
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('online', onOnline)
    poll.current()
    return () => {
      clearTimeout(timer)
      current.abort()
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('online', onOnline)
    }
  }, [load, everyMs])

  const refresh = useCallback(() => poll.current(), [])
  return { data: answered?.data, isCurrent: answered?.load === load, error, refresh }
}
