import { z } from 'zod'
import { deliveryStates } from '../../../lists.ts'
import { Count, Instant, JsonObject, pageOf } from '../../values.ts'
import { AnsweredEventName } from '../../notifications/notification.ts'
import { receiverExample, ReceiverId } from './receiver-members.ts'
import { notificationExample } from './test-result.ts'

export const DeliveryId = z
  .uuid('must be a UUID')
  .describe('Id of the delivery, sent as `webhook-id`')
  .meta({ examples: ['c0a1b2d3-4e5f-4a6b-8c7d-9e0f1a2b3c4d'] })

export const DeliveryState = z
  .enum(deliveryStates)
  .describe(
    '`pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is ' +
      'enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further ' +
      'attempt is made. `discarded`: not sent when its receiver was enabled again',
  )
export type DeliveryState = z.infer<typeof DeliveryState>

const attemptFields = {
  started_at: Instant.describe('When the request was sent'),
  duration_ms: z.int().min(0).describe('Time from the request to the end of the answer, in milliseconds'),
  status: z.int().nullable().describe('Status of the answer; null when there was none'),
  error: z.string().nullable().describe('Why it failed; null when it succeeded'),
}

const attemptExample = { started_at: '2026-11-21T12:00:01.369Z', duration_ms: 87, status: 204, error: null }
const deliveryExample = {
  id: 'c0a1b2d3-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  receiver_id: receiverExample.id,
  receiver_alias: receiverExample.alias,
  receiver_repo_name: 'weather',
  event: 'NewCommit' as const,
  event_id: '2f6a7b8c-9d0e-4f1a-8b2c-3d4e5f6a7b8c',
  sequence: 2,
  line: 'acme/weather branch main is now at P874YS3J196959RDHX7G: Add the 12 UTC run',
  state: 'delivered' as const,
  created_at: '2026-11-21T12:00:01.234Z',
  attempt_count: 1,
  next_attempt_at: null,
  replay_of: null,
  digest_id: null,
  last_attempt: attemptExample,
}

export const DeliveryAttempt = z
  .object({
    number: z.int().min(1).describe('Number of the attempt, sent as `webhook-attempt`'),
    ...attemptFields,
    response_excerpt: z.string().nullable().describe('Start of the body of the answer, with secrets masked'),
  })
  .meta({
    id: 'DeliveryAttempt',
    description: 'One request to a receiver',
    examples: [{ number: 1, ...attemptExample, response_excerpt: '' }],
  })
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const Delivery = z
  .object({
    id: DeliveryId,
    receiver_id: ReceiverId,
    receiver_alias: z.string().describe('Name of the webhook or chat that gets it'),
    receiver_repo_name: z
      .string()
      .nullable()
      .describe('Repository of this webhook or chat; null if it belongs to the organisation'),
    event: AnsweredEventName,
    event_id: z.uuid().describe('Id of the event, the same in the deliveries to all receivers'),
    sequence: z.int().min(1).describe('Number of the event, sent as `webhook-sequence`'),
    line: z.string().describe('The event in one line of text'),
    state: DeliveryState,
    created_at: Instant.describe('When the event was recorded'),
    attempt_count: Count.describe('Number of finished attempts'),
    next_attempt_at: Instant.nullable().describe(
      'Earliest time of the next attempt, or of the digest; null when it is due at once, or none is planned',
    ),
    replay_of: z
      .uuid()
      .nullable()
      .describe('Id of the delivery that this one replays as new; null unless it is such a replay'),
    digest_id: z
      .uuid()
      .nullable()
      .describe(
        'Id of the delivery whose request carries this one too, as part of a digest; attempts and state are those of ' +
          'that one. null if it is sent alone, or waits for its digest',
      ),
    last_attempt: z.object(attemptFields).nullable().describe('The newest attempt; null before the first'),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one receiver', examples: [deliveryExample] })
export type Delivery = z.infer<typeof Delivery>

/**
 * A notification as it was recorded. Any `details` are allowed, because an older version of the service may have
 * recorded others.
 */
const RecordedPayload = z
  .looseObject({ event: z.string().describe('What happened'), details: JsonObject.describe('The facts of the event') })
  .describe('The recorded body that webhooks receive; chats receive `line`')
  .meta({ id: 'RecordedPayload' })

export const DeliveryDetails = Delivery.extend({
  payload: RecordedPayload,
  attempts: z.array(DeliveryAttempt).describe('Oldest first. The last 100 attempts are kept, for 30 days'),
}).meta({
  id: 'DeliveryDetails',
  description: 'A delivery with its payload and its attempts',
  examples: [
    {
      ...deliveryExample,
      payload: notificationExample,
      attempts: [{ number: 1, ...attemptExample, response_excerpt: '' }],
    },
  ],
})
export type DeliveryDetails = z.infer<typeof DeliveryDetails>

export const DeliveryPage = pageOf(Delivery, DeliveryId, { id: 'DeliveryPage', description: 'A page of deliveries' })

export const DeliveryRates = z
  .object({
    since: Instant.describe(
      'Deliveries of events from this time on are counted: those of the last 24 hours, or the newest 1,000',
    ),
    accepted: Count.describe('Number of deliveries that were accepted'),
    failed: Count.describe('Number of deliveries that were given up, or wait for a retry'),
    median_ms: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Half of the accepted deliveries took at most this time, from the recording of the event to the end of the ' +
          'answer, in milliseconds; null when none was accepted',
      ),
  })
  .meta({
    id: 'DeliveryRates',
    description: 'How many deliveries of the last day were accepted or failed, and how long they took',
    examples: [{ since: '2026-11-20T12:00:00.000Z', accepted: 432, failed: 3, median_ms: 182 }],
  })
export type DeliveryRates = z.infer<typeof DeliveryRates>
