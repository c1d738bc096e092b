import { useState } from 'preact/hooks'

/** The values that are typed in a form, and the saved ones that they are compared with. */
export function useFormValues<Values extends object>(initial: Values | (() => Values)) {
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(base)
  return {
    values,
    base,
    /** The names of the values that the user has changed. */
    changed: listDifferences(values, base),
    set: (changed: Partial<Values>) => setValues((current) => ({ ...current, ...changed })),
    /** Takes the values that somebody else has saved, except where the user has changed them. */
    rebase: (latest: Values) => {
      setValues((current) => rebase(current, base, latest))
      setBase(latest)
    },
  }
}

/** Lists the names of the values that differ. */
export function listDifferences<Values extends object>(a: Values, b: Values): (keyof Values)[] {
  const names = Object.keys(a) as (keyof Values)[] // every member of the type is there
  return names.filter((name) => String(a[name]) !== String(b[name]))
}

function rebase<Values extends object>(typed: Values, base: Values, latest: Values): Values {
  const changed = listDifferences(typed, base).map((name) => [name, typed[name]])
  return { ...latest, ...Object.fromEntries(changed) }
}
