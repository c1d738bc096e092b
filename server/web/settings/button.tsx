import type { ComponentChildren } from 'preact'

/** What a button is for, by its looks. */
type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger'

type ButtonProps = {
  readonly tone?: ButtonTone
  readonly isBusy?: boolean
  /** What screen readers say instead of the text, when the text needs its surroundings. */
  readonly label?: string
  readonly autofocus?: boolean
  /** Without it, the button submits its form. */
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

/** A button. While busy it keeps the focus, as a disabled one would not. */
export function Button({ tone = 'plain', isBusy = false, label, autofocus = false, onClick, children }: ButtonProps) {
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      class={`button ${tone}`}
      aria-label={label}
      aria-disabled={isBusy}
      autofocus={autofocus}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}
