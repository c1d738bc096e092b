import type { ExpectationCreation, Versioned } from '@floe/client'
import { ConfirmDialog } from '../components/dialog.tsx'
import { useRecordForm } from '../components/use-record-form.ts'
import { useSettings } from '../settings-context.ts'
import type { ExpectationCalls, WholeExpectation } from '../settings-scope.ts'
import { ExpectationFields } from './expectation-fields.tsx'
import { listFields, makeBody, readValues, type Values } from './form-values.ts'
import { nameExpectation } from './name-expectation.ts'

type ExpectationFormProps = {
  readonly calls: ExpectationCalls
  /** The expectation as it was when editing began; undefined for a new one. */
  readonly saved?: Versioned<WholeExpectation>
  readonly onClose: () => void
}

/** Adds or changes an expectation. Its fields are those that the contract declares for the kind. */
export function ExpectationForm({ calls, saved, onClose }: ExpectationFormProps) {
  const { scope } = useSettings()
  const list = ({ kind }: Pick<Values, 'kind'>) => listFields(kind, scope.kind)
  const { values, errors, isTouched, set, save } = useRecordForm<WholeExpectation, Values, ExpectationCreation>({
    calls,
    initial: saved,
    read: readValues,
    makeBody: (typed) => makeBody(typed, list(typed)),
    describe: ({ kind, branch = '', alias }) => `The expectation ${nameExpectation({ kind, branch, alias })} is saved.`,
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title={saved ? `Edit the expectation ${nameExpectation(saved.value)}` : 'Add an expectation'}
      confirm={saved ? 'Save' : 'Add expectation'}
      isTouched={isTouched}
      errors={errors}
      onConfirm={save}
      onClose={onClose}
    >
      <ExpectationFields fields={list(values)} isNew={!saved} values={values} errors={errors} set={set} />
    </ConfirmDialog>
  )
}
