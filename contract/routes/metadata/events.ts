import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { EventPosition, EventStream } from '../../schemas/metadata/event.ts'
import { RepoName } from '../../schemas/names.ts'
import { NewCommit } from '../../schemas/notification.ts'
import { OfDeployment } from '../addresses.ts'

/** What happens in the repositories, as it is recorded. */
export const events = c.router(
  {
    stream: {
      method: 'GET',
      path: '',
      pathParams: OfDeployment,
      query: z.object({
        repo: RepoName.optional().describe('Only events of this repository'),
        after: EventPosition.optional().describe(
          'Begin after the event with this `id`; default: with what is recorded from now on. `Last-Event-ID` comes first',
        ),
      }),
      headers: z.object({
        'last-event-id': EventPosition.optional().describe(
          'The last `id` that was received, which browsers send when they connect again',
        ),
      }),
      responses: {
        200: c.otherResponse({ contentType: 'text/event-stream', body: EventStream }),
        ...problems(...deploymentProblems, 'repository-not-found', 'events-gone', 'store-failed', 'store-timeout'),
      },
      summary: 'Follow the events of the repositories',
      metadata: meta({ tag: 'events', access: 'reader', event: { name: 'NewCommit', data: NewCommit } }),
    },
  },
  { pathPrefix: `${metaPrefix}/events`, strictStatusCodes: true },
)
