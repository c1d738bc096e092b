import type { PostRequest } from '../post/post.ts'

/** A notification for a message broker. */
export type BrokerMessage = {
  /** Id of the delivery, the same in every attempt. */
  readonly id: string
  /** What a webhook would get as the body of a request. */
  readonly body: string
  /** The `webhook-*` headers of that request, with the signature of the body. */
  readonly attributes: Readonly<Record<string, string>>
  /** Name of the event. */
  readonly event: string
  /** The same for all events of a branch or tag: 64 hexadecimal digits. Brokers keep the order within a group. */
  readonly group: string
}

/** What hands a message over to the brokers of one kind. The credentials are those of the service. */
export type BrokerKind = {
  readonly cloud: 'aws' | 'google'
  /** The name for which AWS expects signatures. */
  readonly service: string
  /**
   * Writes the request, without its authorization.
   *
   * @param url the Webhook URL, which names the queue, topic or bus
   * @throws BrokerError if it names none
   */
  readonly write: (url: URL, message: BrokerMessage) => PostRequest
  /** Whether a 2xx answer says that the message was not taken. Default: it never does. */
  readonly isRefusal?: (answer: string) => boolean
}

/** A message cannot be handed over, because of the settings of the webhook or of the service. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError'
}

/** Explains to administrators what the Webhook URL of a broker looks like. */
export function explainUrl(example: string): BrokerError {
  return new BrokerError(`the Webhook URL must be like ${example}`)
}

/**
 * Returns the headers of a request with the authorization of the service.
 *
 * @param service the {@link BrokerKind.service}
 * @param now milliseconds since 1970
 */
export type Authorize = (
  request: PostRequest,
  service: string,
  now: number,
) => Promise<Readonly<Record<string, string>>>
