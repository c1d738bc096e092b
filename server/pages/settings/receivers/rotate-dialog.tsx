import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Receiver } from '../receiver-form/receiver.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { NewSecret } from './new-secret.tsx'
import { useAction } from '../parts/use-action.ts'

type RotateDialogProps = { readonly receiver: Receiver; readonly onChange: () => void; readonly onClose: () => void }

/** Asks, then replaces the signing secret and shows the new one. */
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
      <Dialog title={title} isUnsaved>
        <NewSecret secret={secret} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    // Only the answer to this request shows the secret, so the dialog stays until it has arrived.
    <Dialog title={title} isUnsaved={isBusy} onClose={() => isBusy || onClose()}>
      <p>
        Floe makes a new signing secret. For 24 hours it signs requests with the old one too, so that the receiver can
        switch in the meantime.
      </p>
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
