import { useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

/** A text that people take with them. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
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
