// Notices: notifications about Floe itself, for webhooks and chats of an organisation. Like the others, each has an open form for receivers
// and a strict one for the service.
import { z } from 'zod'
import { Instant } from '../values.ts'
import { repositoryMembers } from './new-commit.ts'

const receiverMembers = {
  ...repositoryMembers,
  repo_name: repositoryMembers.repo_name.describe('Repository of the delivery that failed'),
  receiver_id: z.uuid().describe('Id of the webhook or chat'),
  receiver_alias: z.string().describe('Its name for people'),
  receiver_kind: z.enum(['webhook', 'chat']).describe('Its kind'),
  receiver_scope: z
    .enum(['repository', 'organisation'])
    .describe('Whether it belongs to the repository or to the organisation'),
  failing_since: Instant.describe('Time of the first failure since its last success'),
  last_status: z.int().nullable().describe('Status of its last answer; null when there was none'),
}

const since = Instant.describe('Time of the first look that failed')

const exampleRepository = { org_name: 'acme', repo_name: 'weather', repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }

const exampleReceiver = {
  ...exampleRepository,
  receiver_id: '5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92',
  receiver_alias: 'tile server',
  receiver_kind: 'webhook',
  receiver_scope: 'repository',
  failing_since: '2026-11-21T12:00:01.456Z',
}

const exampleTime = '2026-11-21T12:00:00.000Z'

/** Makes both forms of one notice. */
function notice<Name extends string, Members extends z.ZodRawShape>(
  name: Name,
  meaning: string,
  members: Members,
  example: object,
) {
  const event = z.literal(name).describe(meaning)
  return {
    open: z
      .looseObject({ event, details: z.looseObject(members).describe('What it is about') })
      .meta({ id: name, description: meaning, examples: [{ event: name, details: example }] }),
    sent: z.strictObject({ event, details: z.strictObject(members) }),
  }
}

const reason = z
  .enum(['gone', 'too_many_failures'])
  .describe('`gone`: it answered 410. `too_many_failures`: the last attempt of a delivery failed')

const receiverDisabled = notice(
  'ReceiverDisabled',
  'Floe has disabled a webhook or chat',
  { ...receiverMembers, reason },
  { ...exampleReceiver, last_status: 410, reason: 'gone' },
)
const receiverFailing = notice(
  'ReceiverFailing',
  'A webhook or chat has failed the first three attempts of a delivery',
  receiverMembers,
  { ...exampleReceiver, last_status: 500 },
)
const repositoryUnreadable = notice(
  'RepositoryUnreadable',
  'The head of a repository could not be read for at least a minute',
  {
    ...repositoryMembers,
    unreadable_since: since,
    reason: z
      .string()
      .describe('Code of the problem')
      .meta({ examples: ['store-failed'] }),
  },
  { ...exampleRepository, unreadable_since: exampleTime, reason: 'store-failed' },
)
const repositoryBack = notice(
  'RepositoryBack',
  'A repository of which `RepositoryUnreadable` told can be read again',
  { ...repositoryMembers, unreadable_since: since },
  { ...exampleRepository, unreadable_since: exampleTime },
)

export const ReceiverDisabled = receiverDisabled.open
export const ReceiverFailing = receiverFailing.open
export const RepositoryUnreadable = repositoryUnreadable.open
export const RepositoryBack = repositoryBack.open

/** A notice, as the service sends it. */
export const SentNotice = z.discriminatedUnion('event', [
  receiverDisabled.sent,
  receiverFailing.sent,
  repositoryUnreadable.sent,
  repositoryBack.sent,
])
export type Notice = z.infer<typeof SentNotice>
