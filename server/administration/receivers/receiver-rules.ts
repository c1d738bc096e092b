import type { ReceiverKind } from '@floe/contract/lists'
import type { Warning } from '@floe/contract'
import type { NewReceiver, Receiver, ReceiverChange } from '@floe/storage/database'

/** The URL of a receiver, its service if it is a chat, and its secrets. */
type Target = Pick<NewReceiver, 'url' | 'service' | 'secretToken' | 'headers' | 'signingSecret'>

/** Changes of a {@link Target}; undefined leaves a member unchanged. */
type TargetChange = Pick<ReceiverChange, 'url' | 'service' | 'secretToken' | 'headers'>

type Checked<Value> = { readonly value: Value; readonly warnings: Warning[] }

/** Differences between webhooks and chats. `check...` throw RequestProblem if the URL or the service is not allowed. */
export type ReceiverRules<Creation, Change, Shown, ShownOnce> = {
  readonly kind: ReceiverKind
  /** Makes the body of an answer; `held` is the number of deliveries that wait until the receiver is enabled. */
  readonly show: (receiver: Receiver, held: number) => Shown
  /** Makes the members that only the answer to a creation has. */
  readonly showOnce: (added: { readonly signingSecret: string | null }) => ShownOnce
  readonly checkTarget: (body: Creation) => Promise<Checked<Target>>
  readonly checkChange: (body: Change) => Promise<Checked<TargetChange>>
}
