import { useState } from 'preact/hooks'
import { fieldErrors } from '../../parts/failure.tsx'
import { type Action, useAction } from '../../parts/use-action.ts'

/** Messages by the member of the body that they are about. */
export type FieldErrors = Readonly<Record<string, string>>

/** Two actions on one form, saving and testing. What is wrong with a member goes to its field, the rest to the action. */
export function useAttempts() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const saving = useAction()
  const testing = useAction()
  /** Runs a call, unless something is missing already. */
  const attempt = (action: Action, missing: FieldErrors, call: () => Promise<void>) => {
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    action.run(async () => {
      try {
        await call()
      } catch (error) {
        const wrong = fieldErrors(error)
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
