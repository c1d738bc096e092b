import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, problems } from '../../dsl.ts'
import { checkStates, expectationKindNames } from '../../lists.ts'
import { contentTypes } from '../../http/media-types.ts'
import { SelectedVerdict } from '../../schemas/administration/receivers/filter.ts'
import { CheckName } from '../../schemas/metadata/checks.ts'
import { EventPosition, EventStream } from '../../schemas/metadata/repositories/event.ts'
import { EventPage } from '../../schemas/notifications/event-page.ts'
import { Notification, StreamedEventName } from '../../schemas/notifications/notification.ts'
import { Glob, globRule, RepoName } from '../../schemas/names.ts'
import { OfDeployment, repeatable, wholeNumber } from '../../schemas/addresses.ts'

/** Which events are sent. */
const selection = z.object({
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
  checks: repeatable(CheckName, 'Only `CheckPosted` of checks with these names. Default: all', 'quality'),
  states: repeatable(z.enum(checkStates), 'Only `CheckPosted` with these states. Default: all', 'failed'),
})

/** The recorded events, as a stream and in pages. */
export const events = c.router(
  {
    stream: {
      method: 'GET',
      path: '',
      pathParams: OfDeployment,
      query: selection.extend({
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
    page: {
      method: 'GET',
      path: '/page',
      pathParams: OfDeployment,
      query: selection.extend({
        after: EventPosition.optional().describe(
          'Begin after the event with this position: `next` of the previous page, or the `id` of a streamed event. ' +
            'Default: a page without events, whose `next` is the present',
        ),
        limit: wholeNumber(100, 3).optional().describe('Maximum number of events to return, 1 to 100; default 20'),
      }),
      responses: {
        200: EventPage,
        ...problems(...deploymentProblems, 'repository-not-found', 'events-gone', 'store-failed', 'store-timeout'),
      },
      summary: 'List events',
      description:
        'Returns the same events as the stream in pages, for programs that ask from time to time: send `next` as ' +
        '`after`, at once while `has_more` is true. A page can be empty although `has_more` is true.',
      metadata: meta({ tag: 'events', access: 'reader', isInClient: false }),
    },
  },
  { pathPrefix: `${metaPrefix}/events` },
)
