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
  const counts = `Last 24 hours: ${accepted} accepted, ${failed} failed`
  return median_ms === null ? counts : `${counts}, median ${median_ms} ms`
}
