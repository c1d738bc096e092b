import type { Versioned } from '@floe/client'
import { useState } from 'preact/hooks'
import { useNotify } from './notice-board.tsx'
import { collectFieldErrors, type FieldErrors, isConflict } from '../failures.ts'
import { useSettings } from '../settings-context.ts'
import type { RecordCalls } from '../settings-scope.ts'
import { useFormValues } from '../hooks/use-form-values.ts'

type RecordFormOptions<Whole, Values, Body> = {
  readonly calls: RecordCalls<unknown, Whole, Body, Body>
  /** The record as it was when editing began; undefined for a new one. */
  readonly initial: Versioned<Whole> | undefined
  /** Reads the values of a saved record, or those that the form of a new one begins with. */
  readonly read: (record: Whole | undefined) => Values
  /** Makes the body of the request, or says what is wrong with fields if it can tell without the service. */
  readonly makeBody: (values: Values) => { readonly body: Body } | { readonly errors: FieldErrors }
  /** What is shown when the values are saved. */
  readonly describe: (values: Values) => string
  readonly onSaved: () => void
}

/** Somebody else has changed the record; the form has taken their changes. */
class ConflictError extends Error {
  override readonly name = 'ConflictError'

  constructor() {
    super(
      'Somebody else has changed this since you opened it. Your changes are kept; the rest shows their version. ' +
        'Check it, then save again.',
    )
  }
}

/**
 * Holds the state of the form of a record: the typed values, and what is wrong with its fields, by their names. `save`
 * rejects with other failures.
 */
export function useRecordForm<Whole extends { readonly id: string }, Values extends object, Body>(
  options: RecordFormOptions<Whole, Values, Body>,
) {
  const { calls, initial, read, makeBody, describe, onSaved } = options
  const { refresh } = useSettings()
  const notify = useNotify()
  const [saved, setSaved] = useState(initial)
  const { values, changed, set, rebase } = useFormValues(() => read(initial?.value))
  const [errors, setErrors] = useState<FieldErrors>({})
  const update = async ({ value: { id }, etag }: Versioned<Whole>, body: Body) => {
    try {
      await calls.update({ id }, body, { ifMatch: etag })
    } catch (error) {
      if (!isConflict(error)) throw error
      const latest = await calls.get({ id })
      setSaved(latest)
      rebase(read(latest.value))
      throw new ConflictError()
    }
  }
  const save = async () => {
    const made = makeBody(values)
    setErrors('errors' in made ? made.errors : {})
    if ('errors' in made) return
    try {
      await (saved ? update(saved, made.body) : calls.create(made.body))
    } catch (error) {
      const fieldErrors = collectFieldErrors(error)
      if (!fieldErrors) throw error
      setErrors(fieldErrors)
      return
    }
    notify(describe(values))
    refresh()
    onSaved()
  }
  return { values, errors, isTouched: changed.length > 0, set, save }
}
