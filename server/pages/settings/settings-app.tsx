// The page below its heading: the head of `main`, webhooks and chats, deliveries, and changes.
import { useCallback, useState } from 'preact/hooks'
import { AuditList } from './audit-list.tsx'
import type { Receiver } from './receiver.ts'
import { ReceiverSection } from './receivers/receiver-section.tsx'
import type { DeliverySelection } from './deliveries/delivery-filter.tsx'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import { type Floe, useFloe } from './floe.ts'
import { HeadPanel } from './head-panel.tsx'
import { explainFailure, isConnectionLost } from './parts/failure.tsx'
import { NowContext } from './parts/moment.tsx'
import { NoticeBoard } from './parts/notice-board.tsx'
import { usePolling } from './parts/use-polling.ts'

const pollMs = 5_000

const everything: DeliverySelection = {}

async function loadOverview({ client, repo }: Floe, signal: AbortSignal) {
  const [repository, webhooks, chats] = await Promise.all([
    client.repositories.get({ repo }, { signal }),
    client.webhooks.list({ repo }, { signal }),
    client.chats.list({ repo }, { signal }),
  ])
  const receivers: readonly Receiver[] = [
    ...webhooks.items.map((webhook) => ({ kind: 'webhook' as const, ...webhook })),
    ...chats.items.map((chat) => ({ kind: 'chat' as const, ...chat })),
  ]
  return { repository, receivers, loadedAt: Date.now() }
}

export function SettingsApp() {
  const floe = useFloe()
  const { data, error, refresh } = usePolling(
    useCallback((signal) => loadOverview(floe, signal), [floe]),
    pollMs,
  )
  const [selection, select] = useState(everything)
  const showDeliveries = (id: string) => {
    select({ receiver: id })
    document.getElementById('deliveries')?.focus()
  }
  return (
    <NowContext.Provider value={data?.loadedAt ?? 0}>
      <NoticeBoard>
        <ConnectionBanner error={error} isLoaded={data !== undefined} />
        {data && (
          <>
            <HeadPanel repository={data.repository} onCheck={refresh} />
            {(['webhook', 'chat'] as const).map((kind) => (
              <ReceiverSection
                key={kind}
                kind={kind}
                receivers={data.receivers.filter((receiver) => receiver.kind === kind)}
                onChange={refresh}
                onShowDeliveries={showDeliveries}
              />
            ))}
            <DeliveryLog
              receivers={data.receivers}
              selection={isPresent(selection.receiver, data.receivers) ? selection : everything}
              onSelect={select}
            />
            <AuditList />
          </>
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

/** Whether the selected receiver still exists; it may have been deleted. */
function isPresent(id: string | undefined, receivers: readonly Receiver[]): boolean {
  return id === undefined || receivers.some((receiver) => receiver.id === id)
}
