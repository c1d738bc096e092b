import type { Expectation, Versioned } from '@floe/client'
import { useContext, useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { RecordRow } from '../components/record-row.tsx'
import { NowContext } from '../hooks/now-context.ts'
import type { ExpectationCalls } from '../settings-scope.ts'
import { ExpectationForm } from './expectation-form.tsx'

type ExpectationRowProps = {
  readonly calls: ExpectationCalls
  readonly expectation: Expectation
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
}

/** An expectation with its state. */
export function ExpectationRow({ calls, expectation, beforeRemoval }: ExpectationRowProps) {
  const { id, branch, path, max_age: maxAge, written, declared } = expectation
  const [edited, setEdited] = useState<Versioned<Expectation>>()
  return (
    <RecordRow
      name={`the expectation for ${path === null ? branch : `${path} on ${branch}`}`}
      identity={
        <>
          <h3>{branch}</h3>
          {path !== null && (
            <p class="address">
              <code>{path}</code>
            </p>
          )}
          <p class="scope">
            {written === null
              ? `A commit at least every ${maxAge}`
              : `${showShare(written)} of the chunks of each array written`}
          </p>
        </>
      }
      state={written === null ? <Freshness expectation={expectation} /> : <Completeness expectation={expectation} />}
      isDeclared={declared}
      onEdit={async () => setEdited(await calls.get({ id }))}
      onDelete={() => calls.delete({ id })}
      deletion="Nobody is told any more when the branch does not meet it. No event is sent for the deletion."
      beforeRemoval={beforeRemoval}
    >
      {edited && <ExpectationForm calls={calls} saved={edited} onClose={() => setEdited(undefined)} />}
    </RecordRow>
  )
}

function showShare(share: number): string {
  return share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 3 })
}

/** Says whether the branch is late, when it was updated last, and until when it is in time. */
function Freshness({ expectation }: { readonly expectation: Expectation }) {
  const { last_commit_at, due_at, stale_since } = expectation
  const now = useContext(NowContext)
  return (
    <div class="state">
      {due_at === null ? (
        <Badge tone="waiting">Not checked yet</Badge>
      ) : (
        <Badge tone={stale_since === null ? 'good' : 'bad'}>{stale_since === null ? 'In time' : 'Late'}</Badge>
      )}
      {last_commit_at !== null && (
        <p>
          Last commit <Moment at={last_commit_at} />
        </p>
      )}
      {stale_since !== null && (
        <p>
          Late since <Moment at={stale_since} />
        </p>
      )}
      {stale_since === null && due_at !== null && Date.parse(due_at) > now && (
        <p>
          Due <Upcoming at={due_at} />
        </p>
      )}
    </div>
  )
}

/** Says whether enough chunks are written, and which arrays have fewer. */
function Completeness({ expectation }: { readonly expectation: Expectation }) {
  const { snapshot_id, incomplete_since, arrays, incomplete_arrays, unknown_reason } = expectation
  const left = incomplete_arrays - arrays.length
  return (
    <div class="state">
      {incomplete_since !== null ? (
        <Badge tone="bad">Fewer written</Badge>
      ) : unknown_reason !== null ? (
        <Badge tone="waiting">Unknown</Badge>
      ) : snapshot_id === null ? (
        <Badge tone="waiting">Not checked yet</Badge>
      ) : (
        <Badge tone="good">Enough written</Badge>
      )}
      {incomplete_since !== null && (
        <p>
          Since <Moment at={incomplete_since} />
        </p>
      )}
      {arrays.map(({ path, chunks: { written, total } }) => (
        <p key={path}>
          <code>{path}</code> {written.toLocaleString('en')} of {total.toLocaleString('en')}
        </p>
      ))}
      {left > 0 && <p>and {left.toLocaleString('en')} more</p>}
      {unknown_reason !== null && <p>The last head could not be judged: {unknown_reason}</p>}
    </div>
  )
}
