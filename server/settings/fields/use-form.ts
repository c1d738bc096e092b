import { useState } from 'preact/hooks'
import { collectFieldErrors, type FieldErrors } from '../failures.ts'
import { type FieldValues, findFaults, readValues } from './field-values.ts'
import type { FormField } from './form-field.ts'

export type Form = ReturnType<typeof useForm>

/**
 * Holds what is typed in a form, and what is wrong with its fields.
 *
 * @param listFields - lists the fields, which may depend on what is typed
 * @param initial - the values of the fields when the form opens
 */
export function useForm(listFields: (values: FieldValues) => readonly FormField[], initial: () => FieldValues) {
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(base)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isTouched, setTouched] = useState(false)
  const [isRebased, setRebased] = useState(false)
  const fields = listFields(values)
  return {
    fields,
    values,
    errors,
    /** Whether closing the form would lose something. */
    isTouched,
    /** Whether the form has taken the changes of somebody else. */
    isRebased,
    /** The fields whose values would be changed. */
    changed: fields.filter(({ name }) => values[name] !== base[name]),
    set: (changed: FieldValues) => {
      setTouched(true)
      setValues((current) => ({ ...current, ...changed }))
    },
    /** Takes the values that somebody else has saved, except where the user has changed them. */
    rebase: (latest: FieldValues) => {
      setRebased(true)
      setBase(latest)
      setValues((current) => {
        const typed = Object.entries(current).filter(([name, value]) => value !== base[name])
        return { ...latest, ...Object.fromEntries(typed) }
      })
    },
    /**
     * Passes the members that some fields make to `call`, unless one of them has a fault. `others` are members without
     * a field. What the service refuses is shown at its field; other failures are thrown.
     */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the caller sends
    send: async <Body>(sent: readonly FormField[], call: (body: Body) => Promise<void>, others: object = {}) => {
      const faults = findFaults(sent, values)
      setErrors(faults)
      if (Object.keys(faults).length > 0) return
      try {
        await call({ ...others, ...readValues(sent, values) } as Body) // The service refuses what is none.
      } catch (error) {
        const fieldErrors = collectFieldErrors(error)
        if (!fieldErrors) throw error
        setErrors(fieldErrors)
      }
    },
  }
}
