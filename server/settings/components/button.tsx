import type { ComponentChildren } from 'preact'

type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger'

type ButtonProps = {
  readonly tone?: ButtonTone
  readonly isBusy?: boolean
  /** Whether the action is unavailable now. */
  readonly isOff?: boolean
  /** Screen readers read this instead of the text. For texts that are unclear on their own, such as `Edit`. */
  readonly label?: string
  readonly autofocus?: boolean
  /** Without it, the button submits its form. */
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

/** A button. It keeps the focus while busy or off; a disabled button would lose it. */
export function Button({
  tone = 'plain',
  isBusy = false,
  isOff = false,
  label,
  autofocus = false,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      class={`button ${tone} ${isBusy ? 'busy' : ''}`}
      aria-label={label}
      aria-disabled={isBusy || isOff}
      autofocus={autofocus}
      onClick={(event) => {
        if (isBusy || isOff) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}

/** A cross that closes a dialog or a notice. */
export function CloseButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="close" aria-label={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3 3l10 10M13 3L3 13" />
      </svg>
    </button>
  )
}
