// Makes one attempt at one delivery and decides what follows. This file neither reads nor writes the database.
import type { ClaimedDelivery, FinishedAttempt } from '@floe/storage/database'
import type { OpenReceivers } from './open-receivers.ts'
import { PostError } from '../post/explain-exchange.ts'
import { planNextAttempt } from './retry-schedule.ts'
import { send, type SendContext, type SentMessage } from './send.ts'

/** What an attempt needs from outside. */
export type AttemptContext = SendContext & { readonly receivers: OpenReceivers; readonly random: () => number }

/**
 * Attempts a delivery. A failure of the receiver is an outcome, not an error.
 *
 * @throws UnknownKeyError, SecretError when the receiver's secrets cannot be opened; nothing was sent
 */
export async function attempt(claim: ClaimedDelivery, context: AttemptContext): Promise<FinishedAttempt> {
  const receiver = context.receivers.open(claim.receiver, context.timing.now())
  const sent = await send(receiver, claim, context)
  return { claim, outcome: sent.outcome, next: decideNext(claim, sent, context) }
}

function decideNext(
  { attempt, scheduledAttempt }: ClaimedDelivery,
  { answer, outcome }: SentMessage,
  { timing, random }: AttemptContext,
): FinishedAttempt['next'] {
  if (outcome.error === null) return { kind: 'delivered' }
  if (answer.status === 410) return { kind: 'gone', disableReason: 'the receiver answered 410: it is gone for good' }
  const retryAfter = answer instanceof PostError ? undefined : answer.retryAfter
  const dueAt = planNextAttempt(scheduledAttempt, retryAfter, timing.now(), random)
  if (dueAt !== undefined) return { kind: 'retry', dueAt }
  return { kind: 'dead', disableReason: `a delivery failed ${attempt} times; the last error: ${outcome.error}` }
}
