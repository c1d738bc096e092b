import { failureText, isConnectionLost } from './failure.tsx'

type ConnectionBannerProps = {
  /** What the last look failed with. */
  readonly error: unknown
  /** Whether there is something on the page that may be old. */
  readonly isLoaded: boolean
}

/** Says that the page cannot reach the service, and goes when it can again. */
export function ConnectionBanner({ error, isLoaded }: ConnectionBannerProps) {
  return (
    <div role="status" class="connection">
      {error !== undefined && (
        <p class="banner">
          <strong>{isConnectionLost(error) ? 'Connection lost, retrying.' : failureText(error)}</strong>{' '}
          {isLoaded && 'What you see may be out of date.'}
        </p>
      )}
      {error === undefined && !isLoaded && <p class="note">Loading…</p>}
    </div>
  )
}
