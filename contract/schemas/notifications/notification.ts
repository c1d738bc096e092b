import { z } from 'zod'
import { eventDefinitions, eventNames, noticeNames, streamedEventNames } from '../../lists.ts'
import { openKinds, openLists } from '../open-lists.ts'
import { checkEventForms } from './check-posted.ts'
import { expectationEventForms } from './expectation-events.ts'
import { goodEventForms } from './good-moved.ts'
import { type NewCommit, openNewCommit, SentNewCommit } from './new-commit.ts'
import { noticeForms } from './notices.ts'
import type { NotificationForms } from './notification-forms.ts'
import { refEventForms } from './ref-events.ts'
import { remarkEventForms } from './remark-events.ts'
import { SchemaChanged, SentSchemaChanged } from './schema-changed.ts'

const explain = (names: readonly (keyof typeof eventDefinitions)[]) =>
  names.map((name) => `\`${name}\`: ${eventDefinitions[name].meaning}`).join('. ')

function rejectName(names: readonly string[], input: unknown): string {
  return `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, not ${JSON.stringify(input)?.slice(0, 100)}`
}

/** The events that a stream can select. No `id`: in Go, names of values would clash with those of `EventName`. */
export const StreamedEventName = z
  .enum(streamedEventNames, { error: ({ input }) => rejectName(streamedEventNames, input) })
  .describe(`What happened. ${explain(streamedEventNames)}`)
export type StreamedEventName = z.infer<typeof StreamedEventName>

const eventMeaning =
  `What happened. ${explain(streamedEventNames)}. Notices about Floe itself, only for receivers of an ` +
  `organisation: ${explain(noticeNames)}`

/** The events that a receiver can select. */
export const EventName = z
  .enum(eventNames, { error: ({ input }) => rejectName(eventNames, input) })
  .describe(eventMeaning)
  .meta({ id: 'EventName' })
export type EventName = z.infer<typeof EventName>

/** The same in answers, where later versions may send others. Without an id, because requests refer to the other. */
export const AnsweredEventName = z.enum(EventName.options).describe(eventMeaning)

/** The schemas of each notification. */
const forms = {
  NewCommit: { open: openNewCommit, sent: SentNewCommit },
  SchemaChanged: { open: SchemaChanged, sent: SentSchemaChanged },
  ...refEventForms,
  ...expectationEventForms,
  ...checkEventForms,
  ...goodEventForms,
  ...remarkEventForms,
  ...noticeForms,
} satisfies Record<EventName, NotificationForms>

/** Any notification. The inferred type of `NewCommit` allows combinations of members that its schema rejects. */
export type Notification = NewCommit | z.infer<(typeof forms)[Exclude<EventName, 'NewCommit'>]['sent']>

const openForms = eventNames.map((name) => forms[name].open)
const sentForms = eventNames.map((name) => forms[name].sent)

/** Any notification, as receivers accept it; `event` says which. */
export const Notification = z
  // There is more than one event.
  .discriminatedUnion('event', openForms as [(typeof openForms)[number]])
  .meta({
    id: 'Notification',
    title: 'Floe notification',
    description:
      'One event of a repository. Accept events and fields that you do not know: later versions may add some',
    examples: openForms.flatMap((form) => form.meta()?.['examples'] ?? []),
  }) as z.ZodType as z.ZodType<Notification> // The type is narrower, as that of `NewCommit` is.

/** Any notification, as the service sends it. */
export const SentNotification = z
  // As above.
  .discriminatedUnion('event', sentForms as [(typeof sentForms)[number]]) as z.ZodType as z.ZodType<Notification>

/** The `$id` of the schema. It is not an address, because every service serves its own copy. */
const schemaId = 'urn:floe:schema:notification'

/** Creates the JSON Schema of notifications (draft 2020-12), for receivers in any language. */
export function createNotificationSchema(): Record<string, unknown> {
  const { $schema, $defs = {} } = z.toJSONSchema(Notification, {
    // As input, because receivers accept unknown fields; as output, some objects would be closed.
    io: 'input',
    target: 'draft-2020-12',
    override: (translated) => {
      openLists(translated)
      openKinds(translated)
    },
  })
  const { Notification: root, ...definitions } = $defs
  return { $schema, $id: schemaId, ...root, $defs: definitions }
}
