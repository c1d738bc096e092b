import type { Expectation } from '@floe/client'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useSave } from '../components/use-save.ts'
import type { ExpectationCalls } from '../settings-scope.ts'

/** An expectation as it was when editing began. */
export type SavedExpectation = { readonly expectation: Expectation; readonly etag: string | undefined }

type ExpectationFormProps = {
  readonly calls: ExpectationCalls
  /** Undefined for a new expectation. */
  readonly saved?: SavedExpectation
  readonly onClose: () => void
}

type Values = { readonly branch: string; readonly maxAge: string; readonly path: string }

/** Adds or changes an expectation. A change fails if somebody else has changed it since. */
export function ExpectationForm({ calls, saved, onClose }: ExpectationFormProps) {
  const { branch = 'main', max_age: maxAge = '', path = null } = saved?.expectation ?? {}
  const [values, setValues] = useState<Values>({ branch, maxAge, path: path ?? '' })
  const send = async () => {
    const body = { branch: values.branch, max_age: values.maxAge.replaceAll(/\s/g, ''), path: values.path || null }
    await (saved ? calls.update({ id: saved.expectation.id }, body, { ifMatch: saved.etag }) : calls.create(body))
    return undefined
  }
  const message = `The expectation for ${values.branch} is saved.`
  const { errors, save } = useSave({ send, message, onSaved: onClose })
  return (
    <ConfirmDialog
      title={saved ? `Edit the expectation for ${branch}` : 'Add an expectation'}
      confirm={saved ? 'Save' : 'Add expectation'}
      onConfirm={save}
      onClose={onClose}
    >
      <ExpectationFields
        values={values}
        errors={errors}
        set={(changed) => setValues((current) => ({ ...current, ...changed }))}
      />
    </ConfirmDialog>
  )
}

type ExpectationFieldsProps = {
  readonly values: Values
  readonly errors: Readonly<Record<string, string>>
  readonly set: (changed: Partial<Values>) => void
}

function ExpectationFields({ values, errors, set }: ExpectationFieldsProps) {
  const maxAgeHint = (
    <>
      Such as <code>30m</code>, <code>6h</code> or <code>2d</code>; from a minute to ten years.
    </>
  )
  const pathHint = (
    <>
      Leave empty if every commit counts. <code>forecast/**</code> counts only commits that changed the group forecast
      or something below it.
    </>
  )
  return (
    <>
      <TextField
        label="Branch"
        hint="Its name. Floe watches it from now on."
        error={errors['branch']}
        value={values.branch}
        isRequired
        onChange={(branch) => set({ branch })}
      />
      <TextField
        label="A commit at least every"
        hint={maxAgeHint}
        error={errors['max_age']}
        value={values.maxAge}
        isRequired
        onChange={(maxAge) => set({ maxAge })}
      />
      <TextField
        label="Path"
        hint={pathHint}
        error={errors['path']}
        value={values.path}
        onChange={(path) => set({ path })}
      />
    </>
  )
}
