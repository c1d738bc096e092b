import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { NewCommit } from './schemas/notification.ts'

/** Names the schema wherever it is kept. Not an address: every service serves its own copy. */
const schemaId = 'urn:floe:schema:notification'

/** The notification's JSON Schema (draft 2020-12), for receivers in any language. */
export function notificationJsonSchema(): JsonSchema {
  const { $schema, $defs = {} } = z.toJSONSchema(NewCommit, { io: 'output', target: 'draft-2020-12' })
  const { NewCommit: root, ...definitions } = $defs
  return { $schema, $id: schemaId, ...root, $defs: definitions }
}
