// Prints the schemas of the contract as TypeScript types that need no library. test/client/generated/types.test.ts
// compares them with the types that zod infers.
import { type Collection, type JsonSchema, listNeeded, nameReference } from './collect-definitions.ts'

export function printTypes({ definitions, events }: Collection, problemCodes: readonly string[]): string {
  const ofEvents = listNeeded(definitions, events)
  const types = [...definitions].map(([name, schema]) => {
    const definition = printDefinition(name, ofEvents.has(name) ? withoutUnknownFields(schema) : schema)
    return `${printComment(schema.description)}export type ${name} = ${definition}`
  })
  return `
    /** Any JSON value. */
    export type JsonValue = null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue }

    /** The code of a problem, the last segment of its \`type\`. */
    export type ProblemCode = ${printUnion(problemCodes)}

    /**
     * The \`type\` of a problem: a relative URI, at which the service serves a page about the problem.
     * Later versions of the service may send others.
     */
    export type ProblemType<Code extends string = ProblemCode | (string & {})> = \`/problems/\${Code}\`

    ${types.join('\n\n')}
  `
}

/** Removes the unknown fields of objects, so that TypeScript finds misspelt fields in handlers of events. */
function withoutUnknownFields(schema: JsonSchema): JsonSchema {
  const { additionalProperties, properties, items, ...known } = schema
  return {
    ...known,
    ...(items && { items: withoutUnknownFields(items) }),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, withoutUnknownFields(property)]),
          ),
        }
      : additionalProperties !== undefined && { additionalProperties }),
  }
}

function printDefinition(name: string, schema: JsonSchema): string {
  const { oneOf, ...rest } = schema
  if (oneOf === undefined) return printType(schema, name)
  if (rest.properties === undefined) return printType(schema, name)
  // Each alternative narrows some properties.
  const special = new Set(oneOf.flatMap(({ properties = {} }) => Object.keys(properties)))
  const properties = Object.entries(rest.properties ?? {})
  const shared = { ...rest, properties: Object.fromEntries(properties.filter(([member]) => !special.has(member))) }
  const alternatives = oneOf.map((alternative) => {
    const narrowed = properties
      .filter(([member]) => special.has(member))
      .map(([member, whole]) => [member, narrow(whole, alternative.properties?.[member])])
    return printType({ ...rest, properties: Object.fromEntries(narrowed) }, name)
  })
  return `${printType(shared, name)} & (${alternatives.join(' | ')})`
}

/** Narrows a property that may be null by an alternative, which says whether it is null, or which values it has. */
function narrow(whole: JsonSchema, alternative: JsonSchema = {}): JsonSchema {
  const { description } = whole
  if (alternative.const !== undefined || alternative.enum !== undefined || alternative.type === 'null')
    return { ...alternative, description: description ?? '' }
  if (whole.anyOf) return { ...whole, anyOf: whole.anyOf.filter(({ type }) => type !== 'null') }
  return { ...whole, type: [whole.type ?? []].flat().filter((type) => type !== 'null') }
}

function printType(schema: JsonSchema, owner: string): string {
  const { $ref, type, items, anyOf, oneOf, minItems, maxItems, declaredType } = schema
  if ($ref !== undefined) return nameReference($ref)
  if (declaredType !== undefined) return declaredType
  if (schema.enum) return printUnion(schema.enum)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const alternatives = anyOf ?? oneOf?.filter((alternative) => !isOfUnknownKind(alternative))
  if (alternatives) return alternatives.map((alternative) => printType(alternative, owner)).join(' | ')
  if (typeof type === 'object')
    return type.map((alternative) => printType({ ...schema, type: alternative }, owner)).join(' | ')
  switch (type) {
    case 'object':
      return printObject(schema, owner)
    case 'array': {
      const item = `(${printType(items ?? {}, owner)})`
      return minItems === 2 && maxItems === 2 ? `[${item}, ${item}]` : `${item}[]`
    }
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case undefined:
      return 'unknown'
    default:
      throw new TypeError(`${owner} has the type ${type}`)
  }
}

/**
 * Whether an alternative is for kinds that later versions may add. The types have only those that are known, because
 * `switch` would tell no kind from a text.
 */
function isOfUnknownKind({ properties }: JsonSchema): boolean {
  return properties?.['kind']?.not !== undefined
}

function printObject({ properties, required = [], additionalProperties }: JsonSchema, owner: string): string {
  const others = typeof additionalProperties === 'object' ? printType(additionalProperties, owner) : undefined
  if (properties === undefined) return `Record<string, ${others ?? 'unknown'}>`
  const members = Object.entries(properties).map(([member, schema]) => {
    const printed = printType(schema, owner)
    const isRequired = required.includes(member)
    return (
      `${printComment(schema.description)}${JSON.stringify(member)}${isRequired ? '' : '?'}: ` +
      `${printed}${isRequired ? '' : ' | undefined'}`
    )
  })
  if (others !== undefined) members.push(`[member: string]: ${others}`)
  return `{\n${members.join('\n')}\n}`
}

/** Prints a description of the contract as a comment. */
export function printComment(description: string | undefined): string {
  if (!description) return ''
  const text = description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')
  // Descriptions in the contract do not end with a full stop, and comments do.
  return `/** ${text}${text.endsWith('.') ? '' : '.'} */\n`
}

export function printUnion(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ')
}
