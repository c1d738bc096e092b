import { z } from 'zod'
import { Count, Instant } from '../../values.ts'

const Time = z.iso.datetime({ offset: true })

export const ReplaySelection = z
  .strictObject({
    since: Time.describe('Selects events that were recorded at this time or later'),
    until: Time.optional().describe('Selects events that were recorded before this time. Default: now'),
    all: z
      .boolean()
      .optional()
      .describe(
        'Whether to send also what the webhook has accepted. Default false: only deliveries that are `dead` or ' +
          '`discarded`. Receivers that ignore each `webhook-id` that they know ignore what they have accepted, ' +
          'unless `as_new` is true',
      ),
    as_new: z
      .boolean()
      .optional()
      .describe(
        'Whether to send copies, each with a new `webhook-id` and with the former one as `webhook-replay-of`, so ' +
          'that the webhook handles again what it has accepted. Default false: the same `webhook-id`',
      ),
  })
  .meta({
    id: 'ReplaySelection',
    description: 'Which deliveries of a webhook are sent again',
    examples: [{ since: '2026-11-20T00:00:00Z' }],
  })
export type ReplaySelection = z.infer<typeof ReplaySelection>

const example = { waiting: 4321, next_event_at: '2026-11-20T08:15:00.123Z' }

export const Replay = z
  .object({
    waiting: Count.describe('Deliveries that wait to be sent again, of all replays of the webhook'),
    next_event_at: Instant.nullable().describe('When the event that is sent next was recorded; null when none waits'),
  })
  .meta({ id: 'Replay', description: 'What waits to be sent again to a webhook', examples: [example] })
export type Replay = z.infer<typeof Replay>

export const StartedReplay = Replay.extend({
  queued: Count.describe('Deliveries that this replay added; those that waited already are not counted'),
  hint: z.string().nullable().describe('What to select instead, if nothing was queued; else null'),
}).meta({
  id: 'StartedReplay',
  description: 'A replay that was started',
  examples: [{ ...example, queued: 4321, hint: null }],
})
export type StartedReplay = z.infer<typeof StartedReplay>
