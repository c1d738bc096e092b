// What webhooks and chats have in common. Both are receivers: they are notified of the events of a repository.
import { z } from 'zod'
import { Instant } from '../values.ts'
import { Glob, globRule, noControls } from '../names.ts'
import { openNewCommit } from '../notifications/new-commit.ts'
import { EventName, isNotice, notices } from '../notifications/notification.ts'

export const ReceiverId = z
  .uuid('must be a UUID')
  .describe('Id of the webhook or chat')
  .meta({ examples: ['5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92'] })

/** The name of a receiver, for people. */
export const Alias = z
  .string()
  .regex(noControls, 'must not contain control characters')
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .describe('Name for people; unique among the webhooks and chats of the repository')
  .meta({ examples: ['tile server'] })

/** The events that a receiver of an organisation can select. */
export const EventNames = z
  .array(EventName)
  .min(1)
  .max(EventName.options.length)
  .refine((names) => new Set(names).size === names.length, 'must not name an event twice')
  .describe('Events that are sent')

/** The events that a receiver of a repository can select. */
export const RepositoryEventNames = EventNames.refine(
  (names) => !names.some(isNotice),
  `must not name ${notices.join(', ')}: only webhooks and chats of an organisation get them`,
)

const Globs = z.array(Glob).min(1, 'must not be empty').max(20, 'must have at most 20 patterns')

/** Which of the events a receiver gets. */
export const filterMembers = {
  branches: Globs.describe(
    `Branches whose events are sent, as patterns: ${globRule}. Only branches that a receiver or a stream names are watched; what happened ` +
      'on a branch before it was named is not sent',
  ).meta({ examples: [['main']] }),
  paths: Globs.describe(
    `Groups and arrays, as patterns like those of branches. \`NewCommit\` is sent only if a commit created, deleted, moved or updated a node ` +
      'with such a path, or wrote its chunks; and whenever that cannot be told. `forecast/**` is the group `forecast` and everything below it',
  ).meta({ examples: [['**']] }),
}

/** Which held deliveries are sent when a receiver is enabled. */
export const Resume = z
  .enum(['all', 'latest', 'none'])
  .describe(
    'Only with `enabled: true`: which of the held deliveries are sent, oldest first; the others are discarded. Held are the deliveries that ' +
      'were pending when it was disabled, and those of events since then. `latest` sends the last of each branch and tag, and the last notice of each repository. Default `latest`',
  )
export type Resume = z.infer<typeof Resume>

export const Warning = z
  .object({
    code: z
      .enum(['host-not-found', 'secret-token-dropped'])
      .describe(
        '`host-not-found`: the host of the URL has no address at present. `secret-token-dropped`: the URL has changed, so the token was removed',
      ),
    detail: z.string().describe('The warning in words'),
  })
  .meta({ id: 'Warning', description: 'A reason to check what was saved' })
export type Warning = z.infer<typeof Warning>

/** Members that only the answer to a change has. */
export const changeMembers = {
  warnings: z.array(Warning).describe('Reasons to check what was saved; empty when there are none'),
}

/** Members that answers about webhooks and chats share. */
export const receiverMembers = {
  id: ReceiverId,
  alias: z.string().describe('Name for people; unique among the webhooks and chats of the repository'),
  events: EventNames,
  ...filterMembers,
  enabled: z.boolean().describe('Whether notifications are sent to it; otherwise they are held'),
  disabled_reason: z.string().nullable().describe('Why it is disabled; null while it is enabled'),
  declared: z
    .boolean()
    .describe("Whether the service's configuration file declares it. It can only be changed and deleted there"),
  created_at: Instant.describe('When it was created'),
  updated_at: Instant.describe('When it was last changed'),
  last_success_at: Instant.nullable().describe('When it last answered 2xx; null when it never did'),
  failing_since: Instant.nullable().describe(
    'Time of the first failure since the last success; null when there was none',
  ),
  held: z.int().min(0).describe('Number of deliveries waiting until it is enabled again, for at most 90 days'),
}

