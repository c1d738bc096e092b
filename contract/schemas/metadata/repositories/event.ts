import { z } from 'zod'

/**
 * Position of an event among those of an organisation: a number, or an encrypted text for API keys that cover only some
 * repositories.
 */
export const EventPosition = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14}|sealed:[0-9a-f]{8}:[A-Za-z0-9_-]{58})$/, 'must be the `id` of an event, or `0`')
  .meta({ examples: ['0'] })

export const EventStream = z
  .string()
  .describe(
    'Server-Sent Events. `event` is the name of the event, `data` is the JSON that webhooks receive, and `id` is ' +
      'the position of the event among those of the organisation. API keys that cover only some repositories get an ' +
      'opaque `id` instead. After 15 seconds without an event, a comment is sent with the `id` that the stream has ' +
      'reached. The stream ends when the service stops, when the API key is revoked or expires, or when the caller ' +
      'reads too slowly. For example:\n\n```\nretry: 1000\n: connected\nid: 56\n\nid: 57\nevent: NewCommit\ndata: ' +
      '{"event":"NewCommit","details":{...}}\n```',
  )
