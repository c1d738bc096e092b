import type { Warning } from '@floe/contract'
import type { NewReceiver, ReceiverChange } from '@floe/storage/database'

/** The URL of a receiver, its service if it is a chat, and its secrets. */
export type Target = Pick<NewReceiver, 'url' | 'service' | 'secretToken' | 'headers' | 'signingSecret'>

/** Changes of a {@link Target}; undefined leaves a member unchanged. */
export type TargetChange = Pick<ReceiverChange, 'url' | 'service' | 'secretToken' | 'headers'>

/** A target that may be saved, or changes of one, and what to check about it. */
export type Checked<Value> = { readonly value: Value; readonly warnings: readonly Warning[] }
