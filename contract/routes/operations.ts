import { z } from 'zod'
import { c, commonProblems, htmlPage, meta, problems } from '../dsl.ts'
import { Health } from '../schemas/health.ts'

const metadata = meta({ tag: 'operations', access: 'anyone' })

/** Health checks for operators' tools, and the pages that a problem's `type` points to. */
export const operations = c.router(
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
      summary: 'Whether the database answers',
      metadata,
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
