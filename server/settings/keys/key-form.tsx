import type { ApiKeyCreation } from '@floe/client'
import { type Role, roles } from '@floe/contract/lists'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/dialog.tsx'
import { SecretDialog } from '../components/secret-dialog.tsx'
import { Choices, Field } from '../fields/field.tsx'
import { LinesField } from '../fields/lines-field.tsx'
import { listLines } from '../fields/list-lines.ts'
import { TimeInput, toInstant } from '../fields/time-input.tsx'
import { useFormValues } from '../hooks/use-form-values.ts'
import type { KeyCalls } from '../settings-scope.ts'

type KeyFormProps = { readonly keys: KeyCalls; readonly onChange: () => void; readonly onClose: () => void }

const roleTexts = {
  reader: { text: 'Reader', hint: 'Reads metadata.' },
  admin: { text: 'Administrator', hint: 'Also manages webhooks, chats, expectations and API keys.' },
} satisfies Record<Role, object>

const roleOptions = roles.map((value) => ({ value, ...roleTexts[value] }))

type KeyValues = { readonly name: string; readonly role: Role; readonly repos: string; readonly expires: string }

const emptyValues: KeyValues = { name: '', role: 'reader', repos: '', expires: '' }

/** Creates an API key, and shows it once. */
export function KeyForm({ keys, onChange, onClose }: KeyFormProps) {
  const { values, changed, set } = useFormValues(emptyValues)
  const [key, setKey] = useState<string>()
  const create = async () => {
    const created = await keys.create(makeBody(values))
    setKey(created.key)
    onChange()
  }
  if (key !== undefined) {
    return (
      <SecretDialog title={`The API key ${values.name.trim()}`} label="API key" secret={key} onClose={onClose}>
        Programs send it as the password, with the organisation as user name.
      </SecretDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Create an API key"
      confirm="Create API key"
      isTouched={changed.length > 0}
      onConfirm={create}
      onClose={onClose}
    >
      <KeyFields values={values} set={set} />
    </ConfirmDialog>
  )
}

function makeBody({ name, role, repos: lines, expires }: KeyValues): ApiKeyCreation {
  const repos = listLines(lines)
  return { name, role, ...(repos.length > 0 && { repos }), ...(expires && { expires_at: toInstant(expires) }) }
}

type KeyFieldsProps = { readonly values: KeyValues; readonly set: (changed: Partial<KeyValues>) => void }

function KeyFields({ values, set }: KeyFieldsProps) {
  return (
    <>
      <Field label="Name" hint="Who or what uses the key. The audit log shows this name.">
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
      <Choices legend="Role" options={roleOptions} value={values.role} onChange={(role) => set({ role })} />
      <LinesField
        label="Repositories"
        hint="One name per line. Leave empty for all repositories, including later ones."
        value={values.repos}
        onChange={(repos) => set({ repos })}
      />
      <Field label="Expires" hint="Leave empty if it should not expire.">
        {(control) => <TimeInput {...control} value={values.expires} onChange={(expires) => set({ expires })} />}
      </Field>
    </>
  )
}
