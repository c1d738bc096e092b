import type { VNode } from 'preact'
import { CheckboxControl, ChoicesControl, SelectControl } from './choice-controls.tsx'
import type { ControlProps } from './field.tsx'
import type { ControlName } from './form-field.ts'
import { SigningSecretControl, StoredControl } from './secret-controls.tsx'
import { DocumentControl, LinesControl, TextControl } from './text-controls.tsx'
import type { Form } from './use-form.ts'

const controls: Readonly<Record<ControlName, (props: ControlProps) => VNode>> = {
  text: TextControl,
  url: TextControl,
  number: TextControl,
  time: TextControl,
  search: TextControl,
  lines: LinesControl,
  objects: LinesControl,
  object: TextControl,
  document: DocumentControl,
  select: SelectControl,
  radio: ChoicesControl,
  checkboxes: ChoicesControl,
  checkbox: CheckboxControl,
  secret: StoredControl,
  headers: StoredControl,
  'signing-secret': SigningSecretControl,
}

/** The fields of a form, each with its control. */
export function FormFields({ form: { fields, values, errors, set } }: { readonly form: Form }) {
  return (
    <>
      {fields.map((field, place) => {
        const Control = controls[field.control]
        return (
          <Control
            key={field.name}
            field={field}
            value={values[field.name]}
            error={errors[field.name]}
            isFirst={place === 0}
            onChange={(value) => set({ [field.name]: value })}
          />
        )
      })}
    </>
  )
}
