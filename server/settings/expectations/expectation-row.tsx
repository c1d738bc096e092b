import type { Expectation } from '@floe/client'
import { useContext, useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { RecordRow } from '../components/record-row.tsx'
import { NowContext } from '../hooks/now-context.ts'
import type { ExpectationCalls } from '../settings-scope.ts'
import { ExpectationForm, type SavedExpectation } from './expectation-form.tsx'

type ExpectationRowProps = {
  readonly calls: ExpectationCalls
  readonly expectation: Expectation
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
}

/** An expectation with its state. */
export function ExpectationRow({ calls, expectation, beforeRemoval }: ExpectationRowProps) {
  const { id, branch, path, max_age, declared } = expectation
  const [edited, setEdited] = useState<SavedExpectation>()
  const edit = async () => {
    const { value, etag } = await calls.get({ id })
    setEdited({ expectation: value, etag })
  }
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
          <p class="scope">A commit at least every {max_age}</p>
        </>
      }
      state={<ExpectationState expectation={expectation} />}
      isDeclared={declared}
      onEdit={edit}
      onDelete={() => calls.delete({ id })}
      deletion="Nobody is told any more when the branch is late. No event is sent for the deletion."
      beforeRemoval={beforeRemoval}
    >
      {edited && <ExpectationForm calls={calls} saved={edited} onClose={() => setEdited(undefined)} />}
    </RecordRow>
  )
}

/** Says whether the branch is late, when it was updated last, and until when it is in time. */
function ExpectationState({ expectation }: { readonly expectation: Expectation }) {
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
