import type { Receiver } from '@floe/client'
import { Webhook } from '@floe/contract'

const [example] = Webhook.array().parse(Webhook.meta()?.['examples'])

/** The contract's example of a webhook, with some fields changed. */
export function exampleWebhook(changes: Partial<Webhook> = {}): Receiver {
  if (example === undefined) throw new Error('the contract has no example')
  return { ...example, ...changes }
}
