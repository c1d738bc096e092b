import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, CloseButton } from './button.tsx'
import { FailureNote } from './failure-note.tsx'
import type { FieldErrors } from '../failures.ts'
import { type Action, useAction } from '../hooks/use-action.ts'

type DialogSize = 'small' | 'large'

type DialogProps = {
  readonly title: string
  readonly size?: DialogSize
  /** Whether closing would lose data. The dialog then asks first; the browser asks before it leaves the page. */
  readonly isUnsaved?: boolean
  /** Whether an action runs. The dialog then stays open, because it is unknown whether the action will succeed. */
  readonly isBusy?: boolean
  /** What is wrong with the fields. When it changes, the first wrong field gets the focus. */
  readonly errors?: FieldErrors | undefined
  /** Called when the user presses Esc or clicks the cross. Without it, only the content can close the dialog. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A modal dialog, open while it is rendered. When it closes, the browser puts the focus back. */
export function Dialog(props: DialogProps) {
  const { title, size = 'small', isUnsaved = false, isBusy = false, errors, onClose, children } = props
  const [isLeaving, setLeaving] = useState(false)
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  useFocusOnWrongField(element, errors)
  useQuestionBeforeUnload(isUnsaved || isBusy)
  const leave = () => {
    if (isBusy) return
    if (isUnsaved) setLeaving(true)
    else onClose?.()
  }
  const dismiss = (event: Event) => {
    event.preventDefault()
    // A dialog may be open above another one.
    event.stopPropagation()
    leave()
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
        {onClose && <CloseButton label="Close" onClick={leave} />}
      </header>
      {children}
      {isLeaving && onClose && <DiscardDialog onDiscard={onClose} onClose={() => setLeaving(false)} />}
    </dialog>
  )
}

function useFocusOnWrongField(dialog: RefObject<HTMLElement | null>, errors: FieldErrors | undefined) {
  useLayoutEffect(() => {
    const wrong = dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    wrong?.focus({ preventScroll: true })
    wrong?.scrollIntoView({ block: 'nearest' })
  }, [dialog, errors])
}

/** Makes the browser ask before it leaves or reloads the page. */
function useQuestionBeforeUnload(isAsked: boolean) {
  // A layout effect, because the browser must not ask after the dialog is gone.
  useLayoutEffect(() => {
    if (!isAsked) return undefined
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAsked])
}

type DiscardDialogProps = { readonly onDiscard: () => void; readonly onClose: () => void }

function DiscardDialog({ onDiscard, onClose }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      title="Discard your changes?"
      confirm="Discard"
      cancel="Keep editing"
      tone="danger"
      onConfirm={async () => onDiscard()}
      onClose={onClose}
    />
  )
}

export type ConfirmDialogProps = {
  readonly title: string
  readonly size?: DialogSize
  readonly confirm: string
  readonly cancel?: string
  readonly tone?: 'primary' | 'danger'
  /** Whether something was typed. The dialog then asks before it discards it. */
  readonly isTouched?: boolean
  readonly errors?: FieldErrors
  readonly onConfirm: () => Promise<void>
  /** Another action, such as a test. It changes nothing. */
  readonly other?: { readonly text: string; readonly busyText: string; readonly run: () => Promise<void> } | undefined
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks before an action. The dialog stays open until the action has succeeded. */
export function ConfirmDialog({ confirm, cancel = 'Cancel', tone = 'primary', ...props }: ConfirmDialogProps) {
  const { isTouched = false, onConfirm, other, onClose, children, ...dialog } = props
  const confirmation = useAction()
  const otherAction = useAction()
  const start = (action: Action, call: () => Promise<void>) => {
    // Neither error is about this attempt.
    confirmation.clear()
    otherAction.clear()
    action.run(call)
  }
  return (
    <Dialog {...dialog} isUnsaved={isTouched} isBusy={confirmation.isBusy} onClose={onClose}>
      {/* The browser's own messages vanish, and show one fault at a time. */}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          start(confirmation, onConfirm)
        }}
      >
        {children}
        <Outcome of={otherAction.error}>
          <FailureNote error={otherAction.error} />
        </Outcome>
        <Outcome of={confirmation.error}>
          <FailureNote error={confirmation.error} isChange />
        </Outcome>
        <div class="dialog-actions">
          <Button tone={tone} isBusy={confirmation.isBusy}>
            {confirm}
          </Button>
          {other && (
            <Button isBusy={otherAction.isBusy} onClick={() => start(otherAction, other.run)}>
              {otherAction.isBusy ? other.busyText : other.text}
            </Button>
          )}
          <Button tone="quiet" isBusy={confirmation.isBusy} autofocus={tone === 'danger'} onClick={onClose}>
            {cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type OutcomeProps = { readonly of: unknown; readonly children: ComponentChildren }

/** Scrolls the result of an action into view: it is at the end of the dialog, which may be longer than the window. */
export function Outcome({ of: result, children }: OutcomeProps) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (result !== undefined) element.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <div ref={element} class="outcome">
      {children}
    </div>
  )
}
