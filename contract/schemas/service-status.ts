import { z } from 'zod'
import { expectationKindNames, receiverKinds } from '../lists.ts'
import { OrgName, RepoName } from './names.ts'
import { Count, Instant } from './values.ts'

const seconds = z.number().min(0)
const org_name = OrgName.describe('The organisation')
const repo_name = RepoName.describe('The repository')

const Replica = z.object({
  host: z.string().describe('Name of its machine'),
  pid: z.int().describe('Its process id there'),
  version: z.string().describe('The version of Floe that it runs'),
  poll_partitions: Count.describe('Number of partitions of repositories that it polls, of 256 in all'),
  answers: z.boolean().describe('Whether it is the one that answers'),
})

const TroubledReceiver = z.object({
  org_name,
  repo_name: RepoName.nullable().describe('The repository; null for a webhook or chat of the organisation'),
  kind: z.enum(receiverKinds).describe('Whether it is a webhook or a chat'),
  alias: z.string().describe('Its name'),
  failing_since: Instant.nullable().describe('Time of the first failure since the last success'),
  disabled_reason: z.string().nullable().describe('Why it was disabled; null while it is enabled'),
  error: z.string().nullable().describe('Why the last attempt failed'),
})

const UnmetExpectation = z.object({
  org_name,
  repo_name,
  branch: z.string().describe('The branch'),
  kind: z.enum(expectationKindNames).describe('The kind of the expectation; a broken contract is one of `contract`'),
  alias: z.string().nullable().describe('Its name'),
  since: Instant.describe('Since when the branch does not meet it'),
  summary: z.string().describe('What was found, in words'),
})

const Sample = z.object({
  at: Instant.describe('When it was taken'),
  late_polls: Count.describe('Number of repositories whose poll was at least 10 seconds late'),
  deliveries_waiting: Count.nullable().describe(
    'Deliveries of all processes that waited or were under way; null if the database did not answer',
  ),
  requests_refused: Count.describe(
    'Requests since the sample before that were answered 429 or 503, without those to `/readyz`',
  ),
})

/** What an operator asks about the whole service. */
export const ServiceStatus = z
  .object({
    version: z.string().describe('The version of Floe that answers'),
    node: z.string().describe('The version of Node.js that it runs on'),
    problems: z
      .array(z.string())
      .describe('What an operator should look at, such as `failing webhooks and chats: 2`; empty if everything works'),
    not_ready: z.array(z.string()).describe('Why the process that answers should get no requests now; empty if it may'),
    replicas: z.array(Replica).describe('The processes that share the database'),
    heads: z
      .object({
        polled: Count.describe('Number of repositories that the process that answers polls'),
        late: Count.describe('Number of those whose poll is at least 10 seconds late'),
        longest_s: seconds.describe('How late the latest of them is, in seconds'),
        repositories: z
          .array(z.object({ org_name, repo_name, late_s: seconds.describe('How late its poll is, in seconds') }))
          .describe('The latest of them, at most 20'),
      })
      .describe('Polls of heads'),
    queues: z
      .object({
        waiting: Count.describe('Deliveries of all processes that wait or are under way, counted up to 10,000'),
        oldest_event_at: Instant.nullable().describe('When the event that has waited longest was recorded'),
        overdue_s: seconds.describe('How long the oldest due delivery has waited for a process, in seconds'),
      })
      .describe('Deliveries that wait'),
    receivers: z
      .array(TroubledReceiver)
      .describe('Webhooks and chats that fail, or were disabled because they failed; at most 100, longest first'),
    index: z
      .object({
        pending: Count.describe('Heads that are not indexed yet, or could not be'),
        oldest_at: Instant.nullable().describe('When the oldest of them was recorded'),
      })
      .nullable()
      .describe('The index of search; null if search is turned off'),
    stores: z
      .object({
        locations: z
          .array(z.object({ org_name, error: z.string().describe('Why its last scan failed') }))
          .describe('Locations that the process that answers cannot list'),
        repositories: z
          .array(z.object({ org_name, repo_name, unreadable_since: Instant.describe('Since when it cannot be read') }))
          .describe('Repositories that cannot be read; at most 100, longest first'),
      })
      .describe('Object stores in trouble'),
    expectations: z
      .array(UnmetExpectation)
      .describe('Branches that do not meet an expectation; at most 100, shortest first'),
    samples: z
      .array(Sample)
      .describe('Samples of the process that answers, one a minute, of the last hour at most; oldest first'),
  })
  .meta({
    id: 'ServiceStatus',
    description: 'The state of the whole service',
    examples: [
      {
        version: '0.1.0',
        node: '24.21.0',
        problems: ['failing webhooks and chats: 1', 'unmet expectations: 1'],
        not_ready: [],
        replicas: [{ host: 'floe-1', pid: 1, version: '0.1.0', poll_partitions: 256, answers: true }],
        heads: { polled: 120, late: 0, longest_s: 0, repositories: [] },
        queues: { waiting: 2, oldest_event_at: '2026-11-21T12:00:01.234Z', overdue_s: 0 },
        receivers: [
          {
            org_name: 'acme',
            repo_name: 'weather',
            kind: 'webhook',
            alias: 'tile server',
            failing_since: '2026-11-21T11:00:00.000Z',
            disabled_reason: null,
            error: 'answered 500',
          },
        ],
        index: { pending: 0, oldest_at: null },
        stores: { locations: [], repositories: [] },
        expectations: [
          {
            org_name: 'acme',
            repo_name: 'weather',
            branch: 'main',
            kind: 'freshness',
            alias: 'hourly',
            since: '2026-11-21T11:00:00.000Z',
            summary: 'updated 7 h ago, expected every 6 h: late',
          },
        ],
        samples: [{ at: '2026-11-21T12:00:00.000Z', late_polls: 0, deliveries_waiting: 2, requests_refused: 0 }],
      },
    ],
  })
export type ServiceStatus = z.infer<typeof ServiceStatus>
