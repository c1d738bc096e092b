import type { ComponentChildren } from 'preact'
import { Badge } from './badge.tsx'

type ExchangeProps = {
  readonly status: number | null
  readonly duration_ms: number
  /** Why the request failed; null when it succeeded. */
  readonly error: string | null
  readonly response_excerpt: string | null
  readonly children?: ComponentChildren
}

/** A request to a receiver: its outcome, its duration, and the start of the answer's body. */
export function Exchange({ status, duration_ms, error, response_excerpt, children }: ExchangeProps) {
  return (
    <>
      <p class="exchange">
        <Badge tone={error === null ? 'good' : 'bad'}>{error ?? `answered ${status}`}</Badge>
        <span>
          {duration_ms.toLocaleString('en')} ms{children}
        </span>
      </p>
      {response_excerpt !== null && response_excerpt !== '' && (
        <pre tabIndex={0} aria-label="Body of the answer">
          {response_excerpt}
        </pre>
      )}
    </>
  )
}
