// Lists of values in answers and notifications may grow. The service checks that it sends only the values of the
// contract, but readers of answers must accept any text.
import type { z } from 'zod'
import { CommitsUnavailableReason } from './notifications/new-commit.ts'

/** What `z.toJSONSchema` passes to its option `override`. */
type Translated = { readonly zodSchema: z.core.$ZodTypes; readonly jsonSchema: z.core.JSONSchema.BaseSchema }

/**
 * Lists the known values of a member that may have others; undefined if it has no list, or if its list is complete:
 * that of `commits_unavailable_reason` decides which other members are null.
 */
export function listKnownValues(schema: z.core.$ZodTypes): readonly unknown[] | undefined {
  const { def } = schema._zod
  // Descriptions make copies of a schema, which share its entries.
  const isOpen = def.type === 'enum' && def.entries !== CommitsUnavailableReason.def.entries
  return isOpen ? Object.values(def.entries) : undefined
}

/** Opens the lists of values in a JSON Schema of an answer or a notification: the known values become examples. */
export function openLists({ zodSchema, jsonSchema }: Translated): void {
  const examples = listKnownValues(zodSchema)
  if (examples === undefined) return
  delete jsonSchema.enum
  jsonSchema.examples = [...examples]
}

/**
 * Opens the unions of kinds in a JSON Schema of an answer or a notification: the last alternative is an object of
 * another kind, which may have any members.
 */
export function openKinds({ zodSchema, jsonSchema }: Translated): void {
  const { def, propValues } = zodSchema._zod
  if (!('discriminator' in def) || def.discriminator !== 'kind') return
  const known = [...(propValues?.['kind'] ?? [])].filter((value) => typeof value === 'string')
  const other = { type: 'string', not: { enum: known } } as const
  jsonSchema.oneOf?.push({ type: 'object', properties: { kind: other }, required: ['kind'] })
}
