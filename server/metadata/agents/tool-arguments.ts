// The arguments of tools as agents get them: types and texts. The limits are left out, because the service checks and
// explains them.
import { z } from 'zod'

/** The arguments of a tool as JSON Schema. */
export type InputSchema = { readonly type: 'object'; readonly [keyword: string]: unknown }

/** An argument in JSON Schema, as far as agents need it. */
const Argument = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.string(), enum: z.array(z.string()).optional() }).optional(),
  description: z.string().optional(),
})

/**
 * Translates a schema to JSON Schema. Inlines references, because some agents do not follow them.
 *
 * @param texts descriptions by name, in place of those of the schema; `''` for a name that says enough
 */
export function describeArguments(schema: z.ZodType, texts: Readonly<Record<string, string>>): InputSchema {
  const { $defs = {}, properties = {}, required } = z.toJSONSchema(schema, { io: 'input' })
  const inlined: unknown = JSON.parse(JSON.stringify(properties), (_key, value: unknown) => {
    const { $ref: reference, ...rest } = Object(value)
    return typeof reference === 'string' ? { ...$defs[reference.replace('#/$defs/', '')], ...rest } : value
  })
  const described = Object.entries(z.record(z.string(), z.looseObject({})).parse(inlined)).map(([name, argument]) => {
    const { description, ...type } = Argument.parse(argument)
    const text = texts[name] ?? description
    return [name, { ...type, ...(text && { description: text }) }] as const
  })
  return { type: 'object', properties: Object.fromEntries(described), ...(required && { required }) }
}

/** Writes numbers among the contract's arguments as text, because the contract's schemas parse the text of a URL. */
export function writeNumbersAsText(sentArguments: unknown, contractShape: object): unknown {
  if (typeof sentArguments !== 'object' || sentArguments === null) return sentArguments ?? {}
  return Object.fromEntries(
    Object.entries(sentArguments).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' && name in contractShape ? String(value) : value,
    ]),
  )
}
