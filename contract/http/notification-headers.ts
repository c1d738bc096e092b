/** The headers of the requests that carry notifications to webhooks, in the order in which they are sent. */
export const notificationHeaders = {
  /** Always JSON. */
  contentType: 'content-type',
  /** Name and version of the service. */
  userAgent: 'user-agent',
  /** The secret token of the webhook; only when it has one. */
  secretToken: 'x-secret-token',
  /** Id of the delivery, the same in every attempt. */
  id: 'webhook-id',
  /** When the attempt was signed, in seconds since 1970. */
  timestamp: 'webhook-timestamp',
  /** One signature for each valid signing secret, separated by spaces. */
  signature: 'webhook-signature',
  /** Number of the attempt, counted from 1. */
  attempt: 'webhook-attempt',
  /**
   * Number of the event among those of its branch, tag, expectation or contract, or of the notice among those of its
   * repository, counted from 1. `SchemaChanged` has the number of its `NewCommit`.
   */
  sequence: 'webhook-sequence',
  /** Id of the delivery that this one replays as new; missing otherwise. */
  replayOf: 'webhook-replay-of',
  /** `true` in tests by an administrator; missing otherwise. */
  test: 'webhook-test',
} as const
