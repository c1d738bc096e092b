import { type ExpectationKindName, expectationKindNames } from '@floe/contract/lists'
import { Message } from '../components/message.tsx'
import type { FieldErrors } from '../failures.ts'
import { Field, Select } from '../fields/field.tsx'
import { LinesField } from '../fields/lines-field.tsx'
import { expectationForms } from '../generated/expectation-forms.ts'
import { DocumentFields } from './document-fields.tsx'
import type { FormField } from '../fields/form-field.ts'
import type { Values } from './form-values.ts'

type ExpectationFieldsProps = {
  readonly fields: readonly FormField[]
  /** Whether the kind can be chosen. */
  readonly isNew: boolean
  readonly values: Values
  readonly errors: FieldErrors
  readonly set: (changed: Partial<Values>) => void
}

/** The choice of a kind, and its fields. */
export function ExpectationFields({ fields, isNew, values, errors, set }: ExpectationFieldsProps) {
  return (
    <>
      {isNew && <KindField kind={values.kind} set={set} />}
      {fields.map((field) => (
        <KindMember
          key={field.name}
          field={field}
          error={errors[field.name]}
          value={values[field.name] ?? ''}
          onChange={(value) => set({ [field.name]: value })}
        />
      ))}
    </>
  )
}

// Object.fromEntries cannot express that each name is there.
const kinds = Object.fromEntries(expectationKindNames.map((name) => [name, expectationForms[name].title])) as Readonly<
  Record<ExpectationKindName, string>
>

function KindField({ kind, set }: Pick<ExpectationFieldsProps, 'set'> & Pick<Values, 'kind'>) {
  return (
    <Field label="Kind" hint={<Message text={expectationForms[kind].meaning} />}>
      {(control) => (
        <Select
          {...control}
          options={kinds}
          value={kind}
          onChange={(chosen) => chosen !== '' && set({ kind: chosen })}
        />
      )}
    </Field>
  )
}

type KindMemberProps = {
  readonly field: FormField
  readonly error: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field with the control of its type, and with the limits of the contract. */
function KindMember({ field, error, value, onChange }: KindMemberProps) {
  const { label, control: type, isRequired: required, options = [], isWhole, pattern, minLength, maxLength } = field
  const hint = field.hint && <Message text={field.hint} />
  const shared = { label, hint, error }
  if (type === 'document') return <DocumentFields text={value} error={error} onText={onChange} />
  if (type === 'lines') return <LinesField {...shared} required={required} value={value} onChange={onChange} />
  if (type === 'select') {
    const texts = Object.fromEntries(options.map((option) => [option, option]))
    return (
      <Field {...shared}>
        {(control) => (
          <Select {...control} options={texts} none={required ? undefined : ''} value={value} onChange={onChange} />
        )}
      </Field>
    )
  }
  const limits =
    type === 'number'
      ? { type, min: field.min, max: field.max, step: isWhole ? 1 : 'any' }
      : { pattern, minLength, maxLength }
  return (
    <Field {...shared}>
      {(control) => (
        <input
          {...control}
          {...limits}
          value={value}
          required={required}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
