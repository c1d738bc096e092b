import type { DeliveryRates as Rates } from '@floe/client'
import { useCallback, useContext } from 'preact/hooks'
import { Moment } from '../components/moment.tsx'
import { NowContext } from '../hooks/now-context.ts'
import { usePolling } from '../hooks/use-polling.ts'
import { useSettings } from '../settings-context.ts'

const pollMs = 10_000

/** If the counted time is shorter, in milliseconds, there were more deliveries than Floe counts. */
const minDayMs = 23 * 3_600_000

/** How many deliveries of the last day, or of the newest, were accepted and failed, and how long they took. */
export function DeliveryRates() {
  const now = useContext(NowContext)
  const { scope } = useSettings()
  const { data } = usePolling(
    useCallback((signal) => scope.deliveries.rates({ signal }), [scope]),
    pollMs,
  )
  if (data === undefined || data.accepted + data.failed === 0) return null
  const isDay = now - Date.parse(data.since) > minDayMs
  return (
    <p class="note">
      {isDay ? (
        'Last 24 hours'
      ) : (
        <>
          Since <Moment at={data.since} />
        </>
      )}
      : {describeRates(data)}
    </p>
  )
}

function describeRates({ accepted, failed, median_ms }: Rates): string {
  const counts = `${accepted} accepted, ${failed} failed`
  return median_ms === null ? counts : `${counts}, median ${median_ms} ms`
}
