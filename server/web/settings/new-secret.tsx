import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

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

/** A text that people take with them. */
function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const [answer, setAnswer] = useState('')
  const code = useRef<HTMLElement>(null)
  const copy = async () => {
    if (code.current) getSelection()?.selectAllChildren(code.current)
    try {
      await navigator.clipboard.writeText(text)
      setAnswer('Copied.')
    } catch {
      // Refused, or absent without https; the text stands selected.
      setAnswer('Press Ctrl+C to copy the selected text.')
    }
  }
  return (
    <div class="copyable">
      <span class="spoken">{label}</span>
      <code ref={code}>{text}</code>
      <Button label={`Copy the ${label.toLowerCase()}`} onClick={() => void copy()}>
        Copy
      </Button>
      <p role="status">{answer}</p>
    </div>
  )
}
