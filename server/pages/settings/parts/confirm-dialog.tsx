import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureNote } from './failure.tsx'
import { useAction } from './use-action.ts'

type ConfirmDialogProps = {
  readonly title: string
  readonly confirm: string
  readonly cancel?: string
  readonly tone?: 'primary' | 'danger'
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks before an action. The dialog stays open until the action has ended. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, cancel = 'Cancel', tone = 'primary', onConfirm, onClose, children } = props
  const { isBusy, error, run } = useAction()
  return (
    <Dialog title={title} isUnsaved={isBusy} onClose={() => isBusy || onClose()}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(onConfirm)
        }}
      >
        {children}
        <FailureNote error={error} />
        <div class="dialog-actions">
          <Button tone={tone} isBusy={isBusy}>
            {confirm}
          </Button>
          <Button isBusy={isBusy} autofocus={tone === 'danger'} onClick={onClose}>
            {cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
