import type { ChangeVerdict, EventName } from '@floe/contract/lists'
import type { NamedRef } from '../heads/ref-text.ts'

/** The payload for webhooks and the line for chats. Both are sent exactly as given. */
export type EventTexts = { readonly payload: string; readonly line: string }

/** What a head move changed, as far as receivers asked. */
export type MoveChanges = {
  /** The member `changes` of the payload, as JSON: `null` when the changes are unknown. */
  readonly text: string
  /** Whether it changed a path of each filter; see `listMoveQuestions`. */
  readonly matches: ReadonlyMap<string, boolean>
  /** Whether each search finds a dataset that it touched, before or after it. */
  readonly found: ReadonlyMap<string, boolean>
}

export type NewEvent = EventTexts & {
  /** Default: a new one. */
  readonly id?: string
  readonly repoId: string
  readonly name: EventName
  /** The branch, tag or expectation, or `{ kind: 'notice' }`. */
  readonly ref: NamedRef
  /** The receiver that a notice is about. It does not get the notice. */
  readonly receiverId?: string | undefined
  /** Number of the event: higher than those of all earlier events of its ref. */
  readonly sequence: number
  /** Of a head move. */
  readonly changes?: MoveChanges | undefined
  /** Of `SchemaChanged`. */
  readonly verdict?: ChangeVerdict
}
