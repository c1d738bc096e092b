import type { Expectation, NewExpectation } from '@floe/client'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useSave } from '../components/use-save.ts'
import { useFormValues } from '../hooks/use-form-values.ts'
import type { ExpectationCalls } from '../settings-scope.ts'

/** An expectation as it was when editing began. */
export type SavedExpectation = { readonly expectation: Expectation; readonly etag: string | undefined }

type ExpectationFormProps = {
  readonly calls: ExpectationCalls
  /** Undefined for a new expectation. */
  readonly saved?: SavedExpectation
  readonly onClose: () => void
}

/** One of `maxAge` and `written` is empty. */
type Values = { readonly branch: string; readonly maxAge: string; readonly written: string; readonly path: string }

/** Adds or changes an expectation. A change fails if somebody else has changed it since. */
export function ExpectationForm({ calls, saved, onClose }: ExpectationFormProps) {
  const { branch = 'main', max_age: maxAge = null, written = null, path = null } = saved?.expectation ?? {}
  const { values, isTouched, set } = useFormValues<Values>({
    branch,
    maxAge: maxAge ?? '',
    written: String(written ?? ''),
    path: path ?? '',
  })
  const send = async () => {
    const demands = readDemands(values)
    const wrong = findWrongDemands(demands)
    if (wrong) return wrong
    const body = { branch: values.branch, path: values.path || null, ...demands }
    await (saved ? calls.update({ id: saved.expectation.id }, body, { ifMatch: saved.etag }) : calls.create(body))
    return undefined
  }
  const message = `The expectation for ${values.branch} is saved.`
  const { errors, save } = useSave({ send, message, onSaved: onClose })
  return (
    <ConfirmDialog
      title={saved ? `Edit the expectation for ${branch}` : 'Add an expectation'}
      confirm={saved ? 'Save' : 'Add expectation'}
      isTouched={isTouched}
      onConfirm={save}
      onClose={onClose}
    >
      <ExpectationFields values={values} errors={errors} set={set} />
    </ConfirmDialog>
  )
}

type Demands = Pick<NewExpectation, 'max_age' | 'written'>

/** Reads an age, a share or both. The service refuses a request with both. */
function readDemands({ maxAge, written }: Values): Demands {
  return {
    ...(maxAge.trim() !== '' && { max_age: maxAge.replaceAll(/\s/g, '') }),
    ...(written.trim() !== '' && { written: Number(written) }),
  }
}

/** Finds what the service cannot find: without a demand, it keeps the saved one, and JSON turns `NaN` into null. */
function findWrongDemands({ max_age: maxAge, written }: Demands) {
  if (written !== undefined) return Number.isFinite(written) ? undefined : { written: 'must be a number such as 0.99' }
  return maxAge === undefined ? { max_age: 'Enter an age such as 6h, or a share of the chunks below.' } : undefined
}

type ExpectationFieldsProps = {
  readonly values: Values
  readonly errors: Readonly<Record<string, string>>
  readonly set: (changed: Partial<Values>) => void
}

function ExpectationFields({ values, errors, set }: ExpectationFieldsProps) {
  const maxAgeHint = (
    <>
      Such as <code>30m</code>, <code>6h</code> or <code>2d</code>; from a minute to ten years. Leave empty if written
      chunks are expected instead.
    </>
  )
  const pathHint = (
    <>
      Leave empty if all commits or arrays count. With <code>forecast/**</code>, only commits that changed the group
      forecast or something below it count, or only arrays below it.
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
        onChange={(maxAge) => set({ maxAge })}
      />
      <TextField
        label="Or a share of the chunks of each array written"
        hint="At most 1, such as 0.99. Zarr does not write chunks that hold only the fill value."
        error={errors['written']}
        value={values.written}
        onChange={(written) => set({ written })}
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
