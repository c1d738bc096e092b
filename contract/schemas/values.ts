// Schemas that many bodies share.
import { z } from 'zod'
import { noControls } from './names.ts'

/** A point in time. */
export const Instant = z.iso
  .datetime({ precision: 3 })
  .describe('UTC, milliseconds')
  .meta({ examples: ['2026-11-21T12:00:00.123Z'] })

/** How many there are of something. */
export const Count = z.int().min(0)

/** Any JSON object. */
export const JsonObject = z.record(z.string(), z.unknown())

/** Describes a text that is cut. JSON Schema and zod count its characters in code points. */
export function cutText(maxLength: number, description: string) {
  const limit = maxLength.toLocaleString('en')
  const rule = `At most ${limit} characters (Unicode code points): a longer text is cut, and ends with \`…\``
  return z.string().max(maxLength).describe(`${description}. ${rule}`)
}

/** A line of foreign text. */
export const lineOf = (maxLength: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(noControls, 'must be one line without control characters')

/** The check of a text that is posted, and its rule. JSON Schema cannot say it. */
export const isWellFormed = [(text: string) => text.isWellFormed(), 'must be well-formed Unicode'] as const

/** Whether a browser may follow the link of a stranger, and sees where it leads. */
export function isSafeLink(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

export const safeLinkRule = 'must be an https URL without credentials'

/** A complete list. Its example has the examples of its items. */
export function listOf<Item extends z.ZodType>(items: Item, meta: ListMeta, order = 'Oldest first') {
  const examples = [{ items: items.meta()?.['examples'] }]
  return z.object({ items: z.array(items).describe(order) }).meta({ ...meta, examples })
}

/** A page of a list that is sorted from new to old. `cursor` is the schema of the ids of its items. */
export function pageOf<Item extends z.ZodType, Cursor extends z.ZodType>(items: Item, cursor: Cursor, meta: ListMeta) {
  const examples = [{ items: items.meta()?.['examples'], next: null }]
  const next = cursor.nullable().describe('Send it as `before` for the next page; null on the last page')
  return z.object({ items: z.array(items).describe('Newest first'), next }).meta({ ...meta, examples })
}

type ListMeta = { readonly id: string; readonly description: string }
