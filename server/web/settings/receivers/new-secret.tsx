import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copyable.tsx'

/** A signing secret, which no later answer shows again. */
export function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const text = useRef<HTMLParagraphElement>(null)
  // The button that led here is gone, and with it the focus.
  useLayoutEffect(() => text.current?.focus(), [])
  return (
    <>
      <p ref={text} tabIndex={-1}>
        This is the signing secret. Give it to the receiver, which checks with it that requests come from here.{' '}
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
