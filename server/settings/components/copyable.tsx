import { useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

type CopyableProps = { readonly label: string; readonly text: string; readonly onCopy?: () => void }

/** A text with a label, and a button that copies it. */
export function Copyable({ label, text, onCopy }: CopyableProps) {
  const [outcome, setOutcome] = useState('')
  const code = useRef<HTMLElement>(null)
  const labelId = useId()
  const copy = async () => {
    if (code.current) getSelection()?.selectAllChildren(code.current)
    onCopy?.()
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('Copied.')
    } catch {
      // Browsers may refuse, and have no clipboard without https. The text is selected, so the user can copy it.
      setOutcome('Press Ctrl+C to copy the selected text.')
    }
  }
  return (
    <div class="copyable" role="group" aria-labelledby={labelId}>
      <span class="label" id={labelId}>
        {label}
      </span>
      <code ref={code}>{text}</code>
      <Button label={`Copy the ${label.toLowerCase()}`} onClick={() => void copy()}>
        Copy
      </Button>
      <p role="status">{outcome}</p>
    </div>
  )
}
