// Checks values from outside against the schemas of the contract, which `npm run generate` writes as JSON Schema: a library that understands
// all of JSON Schema, or zod, would be larger than the rest of the client.
import type { ProblemError } from './generated/types.ts'

type Type = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

/** A schema: the part of JSON Schema that the contract uses. `Value` is the type of the values that it accepts. */
export type Schema<Value = unknown> = {
  readonly type?: Type | readonly Type[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** Only for the compiler: no schema has it. */
  readonly '~value'?: Value
}

/** Whether a value follows a schema. */
export function isValid<Value>(schema: Schema<Value>, value: unknown): value is Value {
  return findErrors(schema, value).length === 0
}

/** Lists the wrong places of a value, as JSON pointers (https://www.rfc-editor.org/rfc/rfc6901); none when it follows the schema. */
export function findErrors(schema: Schema, value: unknown): ProblemError[] {
  return [...checkValue(schema, value, '')]
}

function* checkValue(schema: Schema, value: unknown, pointer: string): Generator<ProblemError> {
  if (schema.anyOf) yield* checkAlternatives(schema.anyOf, value, pointer)
  if (schema.type !== undefined && !hasType(value, schema.type)) {
    yield {
      pointer,
      message: `must be ${[schema.type]
        .flat()
        .map((type) => nouns[type])
        .join(' or ')}`,
    }
    return
  }
  if (schema.const !== undefined && value !== schema.const) {
    yield { pointer, message: `must be ${JSON.stringify(schema.const)}` }
  }
  if (schema.enum && !schema.enum.includes(value)) {
    yield { pointer, message: `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}` }
  }
  if (typeof value === 'string') yield* checkText(schema, value, pointer)
  if (typeof value === 'number') yield* checkNumber(schema, value, pointer)
  if (Array.isArray(value)) yield* checkItems(schema, value, pointer)
  else if (isObject(value)) yield* checkMembers(schema, value, pointer)
  if (schema.oneOf) yield* checkCombination(schema, value, pointer)
}

/** Tells that members do not fit together. Says nothing while one of them is wrong by itself. */
function* checkCombination(
  { oneOf = [], ...members }: Schema,
  value: unknown,
  pointer: string,
): Generator<ProblemError> {
  if (!isValid(members, value) || oneOf.filter((one) => isValid(one, value)).length === 1) return
  const names = new Set(oneOf.flatMap(({ properties = {} }) => Object.keys(properties)))
  yield { pointer, message: `must have values of ${[...names].join(', ')} that fit together` }
}

/** Tells what is wrong with the first alternative that has the type of the value; if none has it, with the first one. */
function* checkAlternatives(alternatives: readonly Schema[], value: unknown, pointer: string): Generator<ProblemError> {
  if (alternatives.some((alternative) => isValid(alternative, value))) return
  const similar = alternatives.find(({ type }) => type !== undefined && hasType(value, type)) ?? alternatives[0]
  if (similar) yield* checkValue(similar, value, pointer)
}

const nouns: Readonly<Record<Type, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

function hasType(value: unknown, type: Type | readonly Type[]): boolean {
  if (typeof type === 'object') return type.some((one) => hasType(value, one))
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'null':
      return value === null
    case 'string':
    case 'boolean':
      return typeof value === type
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function* checkText(
  { pattern, minLength = 0, maxLength = Infinity }: Schema,
  text: string,
  pointer: string,
): Generator<ProblemError> {
  // Characters are code points, as in JSON Schema. There are at most as many as UTF-16 units.
  if (minLength > 0 && Array.from(text).length < minLength)
    yield { pointer, message: `must have at least ${minLength} characters` }
  if (text.length > maxLength && Array.from(text).length > maxLength) {
    yield { pointer, message: `must have at most ${maxLength} characters` }
  }
  if (pattern !== undefined && !compile(pattern).test(text)) yield { pointer, message: `must match ${pattern}` }
}

function* checkNumber(
  { minimum = -Infinity, maximum = Infinity }: Schema,
  value: number,
  pointer: string,
): Generator<ProblemError> {
  if (value < minimum) yield { pointer, message: `must be at least ${minimum}` }
  if (value > maximum) yield { pointer, message: `must be at most ${maximum}` }
}

function* checkItems(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: readonly unknown[],
  pointer: string,
): Generator<ProblemError> {
  if (list.length < minItems) yield { pointer, message: `must have at least ${minItems} items` }
  if (list.length > maxItems) yield { pointer, message: `must have at most ${maxItems} items` }
  if (items) for (const [index, item] of list.entries()) yield* checkValue(items, item, `${pointer}/${index}`)
}

function* checkMembers(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: object,
  pointer: string,
): Generator<ProblemError> {
  const members = new Map<string, unknown>(Object.entries(value))
  for (const [name, schema] of Object.entries(properties)) {
    const member = members.get(name)
    if (member !== undefined) yield* checkValue(schema, member, `${pointer}/${escape(name)}`)
    else if (required.includes(name)) yield { pointer: `${pointer}/${escape(name)}`, message: 'is missing' }
  }
  if (!additionalProperties) return
  for (const [name, member] of members) {
    if (!Object.hasOwn(properties, name)) yield* checkValue(additionalProperties, member, `${pointer}/${escape(name)}`)
  }
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The expressions by their pattern. There are as many as the contract has. */
const expressions = new Map<string, RegExp>()

function compile(pattern: string): RegExp {
  const known = expressions.get(pattern)
  if (known) return known
  const expression = new RegExp(pattern)
  expressions.set(pattern, expression)
  return expression
}

/** Writes the first three errors in one line, for the message of an Error. */
export function summarize(errors: readonly ProblemError[]): string {
  return errors
    .slice(0, 3)
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
    .join('; ')
}
