import { useState } from 'preact/hooks'
import { useNotify } from './notice-board.tsx'
import { collectFieldErrors } from '../failures.ts'
import { useSettings } from '../settings-context.ts'

type FieldErrors = Readonly<Record<string, string>>

type SaveOptions = {
  /** Sends the values of the form. Returns what is wrong with its fields if it can tell without the service. */
  readonly send: () => Promise<FieldErrors | undefined>
  /** What is shown when the values are saved. */
  readonly message: string
  readonly onSaved: () => void
}

/** Saves a form, and keeps what is wrong with its fields, by their names. Other failures are thrown. */
export function useSave({ send, message, onSaved }: SaveOptions) {
  const { refresh } = useSettings()
  const notify = useNotify()
  const [errors, setErrors] = useState<FieldErrors>({})
  const save = async () => {
    setErrors({})
    const found = await send().catch((error: unknown) => {
      const fieldErrors = collectFieldErrors(error)
      if (!fieldErrors) throw error
      return fieldErrors
    })
    if (found) {
      setErrors(found)
      return
    }
    notify(message)
    refresh()
    onSaved()
  }
  return { errors, save }
}
