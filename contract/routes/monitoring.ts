import { z } from 'zod'
import { c, commonProblems, HtmlPage, htmlPage, meta, problems } from '../dsl.ts'
import { contentTypes } from '../http/media-types.ts'
import { ServiceStatus } from '../schemas/service-status.ts'

/** The answer of a healthy service. Otherwise, the answer is a problem. */
export const Health = z
  .object({
    status: z.literal('ok').describe('Always `ok`; otherwise the answer is a problem'),
    reasons: z
      .array(z.string())
      .optional()
      .describe('What the operators should correct, although requests are answered; missing if there is nothing'),
  })
  .meta({ id: 'Health', description: 'The answer of a healthy service', examples: [{ status: 'ok' }] })
export type Health = z.infer<typeof Health>

const metadata = meta({ tag: 'monitoring', access: 'anyone', isInClient: false })

const health = { method: 'GET', responses: { 200: Health, ...problems(...commonProblems) }, metadata } as const

/** Health checks and metrics for operators' tools, and the pages that a problem's `type` points to. */
export const monitoring = c.router({
  live: {
    ...health,
    path: '/healthz',
    summary: 'Check that the process is running',
    description:
      'Answers 200 as long as the process handles requests. Does not look at the database or at object stores.',
  },
  ready: {
    ...health,
    path: '/readyz',
    summary: 'Check that the process is ready for requests',
    description:
      'Answers 200 when the process should get requests, and 503 with the reasons in `detail` when it should not, ' +
      'for example while the database does not answer or the process is stopping. Problems that affect only some ' +
      'repositories are listed in `reasons` of the 200.',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    responses: {
      200: c.otherResponse({
        contentType: contentTypes.metrics,
        body: z.string().meta({ examples: ['# TYPE floe_streams_open gauge\nfloe_streams_open 3\n'] }),
      }),
      ...problems(...commonProblems, 'unauthorized', 'forbidden', 'too-many-requests', 'route-not-found'),
    },
    summary: 'Metrics of the process',
    description:
      "Returns the metrics in the text format of Prometheus. Needs an administrator's key that covers all " +
      'repositories of its organisation. Answers 404 when the configuration gives the metrics a port of their own.',
    metadata: meta({ tag: 'monitoring', access: 'admin', isInClient: false }),
  },
  status: {
    method: 'GET',
    path: '/status',
    responses: {
      200: ServiceStatus,
      ...problems(...commonProblems, 'unauthorized', 'too-many-requests', 'route-not-found'),
    },
    summary: 'State of the whole service',
    description:
      'Returns the replicas, late polls, waiting deliveries, failing webhooks and chats, the index and stores in ' +
      'trouble, of all organisations. Only for the API keys that the setting `operators` names; to others, the ' +
      'answer is the same as for an address that does not exist.',
    metadata: meta({ tag: 'monitoring', access: 'admin', isInClient: false, html: HtmlPage }),
  },
  problem: {
    method: 'GET',
    path: '/problems/:code',
    pathParams: z.object({
      code: z
        .string()
        .describe('Code of the problem: the last segment of its `type`')
        .meta({ examples: ['ref-not-found'] }),
    }),
    responses: { 200: htmlPage, ...problems(...commonProblems, 'route-not-found') },
    summary: 'Page about one kind of problem',
    description:
      'Returns an HTML page that says what the problem means and what to do. The `type` of a problem leads here.',
    metadata,
  },
})
