// The state of the form of one receiver: the typed values, their errors, and the calls to the service.
import { defaultFilter, type EventFilter, type ReceiverKind } from '@floe/contract/lists'
import type { ReceiverToTest, TestResult, Warning } from '@floe/client'
import { useState } from 'preact/hooks'
import { collectFieldErrors, type FieldErrors, isConflict } from '../failures.ts'
import { type Action, useAction } from '../hooks/use-action.ts'
import { listDifferences, useFormValues } from '../hooks/use-form-values.ts'
import type { Receiver } from '../receiver.ts'
import { type Settings, useSettings } from '../settings-context.ts'
import { findMissingValues, type FormValues, makeBody, makeNewValues, pickChanges, readValues } from './form-values.ts'

/** A receiver as it was when the form read it. */
export type Saved = { readonly receiver: Receiver; readonly etag: string | undefined }

/** Values that do not affect a test. */
const untested: ReadonlySet<string> = new Set(['alias', ...Object.keys(defaultFilter)])

/** Loads a receiver to be edited. */
export async function loadSaved({ scope }: Settings, { id }: Receiver): Promise<Saved> {
  const { value, etag } = await scope.receivers.get({ id })
  return { receiver: value, etag }
}

/** The typed values and the saved receiver that they are compared with. */
function useValues(kind: ReceiverKind, initial: Saved | undefined) {
  const settings = useSettings()
  const [saved, setSaved] = useState(initial)
  const { rebase, ...form } = useFormValues(() =>
    saved ? readValues(saved.receiver) : makeNewValues(kind, settings.scope.kind),
  )
  const rebaseOnLatest = async (stale: Saved) => {
    const latest = await loadSaved(settings, stale.receiver)
    setSaved(latest)
    rebase(readValues(latest.receiver))
  }
  /** After somebody else's change: the values that saving again would overwrite. */
  const overwritten = saved === initial ? undefined : form.changed
  return { ...form, saved, overwritten, rebaseOnLatest }
}

/**
 * Holds the state of the form.
 *
 * @param initial - the receiver that is edited; undefined for a new one
 */
export function useReceiverForm(kind: ReceiverKind, initial: Saved | undefined) {
  const { scope } = useSettings()
  const calls = scope.receivers
  const { saved, base, values, changed, set, overwritten, rebaseOnLatest } = useValues(kind, initial)
  const [tested, setTested] = useState<{ readonly values: FormValues; readonly result: TestResult }>()
  const { errors, saving, testing, attempt } = useAttempts()
  const missing = findMissingValues(values, saved?.receiver.kind === 'chat')
  const body = makeBody(kind, values)
  const changes = pickChanges(body, makeBody(kind, base))
  return {
    saved,
    values,
    isTouched: changed.length > 0,
    errors,
    /** The result of the last test; undefined once a value that affects it has changed. */
    result:
      tested && listDifferences(tested.values, values).every((name) => untested.has(name)) ? tested.result : undefined,
    overwritten,
    saving,
    testing,
    set,
    test: () =>
      attempt(testing, omitUntested(missing), async () => {
        setTested(undefined)
        const candidate = saved
          ? { kind, id: saved.receiver.id, ...omitUntested(changes) }
          : { kind, ...omitUntested(body) }
        // The members of a body are those of its kind.
        setTested({ values, result: await calls.test(candidate as ReceiverToTest) })
      }),
    save: (onSaved: (warnings: readonly Warning[]) => void) =>
      attempt(saving, missing, async () => {
        try {
          const { value } = await (saved
            ? calls.update({ id: saved.receiver.id }, { kind, ...changes }, { ifMatch: saved.etag })
            : calls.create({ kind, ...body }))
          onSaved(value.warnings)
        } catch (error) {
          if (!saved || !isConflict(error)) throw error
          await rebaseOnLatest(saved)
        }
      }),
  }
}

export type ReceiverFormState = ReturnType<typeof useReceiverForm>

function omitUntested<Body extends object>(body: Body) {
  const tested = Object.entries(body).filter(([name]) => !untested.has(name))
  return Object.fromEntries(tested) as Omit<Body, 'alias' | keyof EventFilter> // the other members of the body
}

/**
 * Runs the calls of a form, unless values are missing. An error about a field is shown there, others at the buttons.
 */
function useAttempts() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const saving = useAction()
  const testing = useAction()
  const attempt = (action: Action, missing: FieldErrors, call: () => Promise<void>) => {
    setErrors(missing)
    // Neither action's last error is about this attempt.
    saving.clear()
    testing.clear()
    if (Object.keys(missing).length > 0) return
    action.run(async () => {
      try {
        await call()
      } catch (error) {
        const fieldErrors = collectFieldErrors(error)
        if (!fieldErrors) throw error
        setErrors(fieldErrors)
      }
    })
  }
  return { errors, saving, testing, attempt }
}
