import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copyable.tsx'

/** A signing secret. The service never shows it again. */
export function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const text = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useLayoutEffect(() => text.current?.focus(), [])
  return (
    <>
      <p ref={text} tabIndex={-1}>
        This is the signing secret. Give it to the receiver, which uses it to check that requests come from Floe.{' '}
        <strong>It is not shown again.</strong>
      </p>
      <Copyable label="Signing secret" text={secret} />
      <div class="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
