import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { CloseButton } from './button.tsx'

type DialogProps = {
  readonly title: string
  readonly size?: 'small' | 'large'
  /** What Esc and the cross do. Without it there is neither: the content itself has the only way out. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A modal dialog that is open as long as it exists. The browser gives the focus back to where it was before. */
export function Dialog({ title, size = 'small', onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const dismiss = (event: Event) => {
    event.preventDefault()
    // A dialog may stand on another one.
    event.stopPropagation()
    onClose?.()
  }
  return (
    <dialog
      ref={element}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      // A phone's way back. Browsers let nobody refuse the second one in a row, so Esc is taken as a key.
      onCancel={dismiss}
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
