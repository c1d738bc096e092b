import { useState } from 'preact/hooks'

/** The values of a form that has just opened, and those that are typed. */
export function useFormValues<Values extends object>(initial: Values) {
  const [base] = useState(initial)
  const [values, setValues] = useState(base)
  return {
    values,
    isTouched: listDifferences(values, base).length > 0,
    set: (changed: Partial<Values>) => setValues((current) => ({ ...current, ...changed })),
  }
}

/** Lists the names of the values that differ. */
export function listDifferences<Values extends object>(a: Values, b: Values): (keyof Values)[] {
  const names = Object.keys(a) as (keyof Values)[] // every member of the type is there
  return names.filter((name) => String(a[name]) !== String(b[name]))
}
