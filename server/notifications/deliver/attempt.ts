// One attempt at one delivery: the request is made, sent and judged. Nothing is read from or written to the database here.
import type { AttemptOutcome, ClaimedDelivery, Configuration, FinishedAttempt } from '@floe/storage/database'
import type { Clock } from '../../clock.ts'
import { chatBody, chatUrl } from './chat-bodies.ts'
import { chatServiceOf } from './chat-service.ts'
import { type Poster, PostError, type PostRequest, type PostResponse } from './post.ts'
import { redact } from './redact.ts'
import { requestHeaders } from './request-headers.ts'
import { maxAttempts, nextAttemptAt } from './retry-schedule.ts'

/** What attempts need from outside. */
export type AttemptContext = {
  readonly post: Poster['post']
  /** Of Floe, for `User-Agent`. */
  readonly version: string
  readonly now: Clock
  readonly random: () => number
  /** Ends an exchange that takes too long; one signal for each attempt. */
  readonly startBudget: () => AbortSignal
}

/** Attempts a delivery; never rejects for something the receiver did. */
export async function attempt(claim: ClaimedDelivery, context: AttemptContext): Promise<FinishedAttempt> {
  const { post, now, startBudget } = context
  const startedAt = now()
  const answer = await Promise.resolve()
    .then(() => post(requestOf(claim, context.version, startedAt), startBudget()))
    .catch(asPostError)
  const finishedAt = now()
  const secrets = secretsOf(claim.configuration)
  const failure = failureOf(answer)
  const error = failure === null ? null : redact(failure, secrets)
  const outcome: AttemptOutcome = {
    startedAt: new Date(startedAt),
    durationMs: finishedAt - startedAt,
    status: answer.status ?? null,
    error,
    responseExcerpt: answer instanceof PostError ? null : redact(readableText(answer.start), secrets),
  }
  return { claim, outcome, next: nextStep(claim, answer, error, finishedAt, context.random) }
}

function requestOf(claim: ClaimedDelivery, version: string, now: number): PostRequest {
  const { configuration, event } = claim
  const url = new URL(configuration.url)
  if (configuration.kind === 'webhook') {
    return { url, headers: requestHeaders(claim, event.payload, version, now), body: event.payload }
  }
  const service = configuration.service ?? chatServiceOf(url)
  if (service === undefined) throw new PostError('not sent: its host does not tell the chat service, and none is set')
  const body = chatBody(service, event.line)
  return { url: chatUrl(service, url), headers: requestHeaders(claim, body, version, now), body }
}

/** Anything else that is thrown comes from what was configured, such as a token that no header can hold. */
function asPostError(cause: unknown): PostError {
  if (cause instanceof PostError) return cause
  return new PostError(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, undefined, { cause })
}

function failureOf(answer: PostResponse | PostError): string | null {
  if (answer instanceof PostError) return answer.message
  const { status } = answer
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`
}

function nextStep(
  claim: ClaimedDelivery,
  answer: PostResponse | PostError,
  failure: string | null,
  now: number,
  random: () => number,
): FinishedAttempt['next'] {
  if (failure === null) return { kind: 'delivered' }
  if (answer.status === 410) return { kind: 'gone', disableReason: 'the receiver answered 410: it is gone for good' }
  const retryAfter = answer instanceof PostError ? undefined : answer.retryAfter
  const dueAt = nextAttemptAt(claim.attempt, retryAfter, now, random)
  if (dueAt !== undefined) return { kind: 'retry', dueAt }
  return { kind: 'dead', disableReason: `a delivery failed ${maxAttempts} times, at last with: ${failure}` }
}

/** The path of a chat's URL is its secret; a webhook's URL may hold one in its query. */
function secretsOf({ kind, url, secretToken, signingSecrets }: Configuration): string[] {
  const { pathname, searchParams } = new URL(url)
  const inUrl = kind === 'chat' ? [pathname] : [...searchParams.values()]
  // What is shorter is hardly a secret, and would blot out half of an answer.
  const long = inUrl.filter((value) => value.length >= 6)
  return [...(secretToken === null ? [] : [secretToken]), ...signingSecrets, ...long]
}

/** Text for people: bytes that are no UTF-8 and control characters (which PostgreSQL's text cannot hold all of) are replaced. */
function readableText(bytes: Buffer): string {
  // `stream` leaves out a character that was cut at the end.
  return new TextDecoder().decode(bytes, { stream: true }).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
}
