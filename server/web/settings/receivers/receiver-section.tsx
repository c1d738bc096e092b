import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Receiver, Kind } from './receiver.ts'
import { ReceiverForm } from './form/receiver-form.tsx'
import { ReceiverRow } from './receiver-row.tsx'

type ReceiverSectionProps = {
  readonly kind: Kind
  readonly receivers: readonly Receiver[]
  readonly onChange: () => void
  readonly onShowDeliveries: (id: string) => void
}

const texts = {
  webhook: {
    title: 'Webhooks',
    add: 'Add webhook',
    empty:
      'No webhook yet. Add one to have a signed JSON notification sent to your own service when somebody commits to main.',
  },
  chat: {
    title: 'Chats',
    add: 'Add chat',
    empty: 'No chat yet. Add one to have a line of text posted to Slack, Mattermost, Discord or Microsoft Teams.',
  },
} as const

/** All receivers of one kind. */
export function ReceiverSection({ kind, receivers, ...actions }: ReceiverSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const isDeleting = useRef(false)
  // The focus was in the row that has been deleted.
  useLayoutEffect(() => {
    if (isDeleting.current) heading.current?.focus()
    isDeleting.current = false
  }, [receivers.length])
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
      <ul class="receivers">
        {receivers.map((receiver) => (
          <ReceiverRow
            key={receiver.id}
            receiver={receiver}
            onDeleted={() => (isDeleting.current = true)}
            {...actions}
          />
        ))}
      </ul>
      {isAdding && <ReceiverForm kind={kind} onSaved={actions.onChange} onClose={() => setAdding(false)} />}
    </section>
  )
}
