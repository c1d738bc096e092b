import type { ApiKey } from '@floe/contract'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Choices } from '../parts/field.tsx'
import { useNotify } from '../parts/notice-board.tsx'
import type { KeyCalls } from '../place.ts'

type RevokeDialogProps = {
  readonly apiKey: ApiKey
  readonly keys: KeyCalls
  readonly onChange: () => void
  readonly onClose: () => void
}

const choices = [
  { value: 'revoke', text: 'Revoke them too', hint: 'Also those that were created with these.' },
  { value: 'keep', text: 'Keep them' },
] as const

export function RevokeDialog({ apiKey: { id, name }, keys, onChange, onClose }: RevokeDialogProps) {
  const notify = useNotify()
  const [descendants, setDescendants] = useState<(typeof choices)[number]['value']>('revoke')
  const shown = name ?? id
  const revoke = async () => {
    await keys.revoke({ id, keepDescendants: descendants === 'keep' })
    onClose()
    notify(`${shown} is revoked.`)
    onChange()
  }
  return (
    <ConfirmDialog title={`Revoke ${shown}?`} confirm="Revoke" tone="danger" onConfirm={revoke} onClose={onClose}>
      <p>Floe refuses the key from now on, also for this page if you signed in with it. This cannot be undone.</p>
      <Choices
        legend="What should happen to the keys that were created with it?"
        options={choices}
        value={descendants}
        onChange={setDescendants}
      />
    </ConfirmDialog>
  )
}
