// One attempt at one delivery, and what follows from it. Nothing is read from or written to the database here.
import { openReceiver } from '@floe/storage/database'
import type { ClaimedDelivery, FinishedAttempt } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { PostError } from './post.ts'
import { maxAttempts, nextAttemptAt } from './retry-schedule.ts'
import { send, type SendContext, type SentMessage } from './send.ts'

/** What attempts need from outside. */
export type AttemptContext = SendContext & {
  /** Opens what the database holds sealed. */
  readonly secrets: SecretBox
  readonly random: () => number
}

/**
 * Attempts a delivery; never rejects for something the receiver did.
 *
 * @throws UnknownKeyError, SecretError: nothing was sent, and the receiver is not to blame
 */
export async function attempt(claim: ClaimedDelivery, context: AttemptContext): Promise<FinishedAttempt> {
  const receiver = openReceiver(claim.receiver, context.secrets, new Date(context.now()))
  const sent = await send(receiver, claim, context)
  return { claim, outcome: sent.outcome, next: nextStep(claim, sent, context) }
}

function nextStep(
  { attempt }: ClaimedDelivery,
  { answer, outcome }: SentMessage,
  { now, random }: AttemptContext,
): FinishedAttempt['next'] {
  if (outcome.error === null) return { kind: 'delivered' }
  if (answer.status === 410) return { kind: 'gone', disableReason: 'the receiver answered 410: it is gone for good' }
  const retryAfter = answer instanceof PostError ? undefined : answer.retryAfter
  const dueAt = nextAttemptAt(attempt, retryAfter, now(), random)
  if (dueAt !== undefined) return { kind: 'retry', dueAt }
  return { kind: 'dead', disableReason: `a delivery failed ${maxAttempts} times, at last with: ${outcome.error}` }
}
