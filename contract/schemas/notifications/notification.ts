import { z } from 'zod'
import { type NewCommit, openNewCommit } from './new-commit.ts'
import { type Notice, ReceiverDisabled, ReceiverFailing, RepositoryBack, RepositoryUnreadable } from './notices.ts'
import { BranchCreated, BranchDeleted, type RefEvent, TagCreated, TagDeleted } from './ref-events.ts'

const refEvents = ['NewCommit', 'BranchCreated', 'BranchDeleted', 'TagCreated', 'TagDeleted'] as const

/** The events that only receivers of an organisation can select. */
export const notices = ['ReceiverDisabled', 'ReceiverFailing', 'RepositoryUnreadable', 'RepositoryBack'] as const

export const isNotice = (name: string) => notices.some((notice) => notice === name)

function refuseName(names: readonly string[], input: unknown): string {
  return `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, not ${JSON.stringify(input)?.slice(0, 100)}`
}

const refEventMeanings =
  '`NewCommit`, the head of a branch moved; `BranchCreated`, `BranchDeleted`, `TagCreated` and `TagDeleted`, a branch or tag was created or ' +
  'deleted'

/** The events that a stream can select. */
export const StreamedEventName = z
  .enum(refEvents, { error: ({ input }) => refuseName(refEvents, input) })
  .describe(`What happened: ${refEventMeanings}`)
  .meta({ id: 'StreamedEventName' })
export type StreamedEventName = z.infer<typeof StreamedEventName>

/** The events that a receiver can select. */
export const EventName = z
  .enum([...refEvents, ...notices], { error: ({ input }) => refuseName([...refEvents, ...notices], input) })
  .describe(
    `What happened: ${refEventMeanings}. Only for receivers of an organisation: \`ReceiverDisabled\` and \`ReceiverFailing\`, about another ` +
      'webhook or chat; `RepositoryUnreadable` and `RepositoryBack`, about a repository',
  )
  .meta({ id: 'EventName' })
export type EventName = z.infer<typeof EventName>

const known = [
  openNewCommit,
  BranchCreated,
  BranchDeleted,
  TagCreated,
  TagDeleted,
  ReceiverDisabled,
  ReceiverFailing,
  RepositoryUnreadable,
  RepositoryBack,
] as const

/** Any notification, as receivers accept it; `event` says which. */
export const Notification = z
  .discriminatedUnion('event', known)
  .meta({
    id: 'Notification',
    title: 'Floe notification',
    description:
      'One event of a repository. Accept events and members that you do not know: later versions may add some',
    examples: known.flatMap((one) => one.meta()?.['examples'] ?? []),
  }) as z.ZodType as z.ZodType<Notification> // As of `NewCommit`, the declared type is narrower.
export type Notification = NewCommit | RefEvent | Notice

/** The `$id` of the schema. It is not an address, because every service serves its own copy. */
const schemaId = 'urn:floe:schema:notification'

/** Creates the JSON Schema of notifications (draft 2020-12), for receivers in any language. */
export function createNotificationSchema(): Record<string, unknown> {
  const { $schema, $defs = {} } = z.toJSONSchema(Notification, { io: 'output', target: 'draft-2020-12' })
  const { Notification: root, ...definitions } = $defs
  return { $schema, $id: schemaId, ...root, $defs: definitions }
}
