// The members that webhooks and chats have in common. Both are receivers: they are notified of events.
import { z } from 'zod'
import { resumeChoices } from '../../../lists.ts'
import { Count, Instant } from '../../values.ts'
import { nameForPeople } from '../../names.ts'
import { EventNames } from './filter.ts'

export const ReceiverId = z
  .uuid('must be a UUID')
  .describe('Id of the webhook or chat')
  .meta({ examples: ['5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92'] })

/** The name of a receiver, for people. */
export const Alias = nameForPeople(100)
  .describe('Name for people; unique among the webhooks and chats of the repository or organisation')
  .meta({ examples: ['tile server'] })

/** Which held deliveries are sent when a receiver is enabled. */
export const Resume = z
  .enum(resumeChoices)
  .describe(
    'Only with `enabled: true`: which of the held deliveries are sent, oldest first; the others are discarded. ' +
      'Held deliveries are those that were pending when it was disabled, and those of events since then. `latest` ' +
      'sends the last of each branch, tag, expectation, check and remark, the last `SchemaChanged` of each branch, ' +
      'and the last notice of each repository. Default `latest`',
  )
export type Resume = z.infer<typeof Resume>

export const Warning = z
  .object({
    code: z
      .enum(['host-not-found', 'secret-token-dropped', 'headers-dropped', 'chat-service-guessed'])
      .describe(
        '`host-not-found`: the host of the URL has no address at present. `secret-token-dropped`, ' +
          '`headers-dropped`: the URL has changed, so the token or the headers were removed. ' +
          '`chat-service-guessed`: the request names no chat service, and no known one has this host',
      ),
    detail: z.string().describe('The warning in words'),
  })
  .meta({ id: 'Warning', description: 'A reason to check what was saved or tested' })
export type Warning = z.infer<typeof Warning>

/** The members of both kinds in answers, besides their settings. */
export const answeredMembers = {
  id: ReceiverId,
  alias: z.string().describe('Name for people; unique among the webhooks and chats of the repository or organisation'),
  enabled: z.boolean().describe('Whether notifications are sent to it; otherwise they are held'),
  disabled_reason: z.string().nullable().describe('Why it is disabled; null while it is enabled'),
  declared: z
    .boolean()
    .describe("Whether it is declared in the service's configuration file, and can only be changed and deleted there"),
  created_at: Instant.describe('When it was created'),
  updated_at: Instant.describe('When it was last changed'),
  last_success_at: Instant.nullable().describe('When it last accepted a notification; null when it never did'),
  failing_since: Instant.nullable().describe(
    'Time of the first failure since the last success; null when there was none',
  ),
  last_status: z
    .int()
    .nullable()
    .describe('Status of the answer to the last failed attempt since then; null when there was none'),
  last_error: z.string().nullable().describe('Why that attempt failed; null when there was none'),
  held: Count.describe('Number of deliveries waiting until it is enabled again, for at most 90 days'),
}

/** The members of both kinds in examples of answers, besides their settings. */
export const receiverExample = {
  id: '5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92',
  alias: 'tile server',
  enabled: true,
  disabled_reason: null,
  declared: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  last_success_at: '2026-11-21T12:00:01.456Z',
  failing_since: null,
  last_status: null,
  last_error: null,
  held: 0,
}

/** The members of both kinds in requests that create or change one, besides their other settings. */
export const sentMembers = {
  url: z
    .string()
    .max(2_048, 'must have at most 2048 characters')
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//, 'must start with https://')
    .describe(
      'Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its ' +
        'own machine. It must not contain credentials',
    ),
  alias: Alias,
  events: EventNames,
}
