import type { Resume } from '@floe/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { type Receiver, serviceNames } from '../receiver-form/receiver.ts'
import { ReceiverForm } from '../receiver-form/receiver-form.tsx'
import { ReceiverState } from './receiver-state.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EnableDialog } from './enable-dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { useNotify } from '../parts/notice-board.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useAction } from '../parts/use-action.ts'
import { loadSaved, type Saved } from '../receiver-form/use-receiver-form.ts'

type ReceiverRowProps = {
  readonly receiver: Receiver
  readonly onChange: () => void
  /** Called with the row before it goes, because the receiver has been deleted, here or by somebody else. Stays the same. */
  readonly onGone: (row: HTMLElement) => void
  readonly onShowDeliveries: (id: string) => void
}

type OpenDialog = 'test' | 'enable' | 'rotate' | 'delete'

/** A webhook or chat with its state and its actions. */
export function ReceiverRow({ receiver, onChange, onGone, onShowDeliveries }: ReceiverRowProps) {
  const [open, setOpen] = useState<OpenDialog>()
  const [edited, setEdited] = useState<Saved>()
  const row = useRef<HTMLLIElement>(null)
  const floe = useFloe()
  const { isBusy, error, run } = useAction()
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (element) onGone(element)
    }
  }, [onGone])
  const setEnabled = useSetEnabled(receiver, onChange)
  const toggle = () => {
    if (!receiver.enabled && receiver.held > 0) setOpen('enable')
    else run(() => setEnabled(!receiver.enabled))
  }
  const edit = () => run(async () => setEdited(await loadSaved(floe, receiver)))
  const dialog = { receiver, onChange, onClose: () => setOpen(undefined) }
  return (
    <li ref={row} class="receiver">
      <Identity receiver={receiver} />
      <ReceiverState receiver={receiver} />
      <RowActions
        receiver={receiver}
        isBusy={isBusy}
        onOpen={setOpen}
        onEdit={edit}
        onToggle={toggle}
        onShowDeliveries={() => onShowDeliveries(receiver.id)}
      />
      <FailureNote error={error} />
      {edited && (
        <ReceiverForm kind={receiver.kind} initial={edited} onSaved={onChange} onClose={() => setEdited(undefined)} />
      )}
      {open === 'test' && <TestDialog {...dialog} />}
      {open === 'enable' && <EnableDialog {...dialog} setEnabled={setEnabled} />}
      {open === 'rotate' && <RotateDialog {...dialog} />}
      {open === 'delete' && <DeleteDialog {...dialog} />}
    </li>
  )
}

function Identity({ receiver }: { readonly receiver: Receiver }) {
  const { kind, alias, url, declared } = receiver
  return (
    <div class="identity">
      <h3>{alias}</h3>
      <p class="address">
        <code>{url}</code>
      </p>
      <p class="tags">
        {kind === 'chat' && <span>{serviceNames[receiver.service]}</span>}
        {kind === 'webhook' && receiver.has_secret_token && <span>Secret Token</span>}
        {declared && <span>declared in the configuration file</span>}
      </p>
    </div>
  )
}

type RowActionsProps = {
  readonly receiver: Receiver
  /** Whether an edit or a change has begun, whose answer is still to come. */
  readonly isBusy: boolean
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onEdit: () => void
  readonly onToggle: () => void
  readonly onShowDeliveries: () => void
}

/** A receiver that the configuration file declares can be neither edited nor deleted here. */
function RowActions({ receiver, isBusy, onOpen, onEdit, onToggle, onShowDeliveries }: RowActionsProps) {
  const { kind, alias, enabled, declared } = receiver
  const action = (text: string, onClick: () => void, waits = false) => (
    <Button tone="quiet" isBusy={waits} label={`${text} ${alias}`} onClick={onClick}>
      {text}
    </Button>
  )
  return (
    <div class="actions">
      {action('Test', () => onOpen('test'))}
      {!declared && action('Edit', onEdit, isBusy)}
      {action(enabled ? 'Disable' : 'Enable', onToggle, isBusy)}
      {action('Deliveries', onShowDeliveries)}
      {kind === 'webhook' && action('Rotate secret', () => onOpen('rotate'))}
      {!declared && action('Delete', () => onOpen('delete'))}
    </div>
  )
}

/** Enables or disables a receiver; `resume` says what to do with held deliveries. */
function useSetEnabled({ kind, id, alias }: Receiver, onChange: () => void) {
  const { client, repo } = useFloe()
  const notify = useNotify()
  return async (enabled: boolean, resume?: Resume) => {
    const change = { enabled, ...(resume && { resume }) }
    const { value } = await client[`${kind}s`].update({ repo, id }, change)
    notify(`${alias} is ${enabled ? 'enabled' : 'disabled. Head moves are held for it'}.`, value.warnings)
    onChange()
  }
}
