import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { TestOutcome } from './test-outcome.tsx'
import type { Kind } from './receiver.ts'
import { ReceiverFields } from './receiver-fields.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import type { FormValues } from './form-values.ts'
import { useNotify } from '../parts/notice-board.tsx'
import { type ReceiverFormState, type Saved, type SaveAnswer, useReceiverForm } from './use-receiver-form.ts'

type ReceiverFormProps = {
  readonly kind: Kind
  /** The receiver as it was when editing began; undefined for a new one. */
  readonly initial?: Saved
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Adds or edits a webhook or chat, in a dialog. */
export function ReceiverForm({ kind, initial, onSaved, onClose }: ReceiverFormProps) {
  const state = useReceiverForm(kind, initial)
  const [isSecretTaken, setSecretTaken] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const notify = useNotify()
  const isUnsaved = state.isTouched || isSecretTaken
  const save = () =>
    state.save(({ warnings }: SaveAnswer) => {
      notify(`${state.values.alias.trim()} is saved.`, warnings)
      onSaved()
      onClose()
    })
  const leave = () => {
    // The answer to the request is still to come, so nobody knows whether it was saved.
    if (state.saving.isBusy) return
    if (isUnsaved) setLeaving(true)
    else onClose()
  }
  return (
    <Dialog
      title={initial ? `Edit ${initial.receiver.alias}` : `Add a ${kind}`}
      size="large"
      isUnsaved={isUnsaved}
      onClose={leave}
    >
      <Form kind={kind} state={state} onSecretTaken={() => setSecretTaken(true)} onSave={save} onClose={onClose} />
      {isLeaving && <LeaveDialog onLeave={onClose} onStay={() => setLeaving(false)} />}
    </Dialog>
  )
}

type FormProps = {
  readonly kind: Kind
  readonly state: ReceiverFormState
  readonly onSecretTaken: () => void
  readonly onSave: () => void
  readonly onClose: () => void
}

function Form({ kind, state, onSecretTaken, onSave, onClose }: FormProps) {
  const { saved, saving, testing, errors } = state
  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  const outcome = useRef<HTMLDivElement>(null)
  const failure = testing.error ?? saving.error
  const hasOutcome = state.result !== undefined || failure !== undefined
  // The message is at the end of the form, which may be longer than the window.
  useLayoutEffect(() => {
    if (hasOutcome) outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [hasOutcome])
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <OverwriteNote overwritten={state.overwritten} />
      <ReceiverFields kind={kind} state={state} onSecretTaken={onSecretTaken} />
      <div ref={outcome} class="outcome">
        <TestOutcome isBusy={testing.isBusy} result={state.result} />
        <FailureNote error={failure} />
      </div>
      <div class="dialog-actions">
        <Button tone="primary" isBusy={saving.isBusy}>
          {saved ? 'Save' : `Add ${kind}`}
        </Button>
        <Button isBusy={testing.isBusy} onClick={state.test}>
          {testing.isBusy ? 'Testing…' : 'Test'}
        </Button>
        <Button tone="quiet" isBusy={saving.isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function LeaveDialog({ onLeave, onStay }: { readonly onLeave: () => void; readonly onStay: () => void }) {
  return (
    <Dialog title="Discard your changes?" onClose={onStay}>
      <div class="dialog-actions">
        <Button tone="danger" onClick={onLeave}>
          Discard
        </Button>
        <Button autofocus onClick={onStay}>
          Keep editing
        </Button>
      </div>
    </Dialog>
  )
}

const labels: Readonly<Record<keyof FormValues, string>> = {
  url: 'the Webhook URL',
  alias: 'the Alias',
  events: 'the Events',
  service: 'the kind of chat',
  token: 'the Secret Token',
  secretToken: 'the Secret Token',
  signingSecret: 'the signing secret',
}

/** Says that somebody else saved first, and what saving again would overwrite. */
function OverwriteNote({ overwritten }: { readonly overwritten: readonly (keyof FormValues)[] | undefined }) {
  const places = [...new Set(overwritten?.map((name) => labels[name]))]
  return (
    <div role="alert">
      {overwritten && (
        <p class="failure">
          Somebody else has changed this since you opened it. What you typed is kept; everything else shows the new
          version. {places.length > 0 && <>Saving again overwrites {places.join(' and ')}.</>}
        </p>
      )}
    </div>
  )
}
