// Sends one message to one receiver, decides from the answer whether it was delivered, and plans the next attempt.
// Neither reads nor writes the database.
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  type FinishedAttempt,
  openReceiver,
  type OpenReceiver,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { LinkEvent } from '../../events/link-event.ts'
import { shorten } from '../../text/shorten.ts'
import type { SharedTiming } from '../../timing.ts'
import type { Broker, FindBroker } from '../brokers/brokers.ts'
import { PostError } from '../post/explain-exchange.ts'
import { LifeEndedError, type Poster, type PostRequest, type PostResponse } from '../post/post.ts'
import { isRefusal, resolveChatService } from './chat-services.ts'
import { redactAnswer, redactFailure } from './redact.ts'
import { planWait } from './retry-schedule.ts'
import { type Message, writeRequest } from './write-request.ts'

export type AttemptContext = {
  readonly post: Poster['post']
  /** Decrypts the secrets of receivers. */
  readonly secrets: Pick<SecretBox, 'open'>
  readonly version: string
  /** Finds the page that a message for chats links to. Default: none. */
  readonly linkEvent?: LinkEvent | undefined
  /** Finds the message broker that a webhook sends to. Default: none. */
  readonly findBroker?: FindBroker | undefined
  readonly timing: Pick<SharedTiming, 'now' | 'dueNow' | 'elapsed' | 'random'>
}

/** A message after the exchange; `outcome` contains none of the receiver's secrets. */
type SentMessage = {
  /** Undefined when no request could be written. */
  readonly request: PostRequest | undefined
  readonly answer: PostResponse | PostError
  readonly outcome: AttemptOutcome
}

/**
 * Attempts a delivery. A failure of the receiver is an outcome, not an error.
 *
 * @throws UnknownKeyError, SecretError when the receiver's secrets cannot be decrypted; then nothing was sent.
 * LifeEndedError when the replica that sends it may have been taken for dead meanwhile
 */
export async function attempt(claim: ClaimedDelivery, context: AttemptContext): Promise<FinishedAttempt> {
  const receiver = openReceiver(claim.receiver, context.secrets, new Date(context.timing.now()))
  const sent = await send(receiver, claim, context)
  return { claim, outcome: sent.outcome, next: decideNext(claim, sent, context) }
}

/** Sends a message. A failure of the receiver is an outcome, not an error. */
export async function send(
  receiver: OpenReceiver,
  message: Message,
  { post, version, linkEvent, findBroker, timing }: Omit<AttemptContext, 'secrets'>,
): Promise<SentMessage> {
  const startedAt = timing.now()
  const start = timing.elapsed()
  let request: PostRequest | undefined
  let answer: PostResponse | PostError
  let broker: Broker | undefined
  try {
    broker = findBroker?.(receiver, message)
    request = writeRequest(message, receiver, version, startedAt, linkEvent)
    answer = await post(broker ? await broker.handOver(request, startedAt) : request)
  } catch (error) {
    if (error instanceof LifeEndedError) throw error
    answer = toPostError(error)
  }
  const responseExcerpt = answer instanceof PostError ? null : redactAnswer(readText(answer.start), receiver)
  const failure = explainFailure(answer, receiver, broker, responseExcerpt ?? '')
  const outcome: AttemptOutcome = {
    startedAt: new Date(startedAt),
    durationMs: Math.round(timing.elapsed() - start),
    status: answer.status ?? null,
    error: failure === null ? null : redactFailure(failure, receiver),
    responseExcerpt,
  }
  return { request, answer, outcome }
}

function decideNext(
  { attempt, scheduledAttempt, isRedelivery }: ClaimedDelivery,
  { answer, outcome }: SentMessage,
  { timing }: AttemptContext,
): FinishedAttempt['next'] {
  if (outcome.error === null) return { kind: 'delivered' }
  if (answer.status === 410) return { kind: 'gone', disableReason: 'the receiver answered 410: it is gone for good' }
  if (isRedelivery) return { kind: 'failed' }
  const retryAfter = answer instanceof PostError ? undefined : answer.retryAfter
  const waitMs = planWait(scheduledAttempt, retryAfter, timing.now(), timing.random)
  if (waitMs !== undefined) return { kind: 'retry', dueAt: new Date(timing.dueNow() + waitMs) }
  return { kind: 'dead', disableReason: `a delivery failed ${attempt} times; the last error: ${outcome.error}` }
}

