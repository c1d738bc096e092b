import { useCallback, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { useLostFocus } from '../components/use-lost-focus.ts'
import { usePolling } from '../hooks/use-polling.ts'
import type { KeyCalls } from '../settings-scope.ts'
import { KeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'

const pollMs = 5_000
const pageSize = 20

/** The API keys of the organisation, including revoked and expired ones. */
export function KeySection({ keys }: { readonly keys: KeyCalls }) {
  const [before, setBefore] = useState<string>()
  const { data, isCurrent, error, refresh } = usePolling(
    useCallback((signal) => keys.listPage({ before, limit: pageSize }, { signal }), [keys, before]),
    pollMs,
  )
  const [isCreating, setCreating] = useState(false)
  const { heading, beforeRemoval } = useLostFocus(data)
  const names = new Map(data?.items.map(({ id, name }) => [id, name]))
  return (
    <section class="part" aria-labelledby="keys">
      <div class="part-head">
        <h2 id="keys" ref={heading} tabIndex={-1}>
          API keys
        </h2>
        <Button onClick={() => setCreating(true)}>Create API key</Button>
      </div>
      {!isCurrent && <FailureNote error={error} />}
      <ul>
        {data?.items.map((key) => {
          const creator = key.created_by === null ? undefined : (names.get(key.created_by) ?? key.created_by)
          return (
            <KeyRow
              key={key.id}
              apiKey={key}
              creator={creator}
              keys={keys}
              onChange={refresh}
              beforeRemoval={beforeRemoval}
            />
          )
        })}
      </ul>
      {data && (
        <PageButtons of="API keys" before={before} next={isCurrent ? data.next : undefined} onTurn={setBefore} />
      )}
      {isCreating && <KeyForm keys={keys} onChange={refresh} onClose={() => setCreating(false)} />}
    </section>
  )
}
