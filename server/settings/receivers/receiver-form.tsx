import type { Receiver, ReceiverChange, ReceiverCreation, ReceiverToTest, TestResult, Versioned } from '@floe/client'
import { defaultFilter, type ReceiverKind } from '@floe/contract/lists'
import { useState } from 'preact/hooks'
import type { FieldValues } from '../fields/field-values.ts'
import { FormDialog } from '../fields/form-dialog.tsx'
import type { FormField } from '../fields/form-field.ts'
import { useRecordForm } from '../records/use-record-form.ts'
import { useSettings } from '../settings-context.ts'
import { listFields, readReceiver } from './receiver-fields.ts'
import { TestOutcome } from './test-outcome.tsx'

type ReceiverFormProps = {
  readonly kind: ReceiverKind
  /** The receiver as it was when editing began; undefined for a new one. */
  readonly initial?: Versioned<Receiver>
  readonly onClose: () => void
}

/** Adds or changes a webhook or chat, and tests what is typed. */
export function ReceiverForm({ kind, initial, onClose }: ReceiverFormProps) {
  const { scope } = useSettings()
  const describe = (saved: Receiver | undefined) => ({ kind, scope: scope.kind, saved })
  const { form, saved, save } = useRecordForm<Receiver, ReceiverCreation, ReceiverChange>({
    calls: scope.receivers,
    initial,
    kindOf: () => kind,
    listFields: (values, record) => listFields(describe(record), values),
    readRecord: (record) => readReceiver(describe(record)),
    nameRecord: ({ alias }) => alias?.trim() ?? '',
    onSaved: onClose,
  })
  const [isTesting, setTesting] = useState(false)
  const [tested, setTested] = useState<{ readonly values: FieldValues; readonly result: TestResult }>()
  const test = () =>
    form.send<ReceiverToTest>(
      (saved ? form.changed : form.fields).filter(affectsTest),
      async (candidate) => {
        setTested(undefined)
        setTesting(true)
        try {
          setTested({ values: form.values, result: await scope.receivers.test(candidate) })
        } finally {
          setTesting(false)
        }
      },
      { kind, ...(saved && { id: saved.value.id }) },
    )
  const isCurrent = form.fields.filter(affectsTest).every(({ name }) => tested?.values[name] === form.values[name])
  return (
    <FormDialog
      form={form}
      title={initial ? `Edit ${initial.value.alias}` : `Add a ${kind}`}
      size="large"
      confirm={saved ? 'Save' : `Add ${kind}`}
      onConfirm={save}
      other={{ text: 'Test', busyText: 'Testing…', run: test }}
      onClose={onClose}
    >
      <TestOutcome isBusy={isTesting} result={isCurrent ? tested?.result : undefined} />
    </FormDialog>
  )
}

/** Whether a test depends on a field. Of the settings, only the format changes the request of a test. */
function affectsTest({ name }: FormField): boolean {
  return name === 'format' || (name !== 'alias' && !Object.hasOwn(defaultFilter, name))
}
