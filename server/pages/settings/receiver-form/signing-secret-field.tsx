import { Copyable } from '../parts/copyable.tsx'

type SigningSecretFieldProps = {
  readonly secret: string
  readonly error: string | undefined
  readonly onCopy: () => void
}

/** The signing secret of a new webhook. The page makes it before anything is sent, so that the receiver can verify the first test. */
export function SigningSecretField({ secret, error, onCopy }: SigningSecretFieldProps) {
  return (
    <div class="field">
      <Copyable label="Signing secret" text={secret} onCopy={onCopy} />
      {error && <p class="field-error">{error}</p>}
      <p class="hint">
        Give it to the receiver, which uses it to check that requests come from Floe. Then test and add the webhook.{' '}
        <strong>It is not shown again.</strong>
      </p>
    </div>
  )
}
