// Prints the routes of the client and the schemas that it checks answers with.
import {
  type ClientRoute,
  type Collection,
  type JsonSchema,
  listNeeded,
  listReferences,
  nameReference,
} from './collect-definitions.ts'

/** Keywords that client/check-value.ts understands. */
const understood = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
])

/** Keywords for people, those that repeat the pattern, and `not`, for what the alternatives before it accept. */
const ignored = new Set(['description', 'examples', 'title', 'id', 'format', 'propertyNames', 'declaredType', 'not'])

/** Prints the definitions that the client checks values with. */
export function printSchemas({ definitions, routes, checked }: Collection): string {
  const needed = listNeeded(definitions, [...routes.flatMap(({ answer }) => listReferences(answer)), ...checked])
  const printed = [...definitions]
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => {
      const isExported = checked.includes(name) || routes.some(({ answer }) => answer?.$ref?.endsWith(`/${name}`))
      return `${isExported ? 'export ' : ''}const ${name}: Schema<types.${name}> = ${printSchema(schema)}`
    })
  return `
    import type { Schema } from '../check-value.ts'
    import type * as types from './types.ts'

    ${printed.join('\n\n')}
  `
}

/** Prints one table of routes for each resource, so that a bundle holds only the routes that its program can call. */
export function printRoutes(routes: readonly ClientRoute[], snapshotHeader: string): string {
  const references = routes.flatMap(({ answer }) => (answer?.$ref === undefined ? [] : [nameReference(answer.$ref)]))
  const tables = Map.groupBy(routes, ({ resource }) => resource)
  return `
    import type { Schema } from '../check-value.ts'
    import type * as types from './types.ts'
    import { ${[...new Set(references)].sort().join(', ')} } from './schemas.ts'

    /** A route of the contract, as it is called. */
    export type Route<Answer> = {
      readonly method: string
      /** Path with \`:names\`. */
      readonly path: string
      /** Status of the success. */
      readonly status: number
      /** Schema of the answer's body, which is JSON; missing when it has none. */
      readonly answer?: Schema<Answer>
    }

    /** Response header with the id of the snapshot that an answer describes. */
    export const snapshotHeader = ${JSON.stringify(snapshotHeader)}

    ${[...tables].map(([resource, table]) => printTable(resource, table)).join('\n\n')}
  `
}

function printTable(resource: string, table: readonly ClientRoute[]): string {
  const entries = table.map(({ name, method, path, status, answer }) => {
    const schema = answer && printSchema(answer)
    const fixed = JSON.stringify({ method, path, status }).slice(1, -1)
    return `${JSON.stringify(name)}: { ${fixed}${schema === undefined ? '' : `, answer: ${schema}`} }`
  })
  const types = table.map(
    ({ name, answer }) => `${JSON.stringify(name)}: Route<${answer ? printAnswerType(answer) : 'undefined'}>`,
  )
  return `export const ${resource}: { ${types.join('; ')} } = { ${entries.join(', ')} }`
}

/** Bodies without a name are texts and documents for other tools. */
export function printAnswerType({ $ref, type }: JsonSchema): string {
  if ($ref !== undefined) return `types.${nameReference($ref)}`
  return type === 'string' ? 'string' : 'Record<string, unknown>'
}

function printSchema(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return nameReference(schema.$ref)
  const parts: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (ignored.has(keyword)) continue
    if (!understood.has(keyword)) throw new TypeError(`client/check-value.ts does not know ${keyword}`)
    const text = printKeyword(keyword, value)
    if (text !== undefined) parts.push(`${keyword}: ${text}`)
  }
  if ('format' in schema && schema.pattern === undefined) throw new TypeError('a format has no pattern')
  return `{ ${parts.join(', ')} }`
}

/**
 * Prints a keyword's value; undefined when it allows everything. Answers may have members that the client does not
 * know, also in a document that a request may not extend.
 */
function printKeyword(keyword: string, value: unknown): string | undefined {
  // The casts follow JSON Schema: a keyword's value is a schema, a list of schemas, or schemas by name.
  if (keyword === 'items' || keyword === 'additionalProperties') {
    const text = typeof value === 'boolean' ? '{  }' : printSchema(value as JsonSchema)
    return text === '{  }' ? undefined : text
  }
  if (keyword === 'anyOf' || keyword === 'oneOf') return `[${(value as JsonSchema[]).map(printSchema).join(', ')}]`
  if (keyword === 'properties') {
    const members = Object.entries(value as Record<string, JsonSchema>)
    return `{ ${members.map(([name, schema]) => `${JSON.stringify(name)}: ${printSchema(schema)}`).join(', ')} }`
  }
  return JSON.stringify(value)
}
