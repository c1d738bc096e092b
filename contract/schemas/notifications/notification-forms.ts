// Each notification has a schema in two forms with the same fields. The open form is for receivers: it accepts fields
// that they do not know, so that the service can add some later; open-lists.ts does the same for listed values. The
// sent form is for the service: it allows nothing beyond the contract.
import { z } from 'zod'
import { eventDefinitions, type EventName } from '../../lists.ts'

/** A notification in both forms. */
export type NotificationForms = { readonly open: z.ZodType; readonly sent: z.ZodType }

type Words = { readonly details: string; readonly notification: string }

/** Makes both forms of the notification of an event. `example` is an example of its details. */
export function notificationForms<Name extends EventName, Fields extends z.ZodRawShape>(
  name: Name,
  fields: Fields,
  words: Words,
  example: object,
) {
  const event = z.literal(name).describe(eventDefinitions[name].meaning)
  return {
    open: z
      .looseObject({ event, details: z.looseObject(fields).describe(words.details) })
      .meta({ id: name, description: words.notification, examples: [{ event: name, details: example }] }),
    sent: z.strictObject({ event, details: z.strictObject(fields) }),
  }
}
