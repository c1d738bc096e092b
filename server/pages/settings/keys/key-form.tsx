import type { ApiKey, NewApiKey } from '@floe/contract'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx'
import { Choices, Field } from '../parts/field.tsx'
import { listLines } from '../parts/list-lines.ts'
import { TimeInput, toInstant } from '../parts/time-input.tsx'
import type { KeyCalls } from '../place.ts'

type KeyFormProps = { readonly keys: KeyCalls; readonly onChange: () => void; readonly onClose: () => void }

const roles = [
  { value: 'reader', text: 'Reader', hint: 'Reads metadata.' },
  { value: 'admin', text: 'Administrator', hint: 'Also manages webhooks, chats and API keys.' },
] as const

type Values = { readonly name: string; readonly role: ApiKey['role']; readonly repos: string; readonly expires: string }

const emptyValues: Values = { name: '', role: 'reader', repos: '', expires: '' }

/** Creates an API key, and shows it once. */
export function KeyForm({ keys, onChange, onClose }: KeyFormProps) {
  const [values, setValues] = useState(emptyValues)
  const [key, setKey] = useState<string>()
  const create = async () => {
    const created = await keys.create(makeBody(values))
    setKey(created.key)
    onChange()
  }
  if (key !== undefined) return <NewKey name={values.name.trim()} text={key} onClose={onClose} />
  return (
    <ConfirmDialog title="Create an API key" confirm="Create API key" onConfirm={create} onClose={onClose}>
      <KeyFields values={values} set={(changed) => setValues((current) => ({ ...current, ...changed }))} />
    </ConfirmDialog>
  )
}

function makeBody({ name, role, repos, expires }: Values): NewApiKey {
  const covered = listLines(repos)
  const limits = { ...(covered.length > 0 && { repos: covered }), ...(expires && { expires_at: toInstant(expires) }) }
  return { name, role, ...limits }
}

type KeyFieldsProps = { readonly values: Values; readonly set: (changed: Partial<Values>) => void }

function KeyFields({ values, set }: KeyFieldsProps) {
  return (
    <>
      <Field label="Name" hint="Who or what uses the key. The list of changes shows it.">
        {(control) => (
          <input
            {...control}
            value={values.name}
            required
            autocomplete="off"
            autofocus
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Choices legend="Role" options={roles} value={values.role} onChange={(role) => set({ role })} />
      <Field label="Repositories" hint="One name per line. Leave empty for all, including those that appear later.">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={values.repos}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set({ repos: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Expires" hint="Leave empty if it should not expire.">
        {(control) => <TimeInput {...control} value={values.expires} onChange={(expires) => set({ expires })} />}
      </Field>
    </>
  )
}

type NewKeyProps = { readonly name: string; readonly text: string; readonly onClose: () => void }

function NewKey({ name, text, onClose }: NewKeyProps) {
  return (
    <Dialog title={`The API key ${name}`} isUnsaved>
      <p tabIndex={-1} autofocus>
        Programs send it as the password, with the organisation as user name. <strong>It is not shown again.</strong>
      </p>
      <Copyable label="API key" text={text} />
      <div class="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
