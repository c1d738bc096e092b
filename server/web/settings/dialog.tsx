import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { CloseButton } from './close-button.tsx'

type DialogProps = {
  readonly title: string
  readonly size?: 'small' | 'large'
  readonly onClose: () => void
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
  return (
    <dialog ref={element} class={`dialog ${size}`} aria-labelledby={titleId} onCancel={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <CloseButton label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}
