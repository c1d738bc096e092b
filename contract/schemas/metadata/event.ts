import { z } from 'zod'

/** Place of an event in the record of an organisation: a number, or a sealed text for API keys of single repositories. */
export const EventPosition = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14}|sealed:[0-9a-f]{8}:[\w-]{58})$/, 'must be the `id` of an event, or `0`')
  .meta({ examples: ['0'] })

export const EventStream = z
  .string()
  .describe(
    'Server-Sent Events. `event` is the name of the event, `data` is the JSON that webhooks receive, and `id` is the position of the event, sealed ' +
      'for API keys of single repositories. After ' +
      '15 seconds without an event, a comment is sent with the `id` that the stream has reached. The stream ends when the service stops, ' +
      'when the API key is revoked or expires, or when the caller reads too slowly. For example:\n\n' +
      '```\nretry: 1000\n: the record so far\nid: 56\n\nid: 57\nevent: NewCommit\ndata: {"event":"NewCommit","details":{...}}\n```',
  )
