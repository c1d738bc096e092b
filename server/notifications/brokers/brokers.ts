// Hands notifications over to message brokers: queues, topics and buses of clouds. A broker is a webhook whose URL an
// operator has listed; everything else about it is as for other webhooks.
import { createHash } from 'node:crypto'
import { notificationHeaders as names } from '@floe/contract'
import type { OpenReceiver } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { LocationError } from '@floe/storage/objects'
import { waitOrAbort } from '@floe/storage/waiting'
import { readOrigin } from '../../events/cloud-events.ts'
import type { PostRequest } from '../post/post.ts'
import { openAws } from './authorize-aws.ts'
import { openGoogle } from './authorize-google.ts'
import { BrokerError, type BrokerKind, type BrokerMessage } from './broker-kind.ts'
import { eventbridge } from './eventbridge.ts'
import { pubsub } from './pubsub.ts'
import { sns } from './sns.ts'
import { sqs } from './sqs.ts'

/** The kinds of brokers, by the names that they have in `floe.yaml`. */
const kinds = { sqs, sns, eventbridge, pubsub } satisfies Record<string, BrokerKind>
export type BrokerName = keyof typeof kinds

// The keys of a constant object are its type's; Object.keys only promises strings.
export const brokerNames = Object.keys(kinds) as readonly BrokerName[]

/** Which brokers the webhooks of an organisation may send to with the credentials of the service. */
export type BrokerRule = {
  readonly org: string
  readonly kind: BrokerName
  /** Pattern of their Webhook URLs. */
  readonly url: string
}

/** The broker that a webhook sends to. */
export type Broker = {
  /**
   * Writes and authorizes the request that hands a notification over.
   *
   * @param request what would be sent to a webhook
   * @throws BrokerError
   */
  readonly handOver: (request: PostRequest, now: number) => Promise<PostRequest>
  /** Whether a 2xx answer says that the message was not taken. */
  readonly isRefusal: (answer: string) => boolean
}

/** A notification, and the id of its delivery. */
type Message = { readonly deliveryId: string; readonly event: { readonly payload: string } }

/** Returns the broker at the URL of a receiver; undefined if the receiver gets the request itself. */
export type FindBroker = (receiver: Pick<OpenReceiver, 'kind' | 'url'>, message: Message) => Broker | undefined

/** How long the credentials of the service may take, in milliseconds. */
const authorizeMs = 5_000

/** Opens the brokers that an operator has listed. Loads nothing of the clouds before the first message. */
export function openBrokers(rules: readonly BrokerRule[]): FindBroker {
  const clouds = { aws: openAws(), google: openGoogle() }
  return (receiver, message) => {
    if (receiver.kind === 'chat') return undefined
    const matching = rules.filter(({ url }) => matchesSome([url], receiver.url))
    if (matching.length === 0) return undefined
    const { org, event, source, subject } = readOrigin(message.event.payload)
    const rule = matching.find((rule) => rule.org === org)
    if (rule === undefined) return undefined
    const kind: BrokerKind = kinds[rule.kind]
    const handOver = async ({ url, headers, body }: PostRequest, now: number) => {
      const group = createHash('sha256').update(`${source} ${subject}`).digest('hex')
      const attributes = readAttributes(headers)
      const { [names.userAgent]: userAgent = '' } = headers
      const written = kind.write(url, { id: message.deliveryId, body, attributes, event, group })
      const unsigned = { ...written, headers: { ...written.headers, [names.userAgent]: userAgent } }
      return { ...unsigned, headers: await limitWait(clouds[kind.cloud](unsigned, kind.service, now)) }
    }
    return { handOver, isRefusal: kind.isRefusal ?? (() => false) }
  }
}

/** Takes the headers of Standard Webhooks, which become attributes. Brokers take few, and would show secrets to all. */
function readAttributes({
  [names.contentType]: _,
  [names.userAgent]: __,
  ...attributes
}: PostRequest['headers']): BrokerMessage['attributes'] {
  const other = Object.keys(attributes).find((name) => !name.startsWith('webhook-'))
  if (other === undefined) return attributes
  throw new BrokerError(
    `a message broker takes no header ${other}: remove the Secret Token and the headers of the webhook, and choose ` +
      'another format than cloudevents-binary',
  )
}

/**
 * Waits for the authorization. Administrators see what failed, so the SDK's own message, which can name files and
 * accounts of the service, is only the cause.
 */
async function limitWait<Authorized>(authorized: Promise<Authorized>): Promise<Authorized> {
  try {
    return await waitOrAbort(authorized, AbortSignal.timeout(authorizeMs))
  } catch (cause) {
    if (cause instanceof BrokerError || cause instanceof LocationError) throw cause
    const name = cause instanceof Error ? cause.name : 'unknown'
    throw new BrokerError(`the service found no credentials for this cloud (${name}); ask its operator`, { cause })
  }
}
