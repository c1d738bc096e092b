import type { ChangeVerdict, EventName, ExpectationKindName, Severity } from '@floe/contract/lists'
import type { FilteredChanges, FilteredCheck } from '../../event-filter.ts'
import type { NamedRef } from '../heads/ref-text.ts'

/** The payload for webhooks and the line for chats. Both are sent exactly as given. */
export type EventTexts = { readonly payload: string; readonly line: string }

/** What a head move changed, as far as receivers asked. */
export type MoveChanges = FilteredChanges & {
  /** The member `changes` of the payload, as JSON: `null` when the changes are unknown. */
  readonly text: string
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
  /** Of an event about an expectation. */
  readonly expectationKind?: ExpectationKindName
  /** Of an event about the state of an expectation. One that is critical waits for no digest. */
  readonly severity?: Severity | undefined
  /** Of an event about a check. */
  readonly check?: FilteredCheck
  /** Of a head move. */
  readonly changes?: MoveChanges | undefined
  /** Of `SchemaChanged`. */
  readonly verdict?: ChangeVerdict
  /** Of `NewCommit`: how many commits it lists. */
  readonly commitCount?: number | undefined
  /** When the commit of the first head that Floe sees of a branch was written. Of other events undefined. */
  readonly firstWrittenAt?: Date | undefined
}
