// Translates zod schemas to JSON Schema (draft 2020-12). Schemas with an `id` are collected in one table and
// referenced.
import { openLists } from '@floe/contract'
import { z } from 'zod'

/** A JSON Schema as plain JSON. */
export type JsonSchema = { [keyword: string]: unknown }

const prefix = '#/components/schemas/'

/** Translates schemas and collects the named ones for `components.schemas` of the OpenAPI document. */
export class ComponentSchemas {
  readonly #named = new Map<string, JsonSchema>()

  /** Translates a schema; one with an `id` becomes a reference. */
  translate(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...translated
    } = z.toJSONSchema(schema, {
      io: direction,
      target: 'draft-2020-12',
      override: (translated) => {
        allowUnknownMembers(translated)
        openConstants(translated)
        if (direction === 'output') openLists(translated)
      },
    })
    for (const [id, definition] of Object.entries($defs)) this.#named.set(id, toComponent(definition))
    return toComponent(translated)
  }

  /** The first example of a schema or of the schema that it refers to, as a member to spread. */
  findExample({ $ref: reference, examples }: JsonSchema): { readonly example?: unknown } {
    const referred = typeof reference === 'string' ? this.#named.get(reference.slice(prefix.length)) : undefined
    const [example] = z.array(z.unknown()).parse(examples ?? referred?.['examples'] ?? [])
    return example === undefined ? {} : { example }
  }

  /** All named schemas so far, sorted by name. */
  list(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/**
 * Allows unknown members in answers, which may gain members, by saying nothing about them. zod forbids them, because
 * its own parsers drop unknown members; for a loose object, it writes a schema of any value, which orval cannot use.
 */
function allowUnknownMembers({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'object' && def.catchall?._zod.def.type !== 'never') delete jsonSchema['additionalProperties']
}

/**
 * Writes the only value of a number as its limits, and leaves out that of a boolean: generators make a list of values
 * of it, whose members are texts in some languages.
 */
function openConstants({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { type, const: value } = jsonSchema
  if (typeof value !== 'boolean' && typeof value !== 'number') return
  delete jsonSchema['const']
  if (type === 'number') Object.assign(jsonSchema, { type: 'integer', minimum: value, maximum: value })
}

/**
 * Removes what code generators cannot use. zod writes the registered `id` into the schema, which would make it a
 * resource of its own. Generators read the members of an object from `properties` or from `oneOf` but not both, so a
 * `oneOf` beside `properties` is dropped; the JSON Schema of the notification keeps it.
 */
function toComponent({ id: _, ...schema }: JsonSchema): JsonSchema {
  if ('properties' in schema) delete schema['oneOf']
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', prefix)
    // zod writes `{}` for a record of any values.
    return key === 'additionalProperties' && JSON.stringify(value) === '{}' ? true : value
  }) as JsonSchema // an object stays an object in the round trip
}
