import { useCallback, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useNotify } from '../parts/notice-board.tsx'
import { useLostFocus } from '../parts/use-lost-focus.ts'
import type { Receiver, Kind } from '../receiver.ts'
import { ReceiverForm } from './receiver-form.tsx'
import { ReceiverRow } from './receiver-row.tsx'

type ReceiverSectionProps = {
  readonly kind: Kind
  readonly receivers: readonly Receiver[]
  readonly onShowDeliveries: (id: string) => void
}

const texts = {
  webhook: {
    title: 'Webhooks',
    add: 'Add webhook',
    empty: 'No webhooks yet. Add one to send a signed JSON notification to your service when somebody commits.',
  },
  chat: {
    title: 'Chats',
    add: 'Add chat',
    empty: 'No chats yet. Add one to post a line of text to Slack, Mattermost, Discord or Microsoft Teams.',
  },
} as const

export function ReceiverSection({ kind, receivers, onShowDeliveries }: ReceiverSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const { heading, leave } = useLostFocus(receivers)
  const notify = useNotify()
  const leaveRow = useCallback(
    (row: HTMLElement) => {
      leave(row)
      if (row.querySelector('dialog')) notify(`The ${kind} that you had open has been deleted.`)
    },
    [kind, leave, notify],
  )
  const { title, add, empty } = texts[kind]
  return (
    <section class="part" aria-labelledby={`${kind}s`}>
      <div class="part-head">
        <h2 id={`${kind}s`} ref={heading} tabIndex={-1}>
          {title} <span>({receivers.length})</span>
        </h2>
        <Button onClick={() => setAdding(true)}>{add}</Button>
      </div>
      {receivers.length === 0 && <p class="empty">{empty}</p>}
      <ul>
        {receivers.map((receiver) => (
          <ReceiverRow key={receiver.id} receiver={receiver} onGone={leaveRow} onShowDeliveries={onShowDeliveries} />
        ))}
      </ul>
      {isAdding && <ReceiverForm kind={kind} onClose={() => setAdding(false)} />}
    </section>
  )
}
