// zod schemas as JSON Schema (draft 2020-12). Those with an `id` are collected in one table and referred to.
import { z } from 'zod'

/** A JSON Schema as plain JSON. */
export type JsonSchema = { [keyword: string]: unknown }

type Direction = 'input' | 'output'

const prefix = '#/components/schemas/'

/** Collects named schemas while others are translated; the place for an OpenAPI document's `components.schemas`. */
export class ComponentSchemas {
  readonly #named = new Map<string, JsonSchema>()

  /** The schema, or a reference to it when it has an `id`. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema {
    const id = z.globalRegistry.get(schema)?.id
    return id === undefined ? this.#translate(schema, direction) : this.reference(schema, direction)
  }

  /** A reference to a schema that has an `id`. */
  reference(schema: z.ZodType, direction: Direction): JsonSchema {
    const id = z.globalRegistry.get(schema)?.id
    if (id === undefined) throw new TypeError('only a schema with an id can be referred to')
    if (!this.#named.has(id)) {
      const translated = this.#translate(schema, direction)
      // zod gives a schema with an id as a reference into `$defs`, where `#translate` has found it already.
      if (!this.#named.has(id)) this.#named.set(id, translated)
    }
    return { $ref: prefix + id }
  }

  /** The schema that a reference made here leads to; any other schema itself. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref: reference } = schema
    return typeof reference === 'string' ? (this.#named.get(reference.slice(prefix.length)) ?? schema) : schema
  }

  /** All named schemas met so far, sorted by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #translate(schema: z.ZodType, direction: Direction): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...translated
    } = z.toJSONSchema(schema, { io: direction, target: 'draft-2020-12', override: letGrow })
    for (const [id, definition] of Object.entries($defs ?? {})) {
      if (!this.#named.has(id)) this.#named.set(id, asComponent(moveReferences(definition)))
    }
    return asComponent(moveReferences(translated))
  }
}

/** Answers may gain members. zod closes the objects of answers, because its own parsers leave unknown members out. */
function letGrow({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties']
}

/**
 * zod writes the registered `id` into the schema, where it would claim to be a resource of its own. Generators take the members of
 * an object either from `properties` or from `oneOf`, so the combinations in a `oneOf` beside `properties` are left out; the JSON
 * Schema of the notification has them.
 */
function asComponent({ id: _, ...schema }: JsonSchema): JsonSchema {
  if (!('properties' in schema && 'oneOf' in schema)) return schema
  const { oneOf: __, ...object } = schema
  return object
}

function moveReferences(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', prefix) : value,
  ) as JsonSchema // what was an object before the round trip is one after it
}
