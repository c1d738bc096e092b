import type { AttachedContractDocument, DatasetContract } from '@floe/client'
import { ConfirmDialog } from '../components/dialog.tsx'
import { Field } from '../fields/field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useSave } from '../components/use-save.ts'
import { useFormValues } from '../hooks/use-form-values.ts'
import type { ContractCalls } from '../settings-scope.ts'

/** A contract as it was when editing began. */
export type SavedContract = { readonly contract: AttachedContractDocument; readonly etag: string | undefined }

type ContractFormProps = {
  readonly calls: ContractCalls
  /** Undefined for a new contract. */
  readonly saved?: SavedContract
  readonly onClose: () => void
}

type Values = { readonly name: string; readonly branch: string; readonly text: string }

/** Attaches or changes a contract. A change fails if somebody else has changed it since. */
export function ContractForm({ calls, saved, onClose }: ContractFormProps) {
  const { name = '', branch = 'main', contract } = saved?.contract ?? {}
  const { values, isTouched, set } = useFormValues<Values>({
    name,
    branch,
    text: contract ? JSON.stringify(contract, null, 2) : '',
  })
  const send = async () => {
    const document = parse(values.text)
    if ('error' in document) return { contract: document.error }
    const body = { name: values.name, branch: values.branch, ...document }
    await (saved ? calls.update({ id: saved.contract.id }, body, { ifMatch: saved.etag }) : calls.create(body))
    return undefined
  }
  const { errors, save } = useSave({ send, message: `The contract ${values.name} is saved.`, onSaved: onClose })
  return (
    <ConfirmDialog
      title={saved ? `Edit the contract ${name}` : 'Attach a contract'}
      confirm={saved ? 'Save' : 'Attach contract'}
      isTouched={isTouched}
      onConfirm={save}
      onClose={onClose}
    >
      <ContractFields values={values} errors={errors} set={set} />
    </ConfirmDialog>
  )
}

/** Parses the document; the service checks its members. */
function parse(text: string): { readonly contract: DatasetContract } | { readonly error: string } {
  try {
    return { contract: JSON.parse(text) as DatasetContract } // The service refuses what is none.
  } catch (error) {
    return { error: `must be JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

type ContractFieldsProps = {
  readonly values: Values
  readonly errors: Readonly<Record<string, string>>
  readonly set: (changed: Partial<Values>) => void
}

function ContractFields({ values, errors, set }: ContractFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        hint="Such as that of the readers."
        error={errors['name']}
        value={values.name}
        isRequired
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Branch"
        hint="Its name. Floe watches it from now on."
        error={errors['branch']}
        value={values.branch}
        isRequired
        onChange={(branch) => set({ branch })}
      />
      <DocumentFields text={values.text} error={errors['contract']} onText={(text) => set({ text })} />
    </>
  )
}

type DocumentFieldsProps = {
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

/** The document as text, and a field that replaces it with a file. */
function DocumentFields({ text, error, onText }: DocumentFieldsProps) {
  return (
    <>
      <Field
        label="Contract"
        hint={
          <>
            JSON, as <code>floe contract</code> writes it. Delete what nobody relies on.
          </>
        }
        error={error}
      >
        {(control) => (
          <textarea
            {...control}
            rows={10}
            value={text}
            required
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Contract from a file">
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(onText)}
          />
        )}
      </Field>
    </>
  )
}
