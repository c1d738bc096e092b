import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { Dialog } from './dialog.tsx'

type SecretDialogProps = {
  readonly title: string
  /** What the secret is, such as `API key`. */
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
  /** What to do with the secret. */
  readonly children: ComponentChildren
}

/** Shows a new secret once. Only its button closes it, so that the secret is not lost by accident. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} isUnsaved>
      <p tabIndex={-1} autofocus>
        {children} <strong>It is not shown again.</strong>
      </p>
      <Copyable label={label} text={secret} />
      <div class="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
