import { explainFailure, isConnectionLost } from './failure.tsx'

type ConnectionBannerProps = {
  /** The error of the last poll. */
  readonly error: unknown
  /** Whether the page shows data that may be out of date. */
  readonly isLoaded: boolean
}

/** Says that the page cannot reach the service; disappears when it can again. */
export function ConnectionBanner({ error, isLoaded }: ConnectionBannerProps) {
  return (
    <div role="status" class="connection">
      {error !== undefined && (
        <p class="banner">
          <strong>{isConnectionLost(error) ? 'Connection lost, retrying.' : explainFailure(error)}</strong>{' '}
          {isLoaded && 'What you see may be out of date.'}
        </p>
      )}
      {error === undefined && !isLoaded && <p class="note">Loading…</p>}
    </div>
  )
}
