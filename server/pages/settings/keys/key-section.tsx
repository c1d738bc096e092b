import { useCallback, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { Pages } from '../parts/pages.tsx'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import { usePolling } from '../parts/use-polling.ts'
import type { KeyCalls } from '../place.ts'
import { KeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'

const pollMs = 5_000
const pageSize = 20

/** The API keys of the organisation, including those that were revoked or have expired. */
export function KeySection({ keys }: { readonly keys: KeyCalls }) {
  const [before, setBefore] = useState<string>()
  const { data, isCurrent, error, refresh } = usePolling(
    useCallback((signal) => keys.listPage({ before, limit: pageSize }, { signal }), [keys, before]),
    pollMs,
  )
  const [isCreating, setCreating] = useState(false)
  const { heading, leave } = useLostFocus(data)
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
          const maker = key.created_by === null ? undefined : (names.get(key.created_by) ?? key.created_by)
          return <KeyRow key={key.id} apiKey={key} maker={maker} keys={keys} onChange={refresh} onGone={leave} />
        })}
      </ul>
      {data && <Pages of="API keys" before={before} next={isCurrent ? data.next : undefined} onTurn={setBefore} />}
      {isCreating && <KeyForm keys={keys} onChange={refresh} onClose={() => setCreating(false)} />}
    </section>
  )
}
