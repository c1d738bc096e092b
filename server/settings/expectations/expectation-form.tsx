import type { Expectation, ExpectationCreation, Versioned } from '@floe/client'
import { ConfirmDialog } from '../components/dialog.tsx'
import type { FieldErrors } from '../failures.ts'
import { TextField } from '../fields/text-field.tsx'
import { useRecordForm } from '../components/use-record-form.ts'
import type { ExpectationCalls } from '../settings-scope.ts'

type ExpectationFormProps = {
  readonly calls: ExpectationCalls
  /** The expectation as it was when editing began; undefined for a new one. */
  readonly saved?: Versioned<Expectation>
  readonly onClose: () => void
}

/** One of `maxAge` and `written` is empty. */
type Values = { readonly branch: string; readonly maxAge: string; readonly written: string; readonly path: string }

/** Adds or changes an expectation. */
export function ExpectationForm({ calls, saved, onClose }: ExpectationFormProps) {
  const { values, errors, isTouched, set, save } = useRecordForm({
    calls,
    initial: saved,
    read,
    makeBody,
    describe: ({ branch }) => `The expectation for ${branch} is saved.`,
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title={saved ? `Edit the expectation for ${saved.value.branch}` : 'Add an expectation'}
      confirm={saved ? 'Save' : 'Add expectation'}
      isTouched={isTouched}
      errors={errors}
      onConfirm={save}
      onClose={onClose}
    >
      <ExpectationFields values={values} errors={errors} set={set} />
    </ConfirmDialog>
  )
}

function read(saved: Expectation | undefined): Values {
  const { branch = 'main', max_age: maxAge, written, path } = saved ?? {}
  return { branch, maxAge: maxAge ?? '', written: String(written ?? ''), path: path ?? '' }
}

function makeBody(values: Values): { body: ExpectationCreation } | { errors: FieldErrors } {
  const demands = readDemands(values)
  const errors = findWrongDemands(demands)
  return errors ? { errors } : { body: { branch: values.branch, path: values.path || null, ...demands } }
}

type Demands = Pick<ExpectationCreation, 'max_age' | 'written'>

/** Reads an age, a share or both. The service refuses a request with both. */
function readDemands({ maxAge, written }: Values): Demands {
  return {
    ...(maxAge.trim() !== '' && { max_age: maxAge.replaceAll(/\s/g, '') }),
    ...(written.trim() !== '' && { written: Number(written) }),
  }
}

/** Finds what the service cannot find: without a demand, it keeps the saved one, and JSON turns `NaN` into null. */
function findWrongDemands({ max_age: maxAge, written }: Demands): FieldErrors | undefined {
  if (written !== undefined) return Number.isFinite(written) ? undefined : { written: 'must be a number such as 0.99' }
  return maxAge === undefined ? { max_age: 'Enter an age such as 6h, or a share of the chunks below.' } : undefined
}

type ExpectationFieldsProps = {
  readonly values: Values
  readonly errors: FieldErrors
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
        hint={
          'At most 1, such as 0.99. In an array that grows, only 1 notices each run that is incomplete. Zarr does ' +
          'not write chunks that hold only the fill value.'
        }
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
