import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { expectationKindNames } from '../../lists.ts'
import { contentTypes } from '../../media-types.ts'
import { SelectedVerdict } from '../../schemas/administration/receivers/filter.ts'
import { EventPosition, EventStream } from '../../schemas/metadata/repositories/event.ts'
import { Notification, StreamedEventName } from '../../schemas/notifications/notification.ts'
import { Glob, globRule, RepoName } from '../../schemas/names.ts'
import { OfDeployment, repeatable } from '../../addresses.ts'

/** The stream of recorded events. */
export const events = c.router(
  {
    stream: {
      method: 'GET',
      path: '',
      pathParams: OfDeployment,
      query: z.object({
        repo: RepoName.optional().describe('Only events of this repository'),
        events: repeatable(StreamedEventName, 'Only these events. Default: `NewCommit`', 'NewCommit'),
        branches: repeatable(
          Glob,
          `Only events of these branches, as patterns: ${globRule}. Default: \`main\`. A branch that nothing else ` +
            'selects is watched only while a stream selects it, and for at least 90 s after that; earlier changes ' +
            'are not sent',
          'main',
        ),
        compatibility: repeatable(
          SelectedVerdict,
          'Only `SchemaChanged` with these verdicts. Default: `breaking` and `unknown`',
          'breaking',
        ),
        kinds: repeatable(
          z.enum(expectationKindNames),
          'Only `ExpectationUnmet` and `ExpectationMet` of these kinds of expectations. Default: all',
          'freshness',
        ),
        after: EventPosition.optional().describe(
          'Begin after the event with this `id`. Default: begin with the next event. Ignored if `Last-Event-ID` is ' +
            'sent',
        ),
      }),
      headers: z.object({
        'last-event-id': EventPosition.optional().describe(
          'The last `id` received; browsers send it when they reconnect',
        ),
      }),
      responses: {
        200: c.otherResponse({ contentType: contentTypes.events, body: EventStream }),
        ...problems(...deploymentProblems, 'repository-not-found', 'events-gone', 'store-failed', 'store-timeout'),
      },
      summary: 'Stream events',
      description:
        'Sends the selected events of the repositories that the API key covers as Server-Sent Events, with the ' +
        'JSON that webhooks receive. To resume, send the last `id` received. Events are kept for 90 days; if some ' +
        'after this position are gone, the answer is 410, and the repositories have to be read again.',
      metadata: meta({ tag: 'events', access: 'reader', event: { name: 'NewCommit', data: Notification } }),
    },
  },
  { pathPrefix: `${metaPrefix}/events` },
)
