import { useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

type CopyableProps = { readonly label: string; readonly text: string; readonly onCopy?: () => void }

export function Copyable({ label, text, onCopy }: CopyableProps) {
  const [answer, setAnswer] = useState('')
  const code = useRef<HTMLElement>(null)
  const labelId = useId()
  const copy = async () => {
    if (code.current) getSelection()?.selectAllChildren(code.current)
    onCopy?.()
    try {
      await navigator.clipboard.writeText(text)
      setAnswer('Copied.')
    } catch {
      // Browsers refuse, or have no clipboard without https. The text is selected, so that the user can copy it.
      setAnswer('Press Ctrl+C to copy the selected text.')
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
      <p role="status">{answer}</p>
    </div>
  )
}
