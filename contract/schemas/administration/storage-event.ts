// What object stores send when objects change. Only the fields that Floe reads are described; there may be any others.
import { z } from 'zod'
import { Count } from '../values.ts'

const S3Record = z.looseObject({
  eventName: z.string(),
  s3: z.looseObject({ bucket: z.looseObject({ name: z.string() }), object: z.looseObject({ key: z.string() }) }),
})

export const S3Event = z
  .looseObject({ Records: z.array(S3Record) })
  .meta({ id: 'S3Event', description: 'A message of Amazon S3, as it writes to a topic or queue' })

const S3TestEvent = z
  .looseObject({ Event: z.literal('s3:TestEvent') })
  .meta({ id: 'S3TestEvent', description: 'The first message of Amazon S3 to a new target' })

export const SnsMessage = z
  .looseObject({
    Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
    TopicArn: z.string().regex(/^arn:[A-Za-z0-9_:.-]{1,300}$/),
    Message: z.string(),
    Token: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,1000}$/)
      .optional(),
  })
  .meta({ id: 'SnsMessage', description: 'A message of Amazon SNS. `Message` holds one of Amazon S3 as text' })

export const EventBridgeEvent = z
  .looseObject({
    source: z.literal('aws.s3'),
    'detail-type': z.string(),
    detail: z.looseObject({ bucket: z.looseObject({ name: z.string() }), object: z.looseObject({ key: z.string() }) }),
  })
  .meta({ id: 'EventBridgeEvent', description: 'A message of Amazon S3 through EventBridge' })

const EventGridEvent = z.looseObject({
  eventType: z.string(),
  subject: z.string(),
  data: z.looseObject({ validationCode: z.string().max(200).optional() }),
})

export const EventGridEvents = z
  .array(EventGridEvent)
  .meta({ id: 'EventGridEvents', description: 'Messages of Azure Event Grid, in its own schema' })

export const PubSubPush = z
  .looseObject({
    message: z.looseObject({
      attributes: z.looseObject({ eventType: z.string(), bucketId: z.string(), objectId: z.string() }),
    }),
  })
  .meta({ id: 'PubSubPush', description: 'A push of Google Pub/Sub about a bucket' })

/** Exactly one of them, because generators merge the members of alternatives that are not exclusive. */
export const StorageEvents = z
  .xor([S3Event, S3TestEvent, SnsMessage, EventBridgeEvent, EventGridEvents, PubSubPush])
  .describe('What Amazon S3 (directly, through SNS or EventBridge), Azure Event Grid or Google Pub/Sub sends')
  .meta({
    examples: [
      {
        source: 'aws.s3',
        'detail-type': 'Object Created',
        detail: { bucket: { name: 'repos' }, object: { key: 'weather/repo' } },
      },
    ],
  })
export type StorageEvents = z.infer<typeof StorageEvents>

export const StorageEventAnswer = z
  .object({
    repositories: Count.describe('Number of repositories that are checked now'),
    validationResponse: z
      .string()
      .optional()
      .describe('The validation code of Azure Event Grid, which confirms its subscription'),
    next: z.string().optional().describe('What an administrator has to do to receive notifications'),
  })
  .meta({
    id: 'StorageEventAnswer',
    description: 'The answer to a message of an object store',
    examples: [{ repositories: 1 }],
  })