/** The shared members in examples of answers. */
export const receiverExample = {
  id: '5b0e2c7a-2f1d-4e6c-9a53-0d8b7f4c1e92',
  alias: 'tile server',
  events: ['NewCommit' as const],
  branches: ['main'],
  paths: ['**'],
  enabled: true,
  disabled_reason: null,
  declared: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  last_success_at: '2026-11-21T12:00:01.456Z',
  failing_since: null,
  held: 0,
}

/** Members of a request that sets up a webhook or a chat. */
export const receiverInput = {
  url: z
    .string()
    .max(2_048, 'must have at most 2048 characters')
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//, 'must start with https://')
    .describe(
      'Where notifications are sent: https, or http to the machine of a service in development that allows it. It must not contain credentials',
    ),
  alias: Alias,
  events: RepositoryEventNames,
  branches: filterMembers.branches.optional(),
  paths: filterMembers.paths.optional(),
}

/** The repositories that a receiver of an organisation selects. */
export const RepoGlobs = Globs.describe(
  `Names of repositories whose events are sent, as patterns: ${globRule}. Repositories that appear later are included`,
).meta({ examples: [['**']] })

/** What a receiver of an organisation has besides. */
export const ofOrganisation = { repos: RepoGlobs }

/** What is different in requests about a receiver of an organisation. */
export const orgReceiverInput = {
  events: EventNames,
  repos: RepoGlobs.optional().describe('Default `["**"]`, all repositories'),
}

/** Members of a request that changes a webhook or a chat. */
export const receiverChange = {
  ...z.object(receiverInput).partial().shape,
  enabled: z.boolean().optional().describe('false: hold deliveries; true: send the held ones as `resume` says'),
  resume: Resume.optional(),
}

/** What is different in requests that change a receiver of an organisation. */
export const orgReceiverChange = z.object(orgReceiverInput).partial().shape

/** Whether a change has no `resume` without `enabled: true`. */
export const isResumeAllowed = ({ enabled, resume }: { readonly enabled?: unknown; readonly resume?: unknown }) =>
  resume === undefined || enabled === true
export const resumeRule = { path: ['resume'], message: 'is only allowed together with enabled: true' }

/** Members of a request that tests an unsaved webhook or chat, besides its target. */
export const receiverToTest = {
  alias: Alias.optional(),
  events: EventNames.optional(),
  branches: filterMembers.branches.optional(),
  paths: filterMembers.paths.optional(),
  enabled: z.boolean().optional().describe('Ignored'),
}

/** The notification that examples show. */
export const [notificationExample] = z.array(openNewCommit).parse(openNewCommit.meta()?.['examples'])

export const TestResult = z
  .object({
    ok: z.boolean().describe('Whether the receiver answered 2xx'),
    status: z.int().nullable().describe('Status of the answer; null when there was none'),
    duration_ms: z.int().min(0).describe('Time from the request to the end of the answer, in milliseconds'),
    error: z.string().nullable().describe('Why the test failed; null when it succeeded'),
    response_excerpt: z.string().nullable().describe('Start of the body of the answer'),
    request: z
      .object({
        headers: z.record(z.string(), z.string()).describe('As they were sent, with secrets masked'),
        body: z.string().describe('As it was sent'),
      })
      .describe('The request that was sent'),
  })
  .meta({
    id: 'TestResult',
    description: 'The result of a test of a webhook or chat',
    examples: [
      {
        ok: true,
        status: 204,
        duration_ms: 87,
        error: null,
        response_excerpt: '',
        request: {
          headers: {
            'content-type': 'application/json',
            'webhook-id': 'c0a1b2d3-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
            'webhook-signature': '[redacted]',
            'webhook-test': 'true',
          },
          body: JSON.stringify(notificationExample),
        },
      },
    ],
  })
export type TestResult = z.infer<typeof TestResult>
