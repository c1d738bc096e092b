import type { DeliveryRates as Rates } from '@floe/client'
import { useCallback } from 'preact/hooks'
import { usePolling } from '../hooks/use-polling.ts'
import { useSettings } from '../settings-context.ts'

const pollMs = 10_000

/** How many deliveries of the last day were accepted and failed, and how long they took. */
export function DeliveryRates() {
  const { scope } = useSettings()
  const { data } = usePolling(
    useCallback((signal) => scope.deliveries.rates({ signal }), [scope]),
    pollMs,
  )
  if (data === undefined || data.accepted + data.failed === 0) return null
  return <p class="note">{describeRates(data)}</p>
}

function describeRates({ accepted, failed, median_ms }: Rates): string {
  const counts = `Last 24 hours: ${accepted.toLocaleString('en')} accepted, ${failed.toLocaleString('en')} failed`
  return median_ms === null ? counts : `${counts}; half were accepted within ${formatDuration(median_ms)}`
}

function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  return `${(ms / 1_000).toLocaleString('en', { maximumSignificantDigits: 3 })} s`
}
