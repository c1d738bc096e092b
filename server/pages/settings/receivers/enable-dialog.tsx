import type { Resume } from '@floe/contract'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Receiver } from '../receiver-form/receiver.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useAction } from '../parts/use-action.ts'

type EnableDialogProps = {
  readonly receiver: Receiver
  readonly setEnabled: (enabled: boolean, resume: Resume) => Promise<void>
  readonly onClose: () => void
}

const choices = [
  { resume: 'latest', text: 'Send the latest only', hint: 'Earlier ones are discarded.' },
  { resume: 'all', text: 'Send all, in order', hint: 'The receiver gets every head move that it missed.' },
  { resume: 'none', text: 'Discard them', hint: 'The receiver gets only later head moves.' },
] as const

const choicesForOne = [
  { resume: 'latest', text: 'Send it', hint: 'The receiver gets the head move that it missed.' },
  { resume: 'none', text: 'Discard it', hint: choices[2].hint },
] as const

/** Asks what to do with held deliveries, then enables the receiver. */
export function EnableDialog({ receiver: { alias, held }, setEnabled, onClose }: EnableDialogProps) {
  const [resume, setResume] = useState<Resume>('latest')
  const { isBusy, error, run } = useAction()
  const enable = () =>
    run(async () => {
      await setEnabled(true, resume)
      onClose()
    })
  return (
    <Dialog title={`Enable ${alias}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enable()
        }}
      >
        <fieldset class="choices">
          <legend>
            {held === 1
              ? 'What should happen to the held delivery?'
              : `What should happen to the ${held} held deliveries?`}
          </legend>
          {(held === 1 ? choicesForOne : choices).map((choice) => (
            <label key={choice.resume}>
              <input
                type="radio"
                name="resume"
                checked={resume === choice.resume}
                onChange={() => setResume(choice.resume)}
              />
              <span>
                {choice.text} <small>{choice.hint}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <FailureNote error={error} />
        <div class="dialog-actions">
          <Button tone="primary" isBusy={isBusy}>
            Enable
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
