import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { CheckResult } from './check-result.tsx'
import type { Kind } from './configuration.ts'
import { ConfigurationFields } from './configuration-fields.tsx'
import { Dialog } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { NewSecret } from './new-secret.tsx'
import { useNotify } from './notice-board.tsx'
import { OverwriteNote } from './overwrite-note.tsx'
import { type Saved, type SaveAnswer, useConfigurationForm } from './use-configuration-form.ts'

type ConfigurationFormProps = {
  readonly kind: Kind
  /** What is edited, as it was just now; undefined for a new configuration. */
  readonly initial?: Saved
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Adds or edits a webhook or chat, in a dialog. */
export function ConfigurationForm(props: ConfigurationFormProps) {
  const { kind, initial, onClose } = props
  const [secret, setSecret] = useState<string>()
  const title = initial ? `Edit ${initial.configuration.alias}` : `Add a ${kind}`
  return (
    <Dialog title={secret === undefined ? title : 'The webhook is added'} size="large" onClose={onClose}>
      {secret === undefined ? (
        <Form {...props} onSecret={setSecret} />
      ) : (
        <NewSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  )
}

type FormProps = ConfigurationFormProps & { readonly onSecret: (secret: string) => void }

function Form({ kind, initial, onSaved, onSecret, onClose }: FormProps) {
  const state = useConfigurationForm(kind, initial)
  const { saving, testing, errors } = state
  const element = useRef<HTMLFormElement>(null)
  const notify = useNotify()
  useLayoutEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  const finish = ({ warnings, signingSecret }: SaveAnswer) => {
    notify(`${state.values.alias.trim()} is saved.`, warnings)
    onSaved()
    if (signingSecret === undefined) onClose()
    else onSecret(signingSecret)
  }
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        state.save(finish)
      }}
    >
      <OverwriteNote overwritten={state.overwritten} />
      <ConfigurationFields kind={kind} state={state} />
      <CheckResult isBusy={testing.isBusy} result={state.result} />
      <FailureNote error={testing.error ?? saving.error} />
      <div class="dialog-actions">
        <Button tone="primary" isBusy={saving.isBusy}>
          {initial ? 'Save' : `Add ${kind}`}
        </Button>
        <Button isBusy={testing.isBusy} onClick={state.test}>
          {testing.isBusy ? 'Testing…' : 'Test'}
        </Button>
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
