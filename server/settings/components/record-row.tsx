import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../hooks/use-action.ts'
import { useSettings } from '../settings-context.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { useNotify } from './notice-board.tsx'

type RecordRowProps = {
  /** The record as sentences name it, such as `the expectation tile server`. */
  readonly name: string
  readonly identity: ComponentChildren
  readonly state: ComponentChildren
  /** Where it is declared, if it can be neither edited nor deleted here. */
  readonly changedIn: string | undefined
  /** Opens the form of the record. */
  readonly onEdit: () => Promise<void>
  readonly onDelete: () => Promise<unknown>
  /** What a deletion means. */
  readonly deletion: string
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
  /** The open form. */
  readonly children: ComponentChildren
}

/** A record with its state. */
export function RecordRow(props: RecordRowProps) {
  const { name, identity, state, changedIn, onEdit, onDelete, deletion, beforeRemoval, children } = props
  const [isDeleting, setDeleting] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const { isBusy, error, run } = useAction()
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (element) beforeRemoval(element)
    }
  }, [beforeRemoval])
  return (
    <li ref={row} class="record">
      <div class="identity">
        {identity}
        <p class="tags">{changedIn !== undefined && <span>{changedIn}</span>}</p>
      </div>
      {state}
      {changedIn === undefined && (
        <div class="actions">
          <Button tone="quiet" isBusy={isBusy} label={`Edit ${name}`} onClick={() => run(onEdit)}>
            Edit
          </Button>
          <Button tone="quiet" label={`Delete ${name}`} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      )}
      <FailureNote error={error} />
      {children}
      {isDeleting && (
        <DeleteDialog name={name} onDelete={onDelete} onClose={() => setDeleting(false)}>
          {deletion}
        </DeleteDialog>
      )}
    </li>
  )
}

type DeleteDialogProps = Pick<RecordRowProps, 'name' | 'onDelete' | 'children'> & { readonly onClose: () => void }

function DeleteDialog({ name, onDelete, onClose, children }: DeleteDialogProps) {
  const { refresh } = useSettings()
  const notify = useNotify()
  const remove = async () => {
    await onDelete()
    onClose()
    notify(`${name.replace(/^t/, 'T')} is deleted.`)
    refresh()
  }
  return (
    <ConfirmDialog title={`Delete ${name}?`} confirm="Delete" tone="danger" onConfirm={remove} onClose={onClose}>
      <p>{children}</p>
    </ConfirmDialog>
  )
}
