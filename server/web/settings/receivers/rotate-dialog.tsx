import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Receiver } from './receiver.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { NewSecret } from './new-secret.tsx'
import { useAction } from '../parts/use-action.ts'

type RotateDialogProps = { readonly receiver: Receiver; readonly onChange: () => void; readonly onClose: () => void }

/** Makes a new signing secret, after asking, and shows it. */
export function RotateDialog({ receiver: { id, alias }, onChange, onClose }: RotateDialogProps) {
  const { client, repo } = useFloe()
  const { isBusy, error, run } = useAction()
  const [secret, setSecret] = useState<string>()
  const rotate = () =>
    run(async () => {
      const { value: webhook } = await client.webhooks.rotateSecret({ repo, id })
      setSecret(webhook.signing_secret)
      onChange()
    })
  const title = `Rotate the signing secret of ${alias}`
  if (secret !== undefined) {
    return (
      <Dialog title={title}>
        <NewSecret secret={secret} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    // The answer that is under way holds the secret.
    <Dialog title={title} onClose={() => isBusy || onClose()}>
      <p>For 24 hours requests are signed with both secrets, so that the receiver can change over without a gap.</p>
      <FailureNote error={error} />
      <div class="dialog-actions">
        <Button tone="primary" isBusy={isBusy} onClick={rotate}>
          Rotate secret
        </Button>
        <Button isBusy={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
