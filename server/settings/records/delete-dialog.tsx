import { ConfirmDialog } from '../components/dialog.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { useSettings } from '../settings-context.ts'

type DeleteDialogProps = {
  /** The record within a sentence. */
  readonly name: string
  /** The record at the beginning of a sentence. */
  readonly subject?: string
  readonly onDelete: () => Promise<unknown>
  readonly onClose: () => void
  /** What the deletion means. */
  readonly children: string
}

/** Asks before a record is deleted. */
export function DeleteDialog({ name, subject = name, onDelete, onClose, children }: DeleteDialogProps) {
  const { refresh } = useSettings()
  const notify = useNotify()
  const remove = async () => {
    await onDelete()
    onClose()
    notify(`${subject} is deleted.`)
    refresh()
  }
  return (
    <ConfirmDialog title={`Delete ${name}?`} confirm="Delete" tone="danger" onConfirm={remove} onClose={onClose}>
      <p>{children}</p>
    </ConfirmDialog>
  )
}
