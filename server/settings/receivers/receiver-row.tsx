import type { Receiver, Resume } from '@floe/client'
import { useNotify } from '../components/notice-board.tsx'
import { receiverFields } from '../generated/forms.ts'
import { DeleteDialog } from '../records/delete-dialog.tsx'
import { type OpenDialog, RecordRow } from '../records/record-row.tsx'
import { useSettings } from '../settings-context.ts'
import { describeFilter } from './describe-filter.ts'
import { EnableDialog, RotateDialog, TestDialog } from './receiver-dialogs.tsx'
import { ReceiverForm } from './receiver-form.tsx'
import { ReceiverState } from './receiver-state.tsx'

type ReceiverRowProps = { readonly receiver: Receiver; readonly onShowDeliveries: (id: string) => void }

/**
 * A webhook or chat with its state and its actions. A receiver that the configuration file declares can be neither
 * edited nor deleted here.
 */
export function ReceiverRow({ receiver, onShowDeliveries }: ReceiverRowProps) {
  const { kind, id, alias, url, enabled, declared, held } = receiver
  const { scope, refresh } = useSettings()
  const notify = useNotify()
  const setEnabled = async (isEnabled: boolean, resume?: Resume) => {
    const change = { kind, enabled: isEnabled, ...(resume && { resume }) }
    const { value } = await scope.receivers.update({ id }, change)
    notify(`${alias} is ${isEnabled ? 'enabled' : 'disabled. New events are held for it'}.`, value.warnings)
    refresh()
  }
  const toggle = async (): Promise<OpenDialog | undefined> => {
    if (!enabled && held > 0)
      return (onClose) => (
        <EnableDialog receiver={receiver} enable={(resume) => setEnabled(true, resume)} onClose={onClose} />
      )
    await setEnabled(!enabled)
    return undefined
  }
  const edit = async (): Promise<OpenDialog> => {
    const initial = await scope.receivers.get({ id })
    return (onClose) => <ReceiverForm kind={kind} initial={initial} onClose={onClose} />
  }
  const test = (): OpenDialog => (onClose) => <TestDialog receiver={receiver} onClose={onClose} />
  const rotate = (): OpenDialog => (onClose) => <RotateDialog receiver={receiver} onClose={onClose} />
  const remove = (): OpenDialog => (onClose) => (
    <DeleteDialog name={alias} onDelete={() => scope.receivers.delete({ id })} onClose={onClose}>
      Nothing more is sent to it, and its deliveries are removed from the log. This cannot be undone.
    </DeleteDialog>
  )
  return (
    <RecordRow
      name={alias}
      title={alias}
      address={url}
      scope={describeFilter(receiver)}
      tags={[...listTags(receiver), declared && 'declared in the configuration file']}
      state={<ReceiverState receiver={receiver} />}
      actions={[
        { text: 'Test', run: test },
        !declared && { text: 'Edit', run: edit },
        { text: enabled ? 'Disable' : 'Enable', run: toggle },
        { text: 'Deliveries', run: () => onShowDeliveries(id) },
        kind === 'webhook' && { text: 'Rotate secret', run: rotate },
        !declared && { text: 'Delete', run: remove },
      ]}
    />
  )
}

const services = receiverFields.find(({ name }) => name === 'service')?.options ?? []

/** Lists what is special about a receiver. */
function listTags(receiver: Receiver): (string | false)[] {
  if (receiver.kind === 'chat')
    return [services.find(({ value }) => value === receiver.service)?.text ?? receiver.service]
  const { has_secret_token, header_names, include_changes } = receiver
  return [
    has_secret_token && 'Secret Token',
    header_names.length > 0 && `with ${header_names.join(', ')}`,
    include_changes && 'with changed paths',
  ]
}
