import { z } from 'zod'
import { c, commonProblems, htmlPage, meta, problems } from '../dsl.ts'
import { Health } from '../schemas/health.ts'

const metadata = meta({ tag: 'monitoring', access: 'anyone', isInClient: false })

/** Health checks and metrics for operators' tools, and the pages that a problem's `type` points to. */
export const monitoring = c.router(
  {
    live: {
      method: 'GET',
      path: '/healthz',
      responses: { 200: Health, ...problems(...commonProblems) },
      summary: 'Whether the process runs',
      metadata,
    },
    ready: {
      method: 'GET',
      path: '/readyz',
      responses: { 200: Health, ...problems(...commonProblems) },
      summary: 'Whether the process can answer requests now; if not, the detail of the problem says why',
      metadata,
    },
    metrics: {
      method: 'GET',
      path: '/metrics',
      responses: {
        200: c.otherResponse({
          contentType: 'text/plain; version=0.0.4; charset=utf-8',
          body: z.string().meta({ examples: ['# TYPE floe_streams_open gauge\nfloe_streams_open 3\n'] }),
        }),
        ...problems(...commonProblems, 'unauthorized', 'forbidden', 'too-many-requests', 'route-not-found'),
      },
      summary:
        'Metrics of the process in the text format of Prometheus, unless the configuration gives them a port of their own',
      metadata: meta({ tag: 'monitoring', access: 'admin', isInClient: false }),
    },
    problem: {
      method: 'GET',
      path: '/problems/:code',
      pathParams: z.object({
        code: z
          .string()
          .describe('The last segment of a `type`')
          .meta({ examples: ['ref-not-found'] }),
      }),
      responses: { 200: htmlPage(z.string()), ...problems(...commonProblems, 'route-not-found') },
      summary: 'A page about one kind of problem',
      metadata,
    },
  },
  { strictStatusCodes: true },
)
