import type { ReceiverKind } from '@floe/contract/lists'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { useLostFocus } from '../components/use-lost-focus.ts'
import type { Receiver } from '../receiver.ts'
import { ReceiverForm } from './receiver-form.tsx'
import { ReceiverRow } from './receiver-row.tsx'

type ReceiverSectionProps = {
  readonly kind: ReceiverKind
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

/** The webhooks, or the chats, with a button that adds one. */
export function ReceiverSection({ kind, receivers, onShowDeliveries }: ReceiverSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const { heading, beforeRemoval } = useLostFocus(receivers, `The ${kind} that you had open has been deleted.`)
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
          <ReceiverRow
            key={receiver.id}
            receiver={receiver}
            beforeRemoval={beforeRemoval}
            onShowDeliveries={onShowDeliveries}
          />
        ))}
      </ul>
      {isAdding && <ReceiverForm kind={kind} onClose={() => setAdding(false)} />}
    </section>
  )
}
