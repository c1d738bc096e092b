// The dialogs that the buttons of a receiver open.
import type { Receiver, ReceiverToTest, TestResult } from '@floe/client'
import { type Resume, resumeChoices } from '@floe/contract/lists'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useSettings } from '../settings-context.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog, Dialog } from '../components/dialog.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { SecretDialog } from '../components/secret-dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { ChoicesControl } from '../fields/choice-controls.tsx'
import type { FieldValue } from '../fields/field-values.ts'
import type { FormField } from '../fields/form-field.ts'
import { TestOutcome } from './test-outcome.tsx'

type DialogProps = { readonly receiver: Receiver; readonly onClose: () => void }

const resumeTexts = {
  latest: { text: 'Send the latest only', hint: 'The newest of each branch and tag. Older ones are discarded.' },
  all: { text: 'Send all, in order', hint: 'The receiver gets every event that it missed.' },
  none: { text: 'Discard them', hint: 'The receiver gets only later events.' },
} satisfies Record<Resume, object>

/** What can happen to several held deliveries. */
const choicesForMany = resumeChoices.map((value) => ({ value, ...resumeTexts[value] }))

/** What can happen to a single held delivery. */
const choicesForOne = [
  { value: 'latest', text: 'Send it', hint: 'The receiver gets the event that it missed.' },
  { value: 'none', text: 'Discard it', hint: 'The receiver gets only later events.' },
]

type EnableDialogProps = DialogProps & { readonly enable: (resume: Resume | undefined) => Promise<void> }

/** Asks what to do with held deliveries, then enables the receiver. */
export function EnableDialog({ receiver: { alias, held }, enable, onClose }: EnableDialogProps) {
  const [resume, setResume] = useState<FieldValue>('latest')
  const confirm = async () => {
    await enable(resumeChoices.find((choice) => choice === resume))
    onClose()
  }
  const field: FormField = {
    name: 'resume',
    label: `What should happen to the ${held === 1 ? 'held delivery' : `${held} held deliveries`}?`,
    control: 'radio',
    options: held === 1 ? choicesForOne : choicesForMany,
  }
  return (
    <ConfirmDialog title={`Enable ${alias}`} confirm="Enable" onConfirm={confirm} onClose={onClose}>
      <ChoicesControl field={field} value={resume} onChange={setResume} />
    </ConfirmDialog>
  )
}

/** Replaces the signing secret, and shows the new one once. */
export function RotateDialog({ receiver: { id, alias }, onClose }: DialogProps) {
  const { scope, refresh } = useSettings()
  const [secret, setSecret] = useState<string>()
  const title = `Rotate the signing secret of ${alias}`
  const rotate = async () => {
    const { value: webhook } = await scope.receivers.rotateSecret({ id })
    setSecret(webhook.signing_secret)
    refresh()
  }
  if (secret === undefined) {
    return (
      <ConfirmDialog title={title} confirm="Rotate secret" onConfirm={rotate} onClose={onClose}>
        <p>
          Floe generates a new signing secret. For 24 hours requests are signed with the old one too, which gives you
          time to update the receiver.
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <SecretDialog title={title} label="Signing secret" secret={secret} onClose={onClose}>
      This is the new signing secret. Copy it to the receiver, which uses it to verify that requests come from Floe.
    </SecretDialog>
  )
}

/** Sends the last commit to a saved receiver, and shows the result. */
export function TestDialog({ receiver: { kind, id, alias }, onClose }: DialogProps) {
  const { scope } = useSettings()
  const { isBusy, error, run } = useAction()
  const [result, setResult] = useState<TestResult>()
  const test = useCallback(
    () =>
      run(async () => {
        setResult(undefined)
        // The compiler does not see that each kind can be tested by its id.
        setResult(await scope.receivers.test({ kind, id } as ReceiverToTest))
      }),
    [run, scope, kind, id],
  )
  // The test starts when the dialog opens.
  useEffect(test, [test])
  return (
    <Dialog title={`Test ${alias}`} size="large" onClose={onClose}>
      <TestOutcome isBusy={isBusy} result={result} />
      <FailureNote error={error} />
      <div class="dialog-actions">
        <Button isBusy={isBusy} onClick={test}>
          Test again
        </Button>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
