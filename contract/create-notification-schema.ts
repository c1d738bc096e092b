import { z } from 'zod'
import { NewCommit } from './schemas/notification.ts'

/** The `$id` of the schema. It is not an address, because every service serves its own copy. */
const schemaId = 'urn:floe:schema:notification'

/** Creates the JSON Schema of the notification (draft 2020-12), for receivers in any language. */
export function createNotificationSchema(): Record<string, unknown> {
  const { $schema, $defs = {} } = z.toJSONSchema(NewCommit, { io: 'output', target: 'draft-2020-12' })
  const { NewCommit: root, ...definitions } = $defs
  return { $schema, $id: schemaId, ...root, $defs: definitions }
}
