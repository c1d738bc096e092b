import type { Resume } from '@floe/client'
import type { ChatService } from '@floe/contract/lists'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useSettings } from '../settings-context.ts'
import { Button } from '../components/button.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { useAction } from '../hooks/use-action.ts'
import { type Receiver, serviceNames } from '../receiver.ts'
import { describeFilter } from './describe-filter.ts'
import { DeleteDialog, EnableDialog, RotateDialog, TestDialog } from './receiver-dialogs.tsx'
import { ReceiverForm } from './receiver-form.tsx'
import { ReceiverState } from './receiver-state.tsx'
import { loadSaved, type Saved } from './use-receiver-form.ts'

type ReceiverRowProps = {
  readonly receiver: Receiver
  /**
   * Called with the row before it disappears, because the receiver was deleted here or by somebody else. Must not
   * change between renderings.
   */
  readonly beforeRemoval: (row: HTMLElement) => void
  readonly onShowDeliveries: (id: string) => void
}

/**
 * A webhook or chat with its state and its actions. A receiver that the configuration file declares can be neither
 * edited nor deleted here.
 */
export function ReceiverRow({ receiver, beforeRemoval, onShowDeliveries }: ReceiverRowProps) {
  const { kind, id, alias, enabled, declared, held } = receiver
  const [open, setOpen] = useState<'test' | 'enable' | 'rotate' | 'delete'>()
  const [edited, setEdited] = useState<Saved>()
  const row = useRef<HTMLLIElement>(null)
  const settings = useSettings()
  const { isBusy, error, run } = useAction()
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (element) beforeRemoval(element)
    }
  }, [beforeRemoval])
  const setEnabled = useSetEnabled(receiver)
  const toggle = () => {
    if (!enabled && held > 0) setOpen('enable')
    else run(() => setEnabled(!enabled))
  }
  const action = (text: string, onClick: () => void, isWaiting = false) => (
    <Button tone="quiet" isBusy={isWaiting} label={`${text} ${alias}`} onClick={onClick}>
      {text}
    </Button>
  )
  const dialog = { receiver, onClose: () => setOpen(undefined) }
  return (
    <li ref={row} class="record">
      <Identity receiver={receiver} />
      <ReceiverState receiver={receiver} />
      <div class="actions">
        {action('Test', () => setOpen('test'))}
        {!declared && action('Edit', () => run(async () => setEdited(await loadSaved(settings, receiver))), isBusy)}
        {action(enabled ? 'Disable' : 'Enable', toggle, isBusy)}
        {action('Deliveries', () => onShowDeliveries(id))}
        {kind === 'webhook' && action('Rotate secret', () => setOpen('rotate'))}
        {!declared && action('Delete', () => setOpen('delete'))}
      </div>
      <FailureNote error={error} />
      {edited && <ReceiverForm kind={kind} initial={edited} onClose={() => setEdited(undefined)} />}
      {open === 'test' && <TestDialog {...dialog} />}
      {open === 'enable' && <EnableDialog {...dialog} enable={(resume) => setEnabled(true, resume)} />}
      {open === 'rotate' && <RotateDialog {...dialog} />}
      {open === 'delete' && <DeleteDialog {...dialog} />}
    </li>
  )
}

function Identity({ receiver }: { readonly receiver: Receiver }) {
  const { kind, alias, url, declared } = receiver
  const filter = describeFilter(receiver)
  return (
    <div class="identity">
      <h3>{alias}</h3>
      <p class="address">
        <code>{url}</code>
      </p>
      {filter !== undefined && <p class="scope">{filter}</p>}
      <p class="tags">
        {/* The service that answers has served the page, so it sends no chat service that the page does not know. */}
        {kind === 'chat' && <span>{serviceNames[receiver.service as ChatService]}</span>}
        {kind === 'webhook' && receiver.has_secret_token && <span>Secret Token</span>}
        {kind === 'webhook' && receiver.header_names.length > 0 && <span>with {receiver.header_names.join(', ')}</span>}
        {kind === 'webhook' && receiver.include_changes && <span>with changed paths</span>}
        {declared && <span>declared in the configuration file</span>}
      </p>
    </div>
  )
}

/** Enables or disables a receiver; `resume` says what to do with held deliveries. */
function useSetEnabled({ kind, id, alias }: Receiver) {
  const { scope, refresh } = useSettings()
  const notify = useNotify()
  return async (enabled: boolean, resume?: Resume) => {
    const { value } = await scope.receivers.update({ id }, { kind, enabled, ...(resume && { resume }) })
    notify(`${alias} is ${enabled ? 'enabled' : 'disabled. New events are held for it'}.`, value.warnings)
    refresh()
  }
}
