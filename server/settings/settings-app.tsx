// The page below its heading: the head of a repository; webhooks, chats, expectations and deliveries; the API keys and
// the sessions of an organisation; and the audit log.
import { receiverKinds } from '@floe/contract/lists'
import { useCallback, useMemo, useState } from 'preact/hooks'
import { AuditLog } from './audit-log.tsx'
import { ReceiverSection } from './receivers/receiver-section.tsx'
import { NoticeBoard } from './components/notice-board.tsx'
import { DeliveryLog, type DeliveryQuery } from './deliveries/delivery-log.tsx'
import { ExpectationSection } from './expectations/expectation-section.tsx'
import { explainFailure, isConnectionLost } from './failures.ts'
import { HeadPanel } from './head-panel.tsx'
import { NowContext } from './hooks/now-context.ts'
import { usePolling } from './hooks/use-polling.ts'
import { KeySection } from './keys/key-section.tsx'
import { SessionSection } from './session-section.tsx'
import { SettingsContext } from './settings-context.ts'
import type { SettingsScope } from './settings-scope.ts'

const pollMs = 5_000

const allDeliveries: DeliveryQuery = {}

type SettingsAppProps = { readonly scope: SettingsScope }

async function loadOverview(scope: SettingsScope, signal: AbortSignal) {
  const [repository, receivers, expectations] = await Promise.all([
    scope.head?.get({ signal }),
    scope.receivers.list({ signal }),
    scope.expectations.list({ signal }),
  ])
  return { repository, receivers: receivers.items, expectations: expectations.items, loadedAt: Date.now() }
}

/** The whole page below its heading. */
export function SettingsApp({ scope }: SettingsAppProps) {
  const { data, error, refresh } = usePolling(
    useCallback((signal) => loadOverview(scope, signal), [scope]),
    pollMs,
  )
  const settings = useMemo(() => ({ scope, refresh }), [scope, refresh])
  const [query, setQuery] = useState(allDeliveries)
  const { receiver } = query
  const showDeliveries = (id: string) => {
    setQuery({ receiver: id })
    document.getElementById('deliveries')?.focus()
  }
  return (
    <NowContext.Provider value={data?.loadedAt ?? 0}>
      <NoticeBoard>
        <ConnectionBanner error={error} isLoaded={data !== undefined} />
        {data && (
          <SettingsContext.Provider value={settings}>
            {scope.head && data.repository && <HeadPanel head={scope.head} repository={data.repository} />}
            {receiverKinds.map((kind) => (
              <ReceiverSection
                key={kind}
                kind={kind}
                receivers={data.receivers.filter((receiver) => receiver.kind === kind)}
                onShowDeliveries={showDeliveries}
              />
            ))}
            <ExpectationSection expectations={data.expectations} receivers={data.receivers} />
            <DeliveryLog
              receivers={data.receivers}
              // The receiver of the query may have been deleted.
              query={!receiver || data.receivers.some(({ id }) => id === receiver) ? query : allDeliveries}
              onQuery={setQuery}
            />
            {scope.keys && <KeySection keys={scope.keys} />}
            {scope.sessions && <SessionSection sessions={scope.sessions} />}
            <AuditLog />
          </SettingsContext.Provider>
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
