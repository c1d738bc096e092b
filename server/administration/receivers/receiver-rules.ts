// What webhooks and chats do differently.
import type { Receiver, ReceiverChange, ReceiverToTest } from '@floe/contract'
import type { Receiver as StoredReceiver } from '@floe/storage/database'
import type { AdministrationContext } from '../administration-context.ts'
import { checkChatChange, checkChatTarget, showChat } from './chat-rules.ts'
import type { Checked, Target, TargetChange } from './receiver-target.ts'
import { checkWebhookChange, checkWebhookTarget, showWebhook } from './webhook-rules.ts'

/** A test of a saved receiver, perhaps with changes. */
export type SavedToTest = Extract<ReceiverToTest, { readonly id: string }>

/** What a creation and a test of a receiver that is not saved say. */
export type UnsavedReceiver = Exclude<ReceiverToTest, SavedToTest>

/** Shows a receiver in an answer. `held` is the number of deliveries that wait until it is enabled. */
export function showReceiver(
  receiver: StoredReceiver,
  held: number,
  { secrets }: Pick<AdministrationContext, 'secrets'>,
): Receiver {
  return receiver.kind === 'webhook' ? showWebhook(receiver, held, { secrets }) : showChat(receiver, held)
}

/**
 * Checks how a new receiver is reached.
 *
 * @throws RequestProblem `invalid-request` if the URL is not allowed
 */
export function checkTarget(body: UnsavedReceiver, { notifier }: AdministrationContext): Promise<Checked<Target>> {
  return body.kind === 'webhook' ? checkWebhookTarget(body, notifier) : checkChatTarget(body, notifier)
}

/** Checks changes of how a receiver is reached, like {@link checkTarget}. */
export function checkChange(
  body: ReceiverChange | SavedToTest,
  { notifier }: AdministrationContext,
): Promise<Checked<TargetChange>> {
  return body.kind === 'webhook' ? checkWebhookChange(body, notifier) : checkChatChange(body, notifier)
}
