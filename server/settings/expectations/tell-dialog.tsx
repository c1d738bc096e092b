import type { Expectation, Receiver } from '@floe/client'
import { expectationEventNames, isAtLeast, type Severity } from '@floe/contract/lists'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/dialog.tsx'
import { useNotify } from '../components/notice-board.tsx'
import { SelectControl } from '../fields/choice-controls.tsx'
import { describeFilter } from '../receivers/describe-filter.ts'
import { useSettings } from '../settings-context.ts'

type TellDialogProps = {
  readonly expectation: Expectation
  /** At least one. */
  readonly chats: readonly Receiver[]
  readonly onClose: () => void
}

/** Lists the chats that can be told: those that are enabled and not declared. */
export function listTellable(receivers: readonly Receiver[]): readonly Receiver[] {
  return receivers.filter(({ kind, enabled, declared }) => kind === 'chat' && enabled && !declared)
}

/** Makes a chat select the events of an expectation of which nobody is told. */
export function TellDialog({ expectation: { kind, severity, branch }, chats, onClose }: TellDialogProps) {
  const { scope, refresh } = useSettings()
  const notify = useNotify()
  const [chosen, setChosen] = useState(chats[0]?.id ?? '')
  const shown = chats.find(({ id }) => id === chosen)
  const filter = shown && describeFilter(shown)
  const tell = async () => {
    const { value: chat, etag } = await scope.receivers.get({ id: chosen })
    const events = [...new Set([...chat.events, ...expectationEventNames])]
    const kinds = chat.kinds && [...new Set([...chat.kinds, kind])]
    // The names that the service knows; a later version may have others.
    const isReached = isAtLeast(severity as Severity, chat.severity as Severity | null)
    const least = isReached ? chat.severity : severity
    const change = { kind: 'chat', events, kinds, severity: least } as Parameters<typeof scope.receivers.update>[1]
    await scope.receivers.update({ id: chosen }, change, { ifMatch: etag })
    notify(`${chat.alias} gets the events of expectations.`)
    refresh()
    onClose()
  }
  const field = {
    name: 'chat',
    label: 'Chat',
    hint: `It must also select the branch ${branch}. Now it gets: ${filter ?? 'NewCommit on main'}.`,
    control: 'select',
    isRequired: true,
    options: chats.map(({ id, alias }) => ({ value: id, text: alias })),
  } as const
  return (
    <ConfirmDialog title="Tell a chat" confirm="Add the events" onConfirm={tell} onClose={onClose}>
      <p>Adds {expectationEventNames.join(' and ')} to what a chat gets.</p>
      <SelectControl field={field} value={chosen} isFirst onChange={(value) => setChosen(value ?? '')} />
    </ConfirmDialog>
  )
}
