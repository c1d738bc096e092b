import type { ApiKey } from '@floe/client'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/dialog.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { Choices } from '../fields/field.tsx'
import type { KeyCalls } from '../settings-scope.ts'

type RevokeDialogProps = {
  readonly apiKey: ApiKey
  readonly keys: KeyCalls
  readonly onChange: () => void
  readonly onClose: () => void
}

const choices = [
  { value: 'revoke', text: 'Revoke them too', hint: 'And the keys that were created with them.' },
  { value: 'keep', text: 'Keep them' },
] as const

/** Asks whether to revoke a key, and what happens to the keys that were created with it. */
export function RevokeDialog({ apiKey: { id, name }, keys, onChange, onClose }: RevokeDialogProps) {
  const notify = useNotify()
  const [descendants, setDescendants] = useState<(typeof choices)[number]['value']>('revoke')
  const keyName = name ?? id
  const revoke = async () => {
    await keys.revoke({ id, keepDescendants: descendants === 'keep' })
    onClose()
    notify(`${keyName} is revoked.`)
    onChange()
  }
  return (
    <ConfirmDialog title={`Revoke ${keyName}?`} confirm="Revoke" tone="danger" onConfirm={revoke} onClose={onClose}>
      <p>The key stops working at once, also for this page if you signed in with it. This cannot be undone.</p>
      <Choices
        legend="What should happen to the keys that were created with it?"
        options={choices}
        value={descendants}
        onChange={setDescendants}
      />
    </ConfirmDialog>
  )
}
