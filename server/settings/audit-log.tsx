import type { AuditEntry } from '@floe/client'
import { useState } from 'preact/hooks'
import { Moment } from './components/moment.tsx'
import { PageButtons } from './components/page-buttons.tsx'
import { usePages } from './hooks/use-pages.ts'
import { useSettings } from './settings-context.ts'

/** Who changed what. Entries are loaded only while the section is unfolded. */
export function AuditLog() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Audit log</h2>
      </summary>
      {isOpen && <Entries />}
    </details>
  )
}

function Entries() {
  const { scope } = useSettings()
  const { items, ...pages } = usePages(scope.auditPage)
  return (
    <>
      {items?.length === 0 && <p class="empty">No entries yet.</p>}
      <ol class="audit">
        {items?.map((entry) => (
          <li key={entry.id}>
            <Entry {...entry} showsRepository={scope.kind === 'organisation'} />
          </li>
        ))}
      </ol>
      <PageButtons of="the audit log" pages={pages} />
    </>
  )
}

type EntryProps = AuditEntry & { readonly showsRepository: boolean }

function Entry({ at, repo_name, key_id, key_name, action, before, after, showsRepository }: EntryProps) {
  // A receiver has an alias, an API key has a name, an expectation has a branch, and perhaps an alias, and a check has
  // a name and a snapshot.
  const subject = after ?? before ?? {}
  const name = subject['alias'] ?? subject['name'] ?? subject['branch']
  const snapshot = subject['snapshot_id']
  return (
    <>
      <p>
        <code>{action}</code> {typeof name === 'string' && <strong>{name}</strong>}{' '}
        {typeof snapshot === 'string' && (
          <>
            of <code>{snapshot}</code>{' '}
          </>
        )}
        {showsRepository && repo_name !== null && <>in {repo_name}</>}
      </p>
      <p class="changed">{before && after ? listChangedFields(before, after).join(', ') : describeTest(after)}</p>
      <p class="note">
        by API key {key_name !== null && <strong>{key_name}</strong>} <code>{key_id}</code>, <Moment at={at} />
      </p>
    </>
  )
}

type Fields = NonNullable<AuditEntry['before']>

/** The URL and the result of a test; undefined for other actions. */
function describeTest(after: AuditEntry['after']): string | undefined {
  if (after === null || !('ok' in after)) return undefined
  const { url, status, error } = after
  return `${String(url)}: ${typeof error === 'string' ? error : `answered ${String(status)}`}`
}

/** Longer values are cut, in characters. */
const maxValueLength = 60

/** Lists what changed, such as `enabled: true → false`. */
function listChangedFields(before: Fields, after: Fields): string[] {
  const text = (value: unknown) => JSON.stringify(value) ?? 'none'
  return Object.keys({ ...before, ...after })
    .map((name) => ({ name, from: text(before[name]), to: text(after[name]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name}: ${from.slice(0, maxValueLength)} → ${to.slice(0, maxValueLength)}`)
}
