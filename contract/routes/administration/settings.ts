import { z } from 'zod'
import { c, htmlPage, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import { OfAdministeredRepository } from '../addresses.ts'

/** The page on which people administer a repository. */
export const settings = c.router(
  {
    page: {
      method: 'GET',
      path: `${repoPrefix}/settings`,
      pathParams: OfAdministeredRepository,
      responses: { 200: htmlPage(z.string()), ...problems(...repoAdministrationProblems) },
      summary: 'Settings of a repository: webhooks, chats and deliveries',
      metadata: meta({ tag: 'settings', access: 'admin' }),
    },
  },
  { strictStatusCodes: true },
)
