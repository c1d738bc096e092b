// Translates zod schemas to JSON Schema (draft 2020-12). Schemas with an `id` are collected in one table and referred to.
import { z } from 'zod'

/** A JSON Schema as plain JSON. */
export type JsonSchema = { [keyword: string]: unknown }

type Direction = 'input' | 'output'

const prefix = '#/components/schemas/'

/** Translates schemas and collects the named ones for `components.schemas` of the OpenAPI document. */
export class ComponentSchemas {
  readonly #named = new Map<string, JsonSchema>()

  /** Translates a schema; one with an `id` becomes a reference. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema {
    const id = z.globalRegistry.get(schema)?.id
    return id === undefined ? this.#translate(schema, direction) : this.refer(schema, direction)
  }

  /** Makes a reference to a schema that has an `id`. */
  refer(schema: z.ZodType, direction: Direction): JsonSchema {
    const id = z.globalRegistry.get(schema)?.id
    if (id === undefined) throw new TypeError('only a schema with an id can be referred to')
    if (!this.#named.has(id)) {
      const translated = this.#translate(schema, direction)
      // zod turns a schema with an id into a reference into `$defs`, which `#translate` has already collected.
      if (!this.#named.has(id)) this.#named.set(id, translated)
    }
    return { $ref: prefix + id }
  }

  /** Follows a reference made by this object; returns any other schema unchanged. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref: reference } = schema
    return typeof reference === 'string' ? (this.#named.get(reference.slice(prefix.length)) ?? schema) : schema
  }

  /** All named schemas so far, sorted by name. */
  list(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #translate(schema: z.ZodType, direction: Direction): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...translated
    } = z.toJSONSchema(schema, { io: direction, target: 'draft-2020-12', override: letGrow })
    for (const [id, definition] of Object.entries($defs ?? {})) {
      if (!this.#named.has(id)) this.#named.set(id, toComponent(moveReferences(definition)))
    }
    return toComponent(moveReferences(translated))
  }
}

/** Allows unknown members in answers, which may gain members. zod forbids them, because its own parsers drop unknown members. */
function letGrow({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties']
}

/**
 * Removes what code generators cannot use. zod writes the registered `id` into the schema, which would make it a resource of its own.
 * Generators read the members of an object from `properties` or from `oneOf` but not both, so a `oneOf` beside `properties` is dropped;
 * the JSON Schema of the notification keeps it.
 */
function toComponent({ id: _, ...schema }: JsonSchema): JsonSchema {
  if (!('properties' in schema && 'oneOf' in schema)) return schema
  const { oneOf: __, ...object } = schema
  return object
}

function moveReferences(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', prefix) : value,
  ) as JsonSchema // an object stays an object in the round trip
}
