import type { Resume } from '@floe/contract'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { type Configuration, serviceNames } from './receiver.ts'
import { ConfigurationForm } from './form/receiver-form.tsx'
import { ConfigurationState } from './receiver-state.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EnableDialog } from './enable-dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { useNotify } from '../parts/notice-board.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useAction } from '../parts/use-action.ts'
import { loadSaved, type Saved } from './form/use-receiver-form.ts'

type ConfigurationRowProps = {
  readonly configuration: Configuration
  readonly onChange: () => void
  readonly onDeleted: () => void
  readonly onShowDeliveries: (id: string) => void
}

type OpenDialog = 'test' | 'enable' | 'rotate' | 'delete'

/** A webhook or chat: who it is, how it fares, and what can be done with it. */
export function ConfigurationRow({ configuration, onChange, onDeleted, onShowDeliveries }: ConfigurationRowProps) {
  const [open, setOpen] = useState<OpenDialog>()
  const [edited, setEdited] = useState<Saved>()
  const floe = useFloe()
  const { error, run } = useAction()
  const setEnabled = useSetEnabled(configuration, onChange)
  const toggle = () => {
    if (!configuration.enabled && configuration.held > 0) setOpen('enable')
    else run(() => setEnabled(!configuration.enabled))
  }
  const edit = () => run(async () => setEdited(await loadSaved(floe, configuration)))
  const dialog = { configuration, onChange, onClose: () => setOpen(undefined) }
  return (
    <li class="configuration">
      <Identity configuration={configuration} />
      <ConfigurationState configuration={configuration} />
      <RowActions
        configuration={configuration}
        onOpen={setOpen}
        onEdit={edit}
        onToggle={toggle}
        onShowDeliveries={() => onShowDeliveries(configuration.id)}
      />
      <FailureNote error={error} />
      {edited && (
        <ConfigurationForm
          kind={configuration.kind}
          initial={edited}
          onSaved={onChange}
          onClose={() => setEdited(undefined)}
        />
      )}
      {open === 'test' && <TestDialog {...dialog} />}
      {open === 'enable' && <EnableDialog {...dialog} setEnabled={setEnabled} />}
      {open === 'rotate' && <RotateDialog {...dialog} />}
      {open === 'delete' && <DeleteDialog {...dialog} onDeleted={onDeleted} />}
    </li>
  )
}

function Identity({ configuration }: { readonly configuration: Configuration }) {
  const { kind, alias, url, declared } = configuration
  return (
    <div class="identity">
      <h3>{alias}</h3>
      <p class="address">
        <code>{url}</code>
      </p>
      <p class="tags">
        {kind === 'chat' && <span>{serviceNames[configuration.service]}</span>}
        {kind === 'webhook' && configuration.has_secret_token && <span>Secret Token</span>}
        {declared && <span>declared in the configuration file</span>}
      </p>
    </div>
  )
}

type RowActionsProps = {
  readonly configuration: Configuration
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onEdit: () => void
  readonly onToggle: () => void
  readonly onShowDeliveries: () => void
}

/** What is declared in the service's configuration file can be neither changed nor deleted here. */
function RowActions({ configuration, onOpen, onEdit, onToggle, onShowDeliveries }: RowActionsProps) {
  const { kind, alias, enabled, declared } = configuration
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

/** Switches a configuration on or off; `resume` says what becomes of held deliveries. */
function useSetEnabled({ kind, id, alias }: Configuration, onChange: () => void) {
  const { client, repo } = useFloe()
  const notify = useNotify()
  return async (enabled: boolean, resume?: Resume) => {
    const change = { enabled, ...(resume && { resume }) }
    const { value } = await client[`${kind}s`].update({ repo, id }, change)
    notify(`${alias} is ${enabled ? 'enabled' : 'disabled, and nothing is sent to it'}.`, value.warnings)
    onChange()
  }
}
