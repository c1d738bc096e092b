import type { AttachedContractDocument, DatasetContract, AttachedContractCreation, Versioned } from '@floe/client'
import { ConfirmDialog } from '../components/dialog.tsx'
import type { FieldErrors } from '../failures.ts'
import { Field } from '../fields/field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useRecordForm } from '../components/use-record-form.ts'
import type { ContractCalls } from '../settings-scope.ts'

type ContractFormProps = {
  readonly calls: ContractCalls
  /** The contract as it was when editing began; undefined for a new one. */
  readonly saved?: Versioned<AttachedContractDocument>
  readonly onClose: () => void
}

type Values = { readonly name: string; readonly branch: string; readonly text: string }

/** Attaches or changes a contract. */
export function ContractForm({ calls, saved, onClose }: ContractFormProps) {
  const { values, errors, isTouched, set, save } = useRecordForm({
    calls,
    initial: saved,
    read,
    makeBody,
    describe: ({ name }) => `The contract ${name} is saved.`,
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title={saved ? `Edit the contract ${saved.value.name}` : 'Attach a contract'}
      confirm={saved ? 'Save' : 'Attach contract'}
      isTouched={isTouched}
      errors={errors}
      onConfirm={save}
      onClose={onClose}
    >
      <ContractFields values={values} errors={errors} set={set} />
    </ConfirmDialog>
  )
}

function read(saved: AttachedContractDocument | undefined): Values {
  if (!saved) return { name: '', branch: 'main', text: '' }
  return { name: saved.name, branch: saved.branch, text: JSON.stringify(saved.contract, null, 2) }
}

/** Parses the document; the service checks its members. */
function makeBody({ name, branch, text }: Values): { body: AttachedContractCreation } | { errors: FieldErrors } {
  try {
    const contract = JSON.parse(text) as DatasetContract // The service refuses what is none.
    return { body: { name, branch, contract } }
  } catch (error) {
    return { errors: { contract: `must be JSON: ${error instanceof Error ? error.message : String(error)}` } }
  }
}

type ContractFieldsProps = {
  readonly values: Values
  readonly errors: FieldErrors
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
