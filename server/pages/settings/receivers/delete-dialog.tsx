import { Button } from '../parts/button.tsx'
import type { Receiver } from '../receiver-form/receiver.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { useNotify } from '../parts/notice-board.tsx'
import { useAction } from '../parts/use-action.ts'

type DeleteDialogProps = { readonly receiver: Receiver; readonly onChange: () => void; readonly onClose: () => void }

/** Asks once, then deletes. */
export function DeleteDialog({ receiver: { kind, id, alias }, onChange, onClose }: DeleteDialogProps) {
  const { client, repo } = useFloe()
  const notify = useNotify()
  const { isBusy, error, run } = useAction()
  const remove = () =>
    run(async () => {
      await client[`${kind}s`].delete({ repo, id })
      onClose()
      notify(`${alias} is deleted.`)
      onChange()
    })
  return (
    <Dialog title={`Delete ${alias}?`} onClose={onClose}>
      <p>Nothing more is sent to it, and its deliveries are removed from the log. This cannot be undone.</p>
      <FailureNote error={error} />
      <div class="dialog-actions">
        <Button tone="danger" isBusy={isBusy} onClick={remove}>
          Delete
        </Button>
        <Button autofocus onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
