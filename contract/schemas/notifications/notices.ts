// Notices: notifications about Floe itself, for webhooks and chats of an organisation.
import { z } from 'zod'
import { disablingReasons, eventDefinitions, type NoticeName, receiverKinds } from '../../lists.ts'
import { Instant } from '../values.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import { type NotificationForms, notificationForms } from './notification-forms.ts'

const receiverFields = {
  ...repositoryFields,
  repo_name: repositoryFields.repo_name.describe('Repository of the delivery that failed'),
  receiver_id: z.uuid().describe('Id of the webhook or chat'),
  receiver_alias: z.string().describe('Its name for people'),
  receiver_kind: z.enum(receiverKinds).describe('Its kind'),
  receiver_scope: z
    .enum(['repository', 'organisation'])
    .describe('Whether it belongs to the repository or to the organisation'),
  failing_since: Instant.describe('Time of the first failure since its last success'),
  last_status: z.int().nullable().describe('Status of its last answer; null when there was none'),
}

const since = Instant.describe('Time of the first check that failed')

const exampleReceiver = {
  ...exampleRepository,
  receiver_id: '5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92',
  receiver_alias: 'tile server',
  receiver_kind: 'webhook',
  receiver_scope: 'repository',
  failing_since: '2026-11-21T12:00:01.456Z',
}

const exampleTime = '2026-11-21T12:00:00.000Z'

function notice<Name extends NoticeName, Fields extends z.ZodRawShape>(name: Name, fields: Fields, example: object) {
  const { meaning } = eventDefinitions[name]
  return notificationForms(name, fields, { details: 'What it is about', notification: meaning }, example)
}

/** The notices, by event. */
export const noticeForms = {
  ReceiverDisabled: notice(
    'ReceiverDisabled',
    {
      ...receiverFields,
      reason: z
        .enum(disablingReasons)
        .describe('`gone`: it answered 410. `too_many_failures`: the last attempt of a delivery failed'),
    },
    { ...exampleReceiver, last_status: 410, reason: 'gone' },
  ),
  ReceiverFailing: notice('ReceiverFailing', receiverFields, { ...exampleReceiver, last_status: 500 }),
  RepositoryUnreadable: notice(
    'RepositoryUnreadable',
    {
      ...repositoryFields,
      unreadable_since: since,
      reason: z
        .string()
        .describe('Code of the problem')
        .meta({ examples: ['store-failed'] }),
    },
    { ...exampleRepository, unreadable_since: exampleTime, reason: 'store-failed' },
  ),
  RepositoryBack: notice(
    'RepositoryBack',
    { ...repositoryFields, unreadable_since: since },
    { ...exampleRepository, unreadable_since: exampleTime },
  ),
} satisfies Record<NoticeName, NotificationForms>
