import type { ReceiverKind } from '@floe/contract/lists'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { useSettings } from '../settings-context.ts'
import { useNotify } from '../components/notice-board.tsx'
import type { FormValues } from './form-values.ts'
import { ReceiverFields } from './receiver-fields.tsx'
import { TestOutcome } from './test-outcome.tsx'
import { type ReceiverFormState, type Saved, useReceiverForm } from './use-receiver-form.ts'

type ReceiverFormProps = {
  readonly kind: ReceiverKind
  /** The receiver as it was when editing began; undefined for a new one. */
  readonly initial?: Saved
  readonly onClose: () => void
}

/** The form of a new or saved receiver, in a dialog. */
export function ReceiverForm({ kind, initial, onClose }: ReceiverFormProps) {
  const state = useReceiverForm(kind, initial)
  const [isSecretCopied, setSecretCopied] = useState(false)
  const notify = useNotify()
  const { refresh } = useSettings()
  const save = () =>
    state.save((warnings) => {
      notify(`${state.values.alias.trim()} is saved.`, warnings)
      refresh()
      onClose()
    })
  return (
    <Dialog
      title={initial ? `Edit ${initial.receiver.alias}` : `Add a ${kind}`}
      size="large"
      isUnsaved={state.isTouched || isSecretCopied}
      isBusy={state.saving.isBusy}
      errors={state.errors}
      onClose={onClose}
    >
      <Form kind={kind} state={state} onCopy={() => setSecretCopied(true)} onSave={save} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = {
  readonly kind: ReceiverKind
  readonly state: ReceiverFormState
  readonly onCopy: () => void
  readonly onSave: () => void
  readonly onClose: () => void
}

function Form({ kind, state, onCopy, onSave, onClose }: FormProps) {
  const { saved, saving, testing, result, overwritten } = state
  const outcome = useRef<HTMLDivElement>(null)
  // The message is at the end of the form, which may be longer than the window.
  useLayoutEffect(() => {
    const hasOutcome = [result, testing.error, saving.error].some((part) => part !== undefined)
    if (hasOutcome) outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [result, testing.error, saving.error])
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <div role="alert">{overwritten && <OverwriteNote overwritten={overwritten} />}</div>
      <ReceiverFields kind={kind} state={state} onCopy={onCopy} />
      <div ref={outcome} class="outcome">
        <TestOutcome isBusy={testing.isBusy} result={result} />
        <FailureNote error={testing.error} />
        <FailureNote error={saving.error} isChange />
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

/** The values as the sentence below names them. */
const valueNames: Readonly<Record<keyof FormValues, string>> = {
  url: 'the Webhook URL',
  alias: 'the Alias',
  events: 'the Events',
  repos: 'the Repositories',
  branches: 'the Branches',
  kinds: 'the kinds of expectations',
  paths: 'the Paths',
  search: 'the Search',
  compatibility: 'the verdicts',
  include_changes: 'whether the changes are included',
  service: 'the chat service',
  token: 'the Secret Token',
  secretToken: 'the Secret Token',
  headers: 'the headers',
  headerLines: 'the headers',
  signingSecret: 'the signing secret',
}

/** Says that somebody else saved first, and what saving again would overwrite. */
function OverwriteNote({ overwritten }: { readonly overwritten: readonly (keyof FormValues)[] }) {
  const names = [...new Set(overwritten.map((name) => valueNames[name]))]
  return (
    <p class="failure">
      Somebody else has changed this since you opened it. Your changes are kept; the rest shows their version.{' '}
      {names.length > 0 && <>Saving again overwrites {names.join(' and ')}.</>}
    </p>
  )
}
