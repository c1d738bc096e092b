import type { ExpectationChange, ExpectationCreation, Versioned } from '@floe/client'
import { defaultSeverity, expectationKindNames } from '@floe/contract/lists'
import { type FieldValues, writeValues } from '../fields/field-values.ts'
import { FormDialog } from '../fields/form-dialog.tsx'
import type { FormField } from '../fields/form-field.ts'
import { expectationForms } from '../generated/forms.ts'
import { useRecordForm } from '../records/use-record-form.ts'
import { useSettings } from '../settings-context.ts'
import type { WholeExpectation } from '../settings-scope.ts'
import { findForm, listFields, nameExpectation } from './describe-expectation.ts'

type ExpectationFormProps = {
  /** The expectation as it was when editing began; undefined for a new one. */
  readonly initial?: Versioned<WholeExpectation>
  readonly onClose: () => void
}

/** The members that the form of a new expectation begins with. */
const newExpectation = { kind: 'freshness', branch: 'main', severity: defaultSeverity, repos: ['**'] }

/** Adds or changes an expectation. Its fields are those that the contract declares for the kind. */
export function ExpectationForm({ initial, onClose }: ExpectationFormProps) {
  const { scope } = useSettings()
  const { form, saved, save } = useRecordForm<WholeExpectation, ExpectationCreation, ExpectationChange>({
    calls: scope.expectations,
    initial,
    kindOf: ({ kind }) => kind ?? '',
    listFields: ({ kind }, saved) => [...(saved ? [] : [kindField(kind)]), ...listFields(kind, scope.kind)],
    readRecord: (record) => writeValues(allFields, record ?? newExpectation),
    nameRecord: (values) => `The expectation ${nameValues(values)}`,
    onSaved: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={saved ? `Edit the expectation ${nameExpectation(saved.value)}` : 'Add an expectation'}
      confirm={saved ? 'Save' : 'Add expectation'}
      onConfirm={save}
      onClose={onClose}
    />
  )
}

function nameValues({ kind, branch, alias }: FieldValues): string {
  return nameExpectation({ kind: kind ?? '', branch: branch ?? '', alias })
}

/** The choice of a kind, with what the chosen one means. */
function kindField(kind: FieldValues[string]): FormField {
  const options = expectationKindNames.map((name) => ({ value: name, text: expectationForms[name].title }))
  const hint = findForm(kind).meaning
  return { name: 'kind', label: 'Kind', hint, control: 'select', isRequired: true, options }
}

const allFields = [kindField('freshness'), ...Object.values(expectationForms).flatMap(({ fields }) => fields)]
