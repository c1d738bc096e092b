import { c, htmlPage, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import { OfAdministeredRepository } from '../addresses.ts'

/** The page on which people administer a repository. */
export const settings = c.router(
  {
    page: {
      method: 'GET',
      path: `${repoPrefix}/settings`,
      pathParams: OfAdministeredRepository,
      responses: { 200: htmlPage, ...problems(...repoAdministrationProblems) },
      summary: 'Page of the settings of a repository',
      description: 'Returns an HTML page on which administrators manage webhooks and chats and look at deliveries.',
      metadata: meta({ tag: 'settings', access: 'admin' }),
    },
  },
  { strictStatusCodes: true },
)
