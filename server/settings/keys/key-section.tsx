import { usePages } from '../hooks/use-pages.ts'
import { RecordSection } from '../records/record-section.tsx'
import type { KeyCalls } from '../settings-scope.ts'
import { KeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'

/** The API keys of the organisation, including revoked and expired ones. */
export function KeySection({ keys }: { readonly keys: KeyCalls }) {
  const { items, refresh, ...pages } = usePages(keys.listPage)
  const names = new Map(items?.map(({ id, name }) => [id, name]))
  return (
    <RecordSection
      id="keys"
      title="API keys"
      add="Create API key"
      renderForm={(onClose) => <KeyForm keys={keys} onChange={refresh} onClose={onClose} />}
      pages={pages}
    >
      {items?.map((key) => {
        const creator = key.created_by === null ? undefined : (names.get(key.created_by) ?? key.created_by)
        return <KeyRow key={key.id} apiKey={key} creator={creator} keys={keys} onChange={refresh} />
      })}
    </RecordSection>
  )
}
