import type { Receiver } from '@floe/client'
import { useCallback, useState } from 'preact/hooks'
import { useSettings } from '../settings-context.ts'
import { Button } from '../components/button.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { FormDialog } from '../fields/form-dialog.tsx'
import type { FormField } from '../fields/form-field.ts'
import { useForm } from '../fields/use-form.ts'
import { useAction } from '../hooks/use-action.ts'
import { usePolling } from '../hooks/use-polling.ts'

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

const fields: readonly FormField[] = [
  { name: 'since', label: 'Since', control: 'time', isRequired: true },
  { name: 'until', label: 'Until', hint: 'Leave empty for everything until now.', control: 'time' },
  {
    name: 'choice',
    label: 'Which events?',
    control: 'radio',
    options: [
      { value: 'failed', text: 'Only those given up or discarded' },
      { value: 'all', text: 'All', hint: 'Also those delivered. Receivers that ignore known ids ignore these.' },
      { value: 'new', text: 'All, as new', hint: 'With new ids, which receivers do not ignore.' },
    ],
  },
]

type Typed = { readonly since: string; readonly until?: string; readonly choice: string }

function ReplayDialog({ webhook: { id, alias }, onChange, onClose }: ReplayProps & { readonly onClose: () => void }) {
  const { scope } = useSettings()
  const notify = useNotify()
  const form = useForm(
    () => fields,
    () => ({ choice: 'failed' }),
  )
  const replay = () =>
    form.send<Typed>(fields, async ({ choice, ...period }) => {
      const selection = { ...period, all: choice !== 'failed', as_new: choice === 'new' }
      const { queued } = await scope.receivers.replay({ id }, selection)
      onClose()
      notify(
        queued === 0 ? `Nothing to replay to ${alias}.` : `${countDeliveries(queued)} to ${alias} will be sent again.`,
      )
      onChange()
    })
  return (
    <FormDialog form={form} title={`Replay events to ${alias}`} confirm="Replay" onConfirm={replay} onClose={onClose}>
      <p class="hint">They are sent in order, after all new events. At most 10,000 at once.</p>
    </FormDialog>
  )
}

function countDeliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en')} deliveries`
}
