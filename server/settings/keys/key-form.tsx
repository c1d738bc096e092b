import type { ApiKeyCreation } from '@floe/client'
import { useState } from 'preact/hooks'
import { SecretDialog } from '../components/secret-dialog.tsx'
import { writeValues } from '../fields/field-values.ts'
import { FormDialog } from '../fields/form-dialog.tsx'
import { useForm } from '../fields/use-form.ts'
import { keyFields } from '../generated/forms.ts'
import type { KeyCalls } from '../settings-scope.ts'

type KeyFormProps = { readonly keys: KeyCalls; readonly onChange: () => void; readonly onClose: () => void }

/** Creates an API key, and shows it once. */
export function KeyForm({ keys, onChange, onClose }: KeyFormProps) {
  const form = useForm(
    () => keyFields,
    () => writeValues(keyFields, { role: 'reader' }),
  )
  const [created, setCreated] = useState<{ readonly name: string | null; readonly key: string }>()
  const create = () =>
    form.send<ApiKeyCreation>(keyFields, async (key) => {
      setCreated(await keys.create(key))
      onChange()
    })
  if (created) {
    return (
      <SecretDialog title={`The API key ${created.name}`} label="API key" secret={created.key} onClose={onClose}>
        Programs send it as the password, with the organisation as user name.
      </SecretDialog>
    )
  }
  return (
    <FormDialog form={form} title="Create an API key" confirm="Create API key" onConfirm={create} onClose={onClose} />
  )
}
