import type { AuditEntry } from '@floe/contract'
import { useCallback, useState } from 'preact/hooks'
import { FailureNote } from './parts/failure.tsx'
import { useFloe } from './floe.ts'
import { Moment } from './parts/moment.tsx'
import { Pages } from './parts/pages.tsx'
import { usePolling } from './parts/use-polling.ts'

const pollMs = 5_000
const pageSize = 20

/** Who changed what. Entries are loaded only while the list is unfolded. */
export function AuditList() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Changes</h2>
      </summary>
      {isOpen && <Entries />}
    </details>
  )
}

function Entries() {
  const { place } = useFloe()
  const [before, setBefore] = useState<string>()
  const { data, isCurrent, error } = usePolling(
    useCallback((signal) => place.auditPage({ before, limit: pageSize }, { signal }), [place, before]),
    pollMs,
  )
  return (
    <>
      {!isCurrent && <FailureNote error={error} />}
      {data?.items.length === 0 && <p class="empty">No changes yet.</p>}
      <ol class="audit">
        {data?.items.map((entry) => (
          <li key={entry.id}>
            <Entry {...entry} isNamed={place.noun === 'organisation'} />
          </li>
        ))}
      </ol>
      {data && <Pages of="changes" before={before} next={isCurrent ? data.next : undefined} onTurn={setBefore} />}
    </>
  )
}

type EntryProps = AuditEntry & {
  /** Whether the repository is named. */
  readonly isNamed: boolean
}

function Entry({ at, repo_name, key_id, key_name, action, before, after, isNamed }: EntryProps) {
  // Of a receiver, or of an API key.
  const named = after ?? before ?? {}
  const name = named['alias'] ?? named['name']
  return (
    <>
      <p>
        <code>{action}</code> {typeof name === 'string' && <strong>{name}</strong>}{' '}
        {isNamed && repo_name !== null && <>in {repo_name}</>}
      </p>
      <p class="changed">{before && after ? listChangedMembers(before, after).join(', ') : describeOutcome(after)}</p>
      <p class="note">
        by API key {key_name !== null && <strong>{key_name}</strong>} <code>{key_id}</code>, <Moment at={at} />
      </p>
    </>
  )
}

type Members = NonNullable<AuditEntry['before']>

/** The URL and the result of a test; undefined for other actions. */
function describeOutcome(after: AuditEntry['after']): string | undefined {
  if (after === null || !('ok' in after)) return undefined
  const { url, status, error } = after
  return `${String(url)}: ${typeof error === 'string' ? error : `answered ${String(status)}`}`
}

const maxValueLength = 60

function listChangedMembers(before: Members, after: Members): string[] {
  const text = (value: unknown) => JSON.stringify(value) ?? 'none'
  return Object.keys({ ...before, ...after })
    .map((name) => ({ name, from: text(before[name]), to: text(after[name]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name}: ${from.slice(0, maxValueLength)} → ${to.slice(0, maxValueLength)}`)
}
