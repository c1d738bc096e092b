import type { Resume } from '@floe/contract'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { type Receiver, serviceNames } from './receiver.ts'
import { ReceiverForm } from './form/receiver-form.tsx'
import { ReceiverState } from './receiver-state.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EnableDialog } from './enable-dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { useNotify } from '../parts/notice-board.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useAction } from '../parts/use-action.ts'
import { loadSaved, type Saved } from './form/use-receiver-form.ts'

type ReceiverRowProps = {
  readonly receiver: Receiver
  readonly onChange: () => void
  readonly onDeleted: () => void
  readonly onShowDeliveries: (id: string) => void
}

type OpenDialog = 'test' | 'enable' | 'rotate' | 'delete'

/** A webhook or chat with its state and its actions. */
export function ReceiverRow({ receiver, onChange, onDeleted, onShowDeliveries }: ReceiverRowProps) {
  const [open, setOpen] = useState<OpenDialog>()
  const [edited, setEdited] = useState<Saved>()
  const floe = useFloe()
  const { error, run } = useAction()
  const setEnabled = useSetEnabled(receiver, onChange)
  const toggle = () => {
    if (!receiver.enabled && receiver.held > 0) setOpen('enable')
    else run(() => setEnabled(!receiver.enabled))
  }
  const edit = () => run(async () => setEdited(await loadSaved(floe, receiver)))
  const dialog = { receiver, onChange, onClose: () => setOpen(undefined) }
  return (
    <li class="receiver">
      <Identity receiver={receiver} />
      <ReceiverState receiver={receiver} />
      <RowActions
        receiver={receiver}
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
      {open === 'delete' && <DeleteDialog {...dialog} onDeleted={onDeleted} />}
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
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onEdit: () => void
  readonly onToggle: () => void
  readonly onShowDeliveries: () => void
}

/** A receiver that the configuration file declares can be neither edited nor deleted here. */
function RowActions({ receiver, onOpen, onEdit, onToggle, onShowDeliveries }: RowActionsProps) {
  const { kind, alias, enabled, declared } = receiver
  const action = (text: string, onClick: () => void) => (
    <Button tone="quiet" label={`${text} ${alias}`} onClick={onClick}>
      {text}
    </Button>
  )
  return (
    <div class="actions">
      {action('Test', () => onOpen('test'))}
      {!declared && action('Edit', onEdit)}
      {action(enabled ? 'Disable' : 'Enable', onToggle)}
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
