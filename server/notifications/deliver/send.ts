// One message to one receiver: the request is made, sent and judged. Nothing is read from or written to the database here.
import type { AttemptOutcome, ClaimedDelivery, OpenReceiver } from '@floe/storage/database'
import type { Clock } from '../../timing.ts'
import { chatBody, chatUrl } from './chat-bodies.ts'
import { chatServiceOf } from '../../receivers/chat-service.ts'
import { explainStatus } from './explain-status.ts'
import { type Budget, type Poster, PostError, type PostRequest, type PostResponse } from './post.ts'
import { redact } from './redact.ts'
import { requestHeaders } from './request-headers.ts'

/** What sending needs from outside. */
export type SendContext = {
  readonly post: Poster['post']
  /** Of Floe, for `User-Agent`. */
  readonly version: string
  readonly now: Clock
  /** Ends an exchange that takes too long; one for each. */
  readonly startBudget: () => Budget
}

/** What is sent of an event, and as which attempt. */
export type Message = Pick<ClaimedDelivery, 'deliveryId' | 'attempt'> & {
  readonly event: Omit<ClaimedDelivery['event'], 'id'>
  /** Whether an administrator tries the receiver, and nothing has happened. */
  readonly isTest?: boolean
}

/** A message after the exchange; `outcome` holds none of the receiver's secrets. */
export type SentMessage = {
  /** Undefined when there was nothing that could be sent. */
  readonly request: PostRequest | undefined
  readonly answer: PostResponse | PostError
  readonly outcome: AttemptOutcome
}

/** Sends a message; never rejects for something the receiver did. */
export async function send(receiver: OpenReceiver, message: Message, context: SendContext): Promise<SentMessage> {
  const { post, version, now, startBudget } = context
  const startedAt = now()
  let request: PostRequest | undefined
  const answer = await Promise.resolve()
    .then(() => post((request = requestOf(message, receiver, version, startedAt)), startBudget()))
    .catch(asPostError)
  const secrets = secretsOf(receiver)
  const failure = failureOf(answer, receiver)
  const outcome: AttemptOutcome = {
    startedAt: new Date(startedAt),
    // A clock may be set back meanwhile.
    durationMs: Math.max(0, now() - startedAt),
    status: answer.status ?? null,
    error: failure === null ? null : redact(failure, secrets),
    responseExcerpt: answer instanceof PostError ? null : redact(readableText(answer.start), secrets),
  }
  return { request, answer, outcome }
}

function requestOf(message: Message, receiver: OpenReceiver, version: string, now: number): PostRequest {
  const { event } = message
  const url = new URL(receiver.url)
  if (receiver.kind === 'webhook') {
    return { url, headers: requestHeaders(message, receiver, event.payload, version, now), body: event.payload }
  }
  const service = receiver.service ?? chatServiceOf(url)
  if (service === undefined) throw new PostError('not sent: its host does not tell the chat service, and none is set')
  const body = chatBody(service, event.line)
  return { url: chatUrl(service, url), headers: requestHeaders(message, receiver, body, version, now), body }
}

/** Anything else that is thrown comes from what was configured, such as a token that no header can hold. */
function asPostError(cause: unknown): PostError {
  if (cause instanceof PostError) return cause
  return new PostError(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, undefined, { cause })
}

function failureOf(answer: PostResponse | PostError, receiver: OpenReceiver): string | null {
  if (answer instanceof PostError) return answer.message
  const { status } = answer
  return status >= 200 && status < 300 ? null : explainStatus(status, receiver)
}

/** The path of a chat's URL is its secret; any URL may hold one in its query. */
function secretsOf({ kind, url, secretToken, signingSecrets }: OpenReceiver): string[] {
  const { pathname, searchParams } = new URL(url)
  const inUrl = [...(kind === 'chat' ? [pathname] : []), ...searchParams.values()]
  // What is shorter is hardly a secret, and would blot out half of an answer.
  const long = inUrl.filter((value) => value.length >= 6)
  // The base64 alone is as good as the whole.
  const signing = signingSecrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')])
  return [...(secretToken === null ? [] : [secretToken]), ...signing, ...long]
}

/** Text for people: bytes that are no UTF-8 and control characters (which PostgreSQL's text cannot hold all of) are replaced. */
function readableText(bytes: Buffer): string {
  // `stream` leaves out a character that was cut at the end.
  return new TextDecoder().decode(bytes, { stream: true }).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
}
