import type { ApiKey } from '@floe/client'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/dialog.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { ChoicesControl } from '../fields/choice-controls.tsx'
import type { FieldValue } from '../fields/field-values.ts'
import type { FormField } from '../fields/form-field.ts'
import type { KeyCalls } from '../settings-scope.ts'

type RevokeDialogProps = {
  readonly apiKey: ApiKey
  readonly keys: KeyCalls
  readonly onChange: () => void
  readonly onClose: () => void
}

const descendantsField: FormField = {
  name: 'descendants',
  label: 'What should happen to the keys that were created with it?',
  control: 'radio',
  options: [
    { value: 'revoke', text: 'Revoke them too', hint: 'And the keys that were created with them.' },
    { value: 'keep', text: 'Keep them' },
  ],
}

/** Asks whether to revoke a key, and what happens to the keys that were created with it. */
export function RevokeDialog({ apiKey: { id, name }, keys, onChange, onClose }: RevokeDialogProps) {
  const notify = useNotify()
  const [descendants, setDescendants] = useState<FieldValue>('revoke')
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
      <ChoicesControl field={descendantsField} value={descendants} onChange={setDescendants} />
    </ConfirmDialog>
  )
}
