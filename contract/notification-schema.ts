import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { NewCommit } from './schemas/notification.ts'

/** The notification's JSON Schema (draft 2020-12), for receivers in any language. */
export function notificationJsonSchema(): JsonSchema {
  return z.toJSONSchema(NewCommit, { io: 'output', target: 'draft-2020-12' })
}
