// The controls of what the service never shows again: the Secret Token, the headers and the signing secret.
import { Copyable } from '../components/copyable.tsx'
import { ChoicesControl } from './choice-controls.tsx'
import { type ControlProps, FieldError } from './field.tsx'
import { LinesControl, TextControl } from './text-controls.tsx'

const choices = [
  { value: 'keep', text: 'Keep' },
  { value: 'replace', text: 'Replace' },
  { value: 'remove', text: 'Remove' },
]

/** A secret that may be stored already. It is then kept, replaced or removed. */
export function StoredControl(props: ControlProps) {
  const { field, value, onChange } = props
  const { stored } = field
  const Control = field.control === 'headers' ? LinesControl : TextControl
  if (!stored) return <Control {...props} />
  const choice = value === undefined ? 'keep' : value === null ? 'remove' : 'replace'
  return (
    <>
      <ChoicesControl
        field={{ ...field, control: 'radio', label: stored.legend, hint: undefined, options: choices }}
        value={choice}
        isInline
        onChange={(chosen) => onChange(chosen === 'keep' ? undefined : chosen === 'remove' ? null : '')}
      />
      {stored.isDropped && choice === 'keep' && (
        <p class="hint" role="status">
          You changed the host, port or path of the Webhook URL. A test is therefore sent without what is stored here,
          and saving removes it. Choose Replace to set it for the new URL.
        </p>
      )}
      {choice === 'replace' && <Control {...props} />}
    </>
  )
}

/** The signing secret of a new webhook, which is copied to the receiver. */
export function SigningSecretControl({ field: { label }, value, error, onChange }: ControlProps) {
  return (
    <div class="field">
      {/* Once it has been copied, the form asks before it is discarded. */}
      <Copyable label={label} text={value ?? ''} onCopy={() => onChange(value)} />
      <FieldError error={error} />
      <p class="hint">
        Copy it to the receiver, which uses it to verify that requests come from Floe, before you add the webhook.{' '}
        <strong>It is not shown again.</strong>
      </p>
    </div>
  )
}
