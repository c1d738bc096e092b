// The page below its heading: the head of a repository's `main`, webhooks and chats, deliveries, API keys of an organisation, and changes.
import { useCallback, useMemo, useState } from 'preact/hooks'
import { AuditList } from './audit-list.tsx'
import type { Receiver } from './receiver.ts'
import { ReceiverSection } from './receivers/receiver-section.tsx'
import { DeliveryLog, type DeliverySelection } from './deliveries/delivery-log.tsx'
import { FloeContext } from './floe.ts'
import { HeadPanel } from './head-panel.tsx'
import { KeySection } from './keys/key-section.tsx'
import { explainFailure, isConnectionLost } from './parts/failure.tsx'
import { NowContext } from './parts/moment.tsx'
import { NoticeBoard } from './parts/notice-board.tsx'
import { usePolling } from './parts/use-polling.ts'
import type { Place } from './place.ts'

const pollMs = 5_000

const everything: DeliverySelection = {}

type SettingsAppProps = { readonly place: Place }

async function loadOverview({ head, webhooks, chats }: Place, signal: AbortSignal) {
  const [repository, listedWebhooks, listedChats] = await Promise.all([
    head?.get({ signal }),
    webhooks.list({ signal }),
    chats.list({ signal }),
  ])
  const receivers: readonly Receiver[] = [
    ...listedWebhooks.items.map((webhook) => ({ kind: 'webhook' as const, ...webhook })),
    ...listedChats.items.map((chat) => ({ kind: 'chat' as const, ...chat })),
  ]
  return { repository, receivers, loadedAt: Date.now() }
}

export function SettingsApp({ place }: SettingsAppProps) {
  const { data, error, refresh } = usePolling(
    useCallback((signal) => loadOverview(place, signal), [place]),
    pollMs,
  )
  const floe = useMemo(() => ({ place, refresh }), [place, refresh])
  const [selection, select] = useState(everything)
  const { receiver } = selection
  const showDeliveries = (id: string) => {
    select({ receiver: id })
    document.getElementById('deliveries')?.focus()
  }
  return (
    <NowContext.Provider value={data?.loadedAt ?? 0}>
      <NoticeBoard>
        <ConnectionBanner error={error} isLoaded={data !== undefined} />
        {data && (
          <FloeContext.Provider value={floe}>
            {place.head && data.repository && <HeadPanel head={place.head} repository={data.repository} />}
            {(['webhook', 'chat'] as const).map((kind) => (
              <ReceiverSection
                key={kind}
                kind={kind}
                receivers={data.receivers.filter((one) => one.kind === kind)}
                onShowDeliveries={showDeliveries}
              />
            ))}
            <DeliveryLog
              receivers={data.receivers}
              // The selected receiver may have been deleted.
              selection={!receiver || data.receivers.some(({ id }) => id === receiver) ? selection : everything}
              onSelect={select}
            />
            {place.keys && <KeySection keys={place.keys} />}
            <AuditList />
          </FloeContext.Provider>
        )}
      </NoticeBoard>
    </NowContext.Provider>
  )
}

/** Says that the page cannot reach the service; disappears when it can again. */
function ConnectionBanner({ error, isLoaded }: { readonly error: unknown; readonly isLoaded: boolean }) {
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
