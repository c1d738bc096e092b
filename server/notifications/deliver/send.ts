// Sends one message to one receiver and judges the answer. This file neither reads nor writes the database.
import type { AttemptOutcome, OpenReceiver } from '@floe/storage/database'
import type { Timing } from '../../timing.ts'
import { explainStatus } from './explain-status.ts'
import type { PostRequest, PostResponse } from '../post/exchange.ts'
import type { Poster } from '../post/post.ts'
import { PostError } from '../post/explain-exchange.ts'
import type { Budget } from '../post/start-budget.ts'
import { isWords, listUrlSecrets, makeRedactor, type Redact } from './redact.ts'
import { type Message, writeRequest } from './write-request.ts'

/** What sending needs from outside. */
export type SendContext = {
  readonly post: Poster['post']
  /** Of Floe, for `User-Agent`. */
  readonly version: string
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  /** Starts the time limit of one exchange. */
  readonly startBudget: () => Budget
}

/** A message after the exchange; `outcome` holds none of the receiver's secrets. */
export type SentMessage = {
  /** Undefined when no request could be written. */
  readonly request: PostRequest | undefined
  readonly answer: PostResponse | PostError
  readonly outcome: AttemptOutcome
}

/** Sends a message. A failure of the receiver is an outcome, not an error. */
export async function send(receiver: OpenReceiver, message: Message, context: SendContext): Promise<SentMessage> {
  const { post, version, timing, startBudget } = context
  const startedAt = timing.now()
  const start = timing.elapsed()
  let request: PostRequest | undefined
  const budget = startBudget()
  const answer = await Promise.resolve()
    .then(() => post((request = writeRequest(message, receiver, version, startedAt)), budget))
    .catch(toPostError)
    .finally(budget.end)
  const failure = explainFailure(answer, receiver)
  const outcome: AttemptOutcome = {
    startedAt: new Date(startedAt),
    durationMs: Math.round(timing.elapsed() - start),
    status: answer.status ?? null,
    error: failure === null ? null : findRedactors(receiver).failure(failure),
    responseExcerpt: answer instanceof PostError ? null : redactAnswer(answer.start, receiver),
  }
  return { request, answer, outcome }
}

/** Other errors come from the receiver's settings, such as a token that no header can hold. */
function toPostError(cause: unknown): PostError {
  if (cause instanceof PostError) return cause
  return new PostError(`not sent: ${cause instanceof Error ? cause.message : String(cause)}`, undefined, { cause })
}

function explainFailure(answer: PostResponse | PostError, receiver: OpenReceiver): string | null {
  if (answer instanceof PostError) return answer.message
  const { status } = answer
  return status >= 200 && status < 300 ? null : explainStatus(status, receiver)
}

function redactAnswer(start: Buffer, receiver: OpenReceiver): string {
  return start.length === 0 ? '' : findRedactors(receiver).answer(readText(start))
}

/** What removes the secrets of a receiver: from a sentence of our own, and from an answer, where words of the URL count too. */
type Redactors = { readonly failure: Redact; readonly answer: Redact }

const redactors = new WeakMap<OpenReceiver, Redactors>()

/** Finds the redactors of a receiver. They are made once, because that takes longer than to use them. */
function findRedactors(receiver: OpenReceiver): Redactors {
  const known = redactors.get(receiver)
  if (known !== undefined) return known
  const secrets = listSecrets(receiver)
  const urlSecrets = listUrlSecrets(receiver.url)
  const made = {
    failure: makeRedactor([...secrets, ...urlSecrets.filter((part) => !isWords(part))]),
    answer: makeRedactor([...secrets, ...urlSecrets]),
  }
  redactors.set(receiver, made)
  return made
}

/** Lists what must not appear in a log besides the parts of the URL. */
function listSecrets({ kind, url, secretToken, signingSecrets }: OpenReceiver): string[] {
  const { pathname } = new URL(url)
  // The base64 alone gives the secret away too.
  const signing = signingSecrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')])
  const path = kind === 'chat' && pathname !== '/' ? [pathname] : []
  return [...(secretToken === null ? [] : [secretToken]), ...signing, ...path]
}

/** Reads bytes as text for people. Invalid UTF-8 and control characters, some of which PostgreSQL cannot store, are replaced. */
function readText(bytes: Buffer): string {
  // `stream` leaves out a character that was cut at the end.
  return new TextDecoder().decode(bytes, { stream: true }).replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
}