/** Other errors come from the receiver's settings, such as a token that is not valid in a header. */
function toPostError(cause: unknown): PostError {
  if (cause instanceof PostError) return cause
  return new PostError(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, undefined, { cause })
}

/** Maximum number of characters of an answer in the explanation of a failure. */
const maxQuoted = 200

/** @param excerpt the text of the answer, without secrets */
function explainFailure(
  answer: PostResponse | PostError,
  receiver: OpenReceiver,
  broker: Broker | undefined,
  excerpt: string,
): string | null {
  if (answer instanceof PostError) return answer.message
  const { status, start } = answer
  const isSuccess = status >= 200 && status < 300
  if (broker) {
    if (isSuccess && !broker.isRefusal(readText(start))) return null
    // Brokers explain their answers themselves.
    return excerpt === '' ? `answered ${status}` : `answered ${status}: ${shorten(excerpt, maxQuoted)}`
  }
  if (!isSuccess) return explainStatus(status, receiver)
  if (receiver.kind === 'webhook') return null
  const service = resolveChatService(receiver.service, new URL(receiver.url))
  if (!isRefusal(service, readText(start))) return null
  return `answered ${status}, but says that the message is not shown: ${shorten(excerpt, maxQuoted)}`
}

/** Tells the person who set the receiver up what the status of a failed delivery means, and what to do. */
function explainStatus(status: number, receiver: OpenReceiver): string {
  const { kind, url } = receiver
  const ofKind = kind === 'chat' ? findChatHint(status) : findWebhookHint(status, receiver)
  const hint = findRedirectHint(status, url) ?? ofKind
  return hint === undefined ? `answered ${status}` : `answered ${status}: ${hint}`
}

/** Hosts that answer with a redirect after they have done what the request asks for. */
const redirectAfterRun: ReadonlySet<string> = new Set(['script.google.com'])

function findRedirectHint(status: number, url: string): string | undefined {
  if (status < 300 || status >= 400) return undefined
  if (redirectAfterRun.has(new URL(url).hostname)) {
    return 'Apps Script redirects after it has run, so each attempt runs it; put a relay in front that answers 2xx'
  }
  return 'redirects are not followed; set the Webhook URL to where it leads'
}

function findWebhookHint(status: number, { secretToken, headers }: OpenReceiver): string | undefined {
  if (status === 401 || status === 403) {
    const sent = [...(secretToken === null ? [] : ['the Secret Token']), ...Object.keys(headers)]
    const hint = sent.length === 0 ? 'it may expect a Secret Token, and none is set' : `check ${sent.join(', ')}`
    return `the receiver did not accept the credentials; ${hint}, and the signing secret that it verifies with`
  }
  return hints.get(status) ?? findServerHint(status)
}

function findChatHint(status: number): string | undefined {
  if (status === 401 || status === 403 || status === 404 || status === 410) {
    return 'the chat does not know this Webhook URL, or takes it no longer; make a new one in its settings'
  }
  return status === 429 ? hints.get(status) : findServerHint(status)
}

const hints: ReadonlyMap<number, string> = new Map([
  [404, 'the receiver has nothing at this path; check the Webhook URL'],
  [405, 'the receiver takes no POST at this path; check the Webhook URL'],
  [410, 'the receiver says that it is gone for good'],
  [413, 'the receiver does not take a body of this size; it should take 256,000 bytes'],
  [415, 'the receiver does not take application/json'],
  [429, 'the receiver asks for fewer requests'],
])

function findServerHint(status: number): string | undefined {
  return status >= 500 && status < 600 ? 'the receiver failed; its own log may say why' : undefined
}

/**
 * Reads bytes as text for people. Invalid UTF-8 and control characters, some of which PostgreSQL cannot store, are
 * replaced.
 */
function readText(bytes: Buffer): string {
  // `stream` drops an incomplete character at the end.
  return new TextDecoder().decode(bytes, { stream: true }).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
}
