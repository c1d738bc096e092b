import { useState } from 'preact/hooks'
import { collectFieldErrors } from '../parts/failure.tsx'
import { type Action, useAction } from '../parts/use-action.ts'

/** Messages, by the member of the request body that they concern. */
export type FieldErrors = Readonly<Record<string, string>>

/** Runs the saving and the testing of one form. Errors about a member are shown at its field, others at the action. */
export function useAttempts() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const saving = useAction()
  const testing = useAction()
  /** Runs a call, unless values are missing. */
  const attempt = (action: Action, missing: FieldErrors, call: () => Promise<void>) => {
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    action.run(async () => {
      try {
        await call()
      } catch (error) {
        const wrong = collectFieldErrors(error)
        if (!wrong) throw error
        setErrors(wrong)
      }
    })
  }
  return {
    errors,
    saving,
    testing,
    save: (missing: FieldErrors, call: () => Promise<void>) => attempt(saving, missing, call),
    test: (missing: FieldErrors, call: () => Promise<void>) => attempt(testing, missing, call),
  }
}
