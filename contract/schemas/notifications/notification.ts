import { z } from 'zod'
import { type NewCommit, openNewCommit } from './new-commit.ts'
import { BranchCreated, BranchDeleted, type RefEvent, TagCreated, TagDeleted } from './ref-events.ts'

/** The events that a receiver can select. */
export const EventName = z
  .enum(['NewCommit', 'BranchCreated', 'BranchDeleted', 'TagCreated', 'TagDeleted'], {
    error: ({ input }) =>
      `must be NewCommit, BranchCreated, BranchDeleted, TagCreated or TagDeleted; there is no event ${JSON.stringify(input)?.slice(0, 100)}`,
  })
  .describe(
    'What happened: `NewCommit`, the head of a branch moved; `BranchCreated`, `BranchDeleted`, `TagCreated` and `TagDeleted`, a branch or tag ' +
      'was created or deleted',
  )
  .meta({ id: 'EventName' })
export type EventName = z.infer<typeof EventName>

const known = [openNewCommit, BranchCreated, BranchDeleted, TagCreated, TagDeleted] as const

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
export type Notification = NewCommit | RefEvent

/** The `$id` of the schema. It is not an address, because every service serves its own copy. */
const schemaId = 'urn:floe:schema:notification'

/** Creates the JSON Schema of notifications (draft 2020-12), for receivers in any language. */
export function createNotificationSchema(): Record<string, unknown> {
  const { $schema, $defs = {} } = z.toJSONSchema(Notification, { io: 'output', target: 'draft-2020-12' })
  const { Notification: root, ...definitions } = $defs
  return { $schema, $id: schemaId, ...root, $defs: definitions }
}
