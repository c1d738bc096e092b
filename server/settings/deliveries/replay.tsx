import { useCallback, useState } from 'preact/hooks'
import { useSettings } from '../settings-context.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { Choices, Field } from '../fields/field.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { TimeInput, toInstant } from '../fields/time-input.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useFormValues } from '../hooks/use-form-values.ts'
import { usePolling } from '../hooks/use-polling.ts'
import type { Receiver } from '../receiver.ts'

type ReplayProps = { readonly webhook: Receiver; readonly onChange: () => void }

const pollMs = 2_000

/** Sends the events of a period to a webhook again, and shows how many are still waiting. */
export function Replay({ webhook, onChange }: ReplayProps) {
  const { id } = webhook
  const { scope } = useSettings()
  const { data, error, refresh } = usePolling(
    useCallback((signal) => scope.receivers.getReplay({ id }, { signal }), [scope, id]),
    pollMs,
  )
  const [isOpen, setOpen] = useState(false)
  const cancellation = useAction()
  const update = () => {
    refresh()
    onChange()
  }
  const cancel = () =>
    cancellation.run(async () => {
      await scope.receivers.cancelReplay({ id })
      update()
    })
  return (
    <div class="replay">
      <Button onClick={() => setOpen(true)}>Replay events</Button>
      <p role="status">{data !== undefined && data.waiting > 0 && <Progress {...data} />}</p>
      {data !== undefined && data.waiting > 0 && (
        <Button tone="quiet" isBusy={cancellation.isBusy} label="Cancel the replay" onClick={cancel}>
          Cancel
        </Button>
      )}
      <FailureNote error={cancellation.error ?? (data === undefined ? error : undefined)} />
      {isOpen && <ReplayDialog webhook={webhook} onChange={update} onClose={() => setOpen(false)} />}
    </div>
  )
}

type ProgressProps = { readonly waiting: number; readonly next_event_at: string | null }

function Progress({ waiting, next_event_at }: ProgressProps) {
  return (
    <>
      {countDeliveries(waiting)} to send again.{' '}
      {next_event_at !== null && (
        <>
          The next event was recorded <Moment at={next_event_at} />.
        </>
      )}
    </>
  )
}

const choices = [
  { value: 'failed', text: 'Only those given up or discarded' },
  { value: 'all', text: 'All', hint: 'Also those delivered. Receivers that ignore known ids ignore these.' },
  { value: 'new', text: 'All, as new', hint: 'With new ids, which receivers do not ignore.' },
] as const

type Values = { readonly since: string; readonly until: string; readonly choice: (typeof choices)[number]['value'] }

const emptyValues: Values = { since: '', until: '', choice: 'failed' }

function ReplayDialog({ webhook: { id, alias }, onChange, onClose }: ReplayProps & { readonly onClose: () => void }) {
  const { scope } = useSettings()
  const notify = useNotify()
  const { values, changed, set } = useFormValues(emptyValues)
  const { since, until, choice } = values
  const replay = async () => {
    const { queued } = await scope.receivers.replay(
      { id },
      {
        since: toInstant(since),
        ...(until !== '' && { until: toInstant(until) }),
        all: choice !== 'failed',
        as_new: choice === 'new',
      },
    )
    onClose()
    notify(
      queued === 0 ? `Nothing to replay to ${alias}.` : `${countDeliveries(queued)} to ${alias} will be sent again.`,
    )
    onChange()
  }
  return (
    <ConfirmDialog
      title={`Replay events to ${alias}`}
      confirm="Replay"
      isTouched={changed.length > 0}
      onConfirm={replay}
      onClose={onClose}
    >
      <Field label="Since">
        {(control) => <TimeInput {...control} required value={since} onChange={(since) => set({ since })} />}
      </Field>
      <Field label="Until" hint="Leave empty for everything until now.">
        {(control) => <TimeInput {...control} value={until} onChange={(until) => set({ until })} />}
      </Field>
      <Choices legend="Which events?" options={choices} value={choice} onChange={(choice) => set({ choice })} />
      <p class="hint">They are sent in order, after all new events. At most 10,000 at once.</p>
    </ConfirmDialog>
  )
}

function countDeliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en')} deliveries`
}
