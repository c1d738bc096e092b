// Recorded events in pages.
import { z } from 'zod'
import { EventPosition } from '../metadata/repositories/event.ts'
import { newCommitExample } from './new-commit.ts'
import { Notification } from './notification.ts'

const ListedEvent = z
  .object({
    id: EventPosition.describe('Position of the event among those of the organisation'),
    notification: Notification.describe('The JSON that webhooks receive'),
  })
  .meta({ id: 'ListedEvent', description: 'A recorded event' })

export const EventPage = z
  .object({
    events: z.array(ListedEvent).describe('In the order in which they were recorded'),
    next: EventPosition.describe('Send it as `after` for the events that follow. Never null: more may happen'),
    has_more: z.boolean().describe('Whether more events may have been recorded already'),
  })
  .meta({
    id: 'EventPage',
    description: 'Some recorded events',
    examples: [{ events: [{ id: '57', notification: newCommitExample }], next: '57', has_more: false }],
  })
export type EventPage = z.infer<typeof EventPage>
