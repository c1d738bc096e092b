import type { Receiver } from '@floe/client'
import type { ReceiverKind } from '@floe/contract/lists'
import { RecordSection } from '../records/record-section.tsx'
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
    empty: 'No webhooks yet. Add one to send a signed JSON notification to your service when somebody commits.',
  },
  chat: {
    title: 'Chats',
    empty: 'No chats yet. Add one to post a line of text to Slack, Mattermost, Discord or Microsoft Teams.',
  },
} satisfies Record<ReceiverKind, object>

/** The webhooks, or the chats. */
export function ReceiverSection({ kind, receivers, onShowDeliveries }: ReceiverSectionProps) {
  return (
    <RecordSection
      {...texts[kind]}
      id={`${kind}s`}
      count={receivers.length}
      add={`Add ${kind}`}
      renderForm={(onClose) => <ReceiverForm kind={kind} onClose={onClose} />}
      lossNotice={`The ${kind} that you had open has been deleted.`}
    >
      {receivers.map((receiver) => (
        <ReceiverRow key={receiver.id} receiver={receiver} onShowDeliveries={onShowDeliveries} />
      ))}
    </RecordSection>
  )
}
