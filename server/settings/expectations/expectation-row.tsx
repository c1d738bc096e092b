import type { Expectation } from '@floe/client'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { NowContext } from '../hooks/now-context.ts'
import { useAction } from '../hooks/use-action.ts'
import { useSettings } from '../settings-context.ts'
import type { ExpectationCalls } from '../settings-scope.ts'
import { ExpectationForm, type SavedExpectation } from './expectation-form.tsx'

type ExpectationRowProps = {
  readonly calls: ExpectationCalls
  readonly expectation: Expectation
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
}

/** An expectation with its state. One that the configuration file declares can be neither edited nor deleted here. */
export function ExpectationRow({ calls, expectation, beforeRemoval }: ExpectationRowProps) {
  const { id, branch, path, max_age, declared } = expectation
  const [edited, setEdited] = useState<SavedExpectation>()
  const [isDeleting, setDeleting] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const { isBusy, error, run } = useAction()
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (element) beforeRemoval(element)
    }
  }, [beforeRemoval])
  const name = nameExpectation(expectation)
  const edit = () =>
    run(async () => {
      const { value, etag } = await calls.get({ id })
      setEdited({ expectation: value, etag })
    })
  return (
    <li ref={row} class="record">
      <div class="identity">
        <h3>{branch}</h3>
        {path !== null && (
          <p class="address">
            <code>{path}</code>
          </p>
        )}
        <p class="scope">A commit at least every {max_age}</p>
        <p class="tags">{declared && <span>declared in the configuration file</span>}</p>
      </div>
      <ExpectationState expectation={expectation} />
      {!declared && (
        <div class="actions">
          <Button tone="quiet" isBusy={isBusy} label={`Edit the expectation for ${name}`} onClick={edit}>
            Edit
          </Button>
          <Button tone="quiet" label={`Delete the expectation for ${name}`} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      )}
      <FailureNote error={error} />
      {edited && <ExpectationForm calls={calls} saved={edited} onClose={() => setEdited(undefined)} />}
      {isDeleting && <DeleteDialog calls={calls} expectation={expectation} onClose={() => setDeleting(false)} />}
    </li>
  )
}

function nameExpectation({ branch, path }: Pick<Expectation, 'branch' | 'path'>): string {
  return path === null ? branch : `${path} on ${branch}`
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

type DeleteDialogProps = {
  readonly calls: ExpectationCalls
  readonly expectation: Expectation
  readonly onClose: () => void
}

function DeleteDialog({ calls, expectation, onClose }: DeleteDialogProps) {
  const { refresh } = useSettings()
  const notify = useNotify()
  const remove = async () => {
    await calls.delete({ id: expectation.id })
    onClose()
    notify(`The expectation for ${nameExpectation(expectation)} is deleted.`)
    refresh()
  }
  return (
    <ConfirmDialog
      title={`Delete the expectation for ${nameExpectation(expectation)}?`}
      confirm="Delete"
      tone="danger"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Nobody is told any more when the branch is late. No event is sent for the deletion.</p>
    </ConfirmDialog>
  )
}
