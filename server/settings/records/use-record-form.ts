import type { ChangeOptions, Versioned, Warning } from '@floe/client'
import { useState } from 'preact/hooks'
import { useNotify } from '../components/notice-board.tsx'
import { isConflict } from '../failures.ts'
import type { FieldValues } from '../fields/field-values.ts'
import type { FormField } from '../fields/form-field.ts'
import { useForm } from '../fields/use-form.ts'
import { useSettings } from '../settings-context.ts'

type Saved = Versioned<{ readonly id: string; readonly warnings?: readonly Warning[] }>

/** The calls for records of one kind. `Whole` is a record that is loaded by its id. */
type RecordCalls<Whole, New, Change> = {
  readonly get: (record: { readonly id: string }) => Promise<Versioned<Whole>>
  readonly create: (record: New) => Promise<Saved>
  readonly update: (record: { readonly id: string }, change: Change, call?: ChangeOptions) => Promise<Saved>
}

type RecordFormOptions<Whole, New, Change> = {
  readonly calls: RecordCalls<Whole, New, Change>
  /** The record as it was when editing began; undefined for a new one. */
  readonly initial: Versioned<Whole> | undefined
  /** The kind of the record, which each request says. */
  readonly kindOf: (values: FieldValues) => string
  /** Lists the fields that are shown while these values are typed. */
  readonly listFields: (values: FieldValues, saved: Whole | undefined) => readonly FormField[]
  /** Makes the values of a saved record, or those that the form of a new one begins with. */
  readonly readRecord: (saved: Whole | undefined) => FieldValues
  /** Names the record at the beginning of a sentence. */
  readonly nameRecord: (values: FieldValues) => string
  readonly onSaved: () => void
}

/** Holds the form of a record. `save` sends a new record as a whole, and of a saved one what was changed. */
export function useRecordForm<Whole extends { readonly id: string }, New, Change>(
  options: RecordFormOptions<Whole, New, Change>,
) {
  const { calls, initial, kindOf, listFields, readRecord, nameRecord, onSaved } = options
  const { refresh } = useSettings()
  const notify = useNotify()
  const [saved, setSaved] = useState(initial)
  const form = useForm(
    (values) => listFields(values, saved?.value),
    () => readRecord(initial?.value),
  )
  const kind = kindOf(form.values)
  const finish = ({ value: { warnings } }: Saved) => {
    notify(`${nameRecord(form.values)} is saved.`, warnings)
    refresh()
    onSaved()
  }
  const update = async ({ value: { id }, etag }: Versioned<Whole>, change: Change) => {
    try {
      finish(await calls.update({ id }, change, { ifMatch: etag }))
    } catch (error) {
      if (!isConflict(error)) throw error
      const latest = await calls.get({ id })
      setSaved(latest)
      form.rebase(readRecord(latest.value))
    }
  }
  const save = () =>
    saved
      ? form.send<Change>(form.changed, (change) => update(saved, change), { kind })
      : form.send<New>(form.fields, async (record) => finish(await calls.create(record)), { kind })
  return { form, saved, save }
}
