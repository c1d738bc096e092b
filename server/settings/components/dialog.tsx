import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button, CloseButton } from './button.tsx'
import { FailureNote } from './failure-note.tsx'
import { useAction } from '../hooks/use-action.ts'

type DialogProps = {
  readonly title: string
  readonly size?: 'small' | 'large'
  /** Whether leaving the page would lose data. The browser then asks before it leaves or reloads the page. */
  readonly isUnsaved?: boolean
  /** Called when the user presses Esc or clicks the cross. Without it, only the content can close the dialog. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A modal dialog, open while it is rendered. When it closes, the browser puts the focus back. */
export function Dialog({ title, size = 'small', isUnsaved = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  // A layout effect, because the browser must not ask after the dialog is gone.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  const dismiss = (event: Event) => {
    event.preventDefault()
    // A dialog may be open above another one.
    event.stopPropagation()
    onClose?.()
  }
  return (
    <dialog
      ref={element}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      // The back gesture of phones. Browsers close the dialog at the second `cancel` in a row whatever the handler
      // does, so `onClose` opens it again, and Esc is handled as a key.
      onCancel={(event) => {
        // The `cancel` event of a file input in the dialog bubbles.
        if (event.target === event.currentTarget) dismiss(event)
      }}
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.isComposing) dismiss(event)
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {onClose && <CloseButton label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  )
}

type ConfirmDialogProps = {
  readonly title: string
  readonly confirm: string
  readonly cancel?: string
  readonly tone?: 'primary' | 'danger'
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks before an action. The dialog stays open until the action has succeeded. */
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
