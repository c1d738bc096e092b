import { z } from 'zod'
import { NewCommit } from './schemas/notification.ts'

/** The notification's JSON Schema (draft 2020-12), for receivers in any language. */
export function notificationJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(NewCommit, { io: 'output', target: 'draft-2020-12' })
}
