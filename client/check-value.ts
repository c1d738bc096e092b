// Checks values from outside against the schemas of the contract, which `npm run generate` writes as JSON Schema. A
// library for all of JSON Schema, or zod, would be larger than the rest of the client.
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
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  /** Only for the compiler; absent at run time. */
  readonly '~value'?: Value
}

/** Whether a value follows a schema. */
export function isValid<Value>(schema: Schema<Value>, value: unknown): value is Value {
  return findErrors(schema, value).length === 0
}

/** Maximum number of listed errors. A large value can be wrong in millions of places, and errors are logged. */
const maxErrors = 100

/**
 * Lists the first 100 errors of a value, with JSON pointers to where they are (https://www.rfc-editor.org/rfc/rfc6901).
 * Returns none when the value follows the schema.
 */
export function findErrors(schema: Schema, value: unknown): ProblemError[] {
  const errors: ProblemError[] = []
  checkValue(schema, value, { location: undefined, errors })
  return errors
}

/** Where a part of a value is: the name of a property or the index of an item, and where the object or list is. */
type Location = { readonly name: string | number; readonly outer: Location | undefined }

/** The location that is being checked (undefined: the whole value), and the errors found so far. */
type Check = { readonly location: Location | undefined; readonly errors: ProblemError[] }

function report({ location, errors }: Check, message: string): void {
  if (errors.length === maxErrors) return
  let pointer = ''
  for (let part = location; part; part = part.outer) {
    pointer = `/${String(part.name).replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`
  }
  errors.push({ pointer, message })
}

function enter({ location, errors }: Check, name: string | number): Check {
  return { location: { name, outer: location }, errors }
}

function checkValue(schema: Schema, value: unknown, check: Check): void {
  if (schema.anyOf) checkAlternatives(schema.anyOf, value, check)
  if (schema.type !== undefined && !hasType(value, schema.type)) {
    report(
      check,
      `must be ${[schema.type]
        .flat()
        .map((type) => nouns[type])
        .join(' or ')}`,
    )
    return
  }
  if (schema.const !== undefined && value !== schema.const) report(check, `must be ${JSON.stringify(schema.const)}`)
  if (schema.enum && !schema.enum.includes(value)) {
    report(check, `must be one of ${schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`)
  }
  if (typeof value === 'string') checkText(schema, value, check)
  else if (typeof value === 'number') checkNumber(schema, value, check)
  else if (Array.isArray(value)) checkItems(schema, value, check)
  else if (isObject(value)) checkProperties(schema, value, check)
  if (schema.oneOf && schema.properties === undefined) checkNamed(schema.oneOf, value, check)
  else if (schema.oneOf) checkCombination(schema, value, check)
}

/** Reports an invalid combination of properties, unless a property is wrong by itself. */
function checkCombination({ oneOf = [], ...properties }: Schema, value: unknown, check: Check): void {
  if (!isValid(properties, value) || oneOf.filter((alternative) => isValid(alternative, value)).length === 1) return
  const names = new Set(oneOf.flatMap(({ properties = {} }) => Object.keys(properties)))
  report(check, `must have a valid combination of ${[...names].join(', ')}`)
}

/**
 * Checks a value by the alternative that one of its properties names, such as `event` of a notification. An alternative
 * for other names is the last one.
 */
function checkNamed(alternatives: readonly Schema[], value: unknown, check: Check): void {
  const candidates = alternatives.map((alternative) => {
    const constants = Object.entries(alternative.properties ?? {}).filter(
      ([, property]) => property.const !== undefined,
    )
    const isNamed =
      isObject(value) && constants.every(([name, constant]) => readProperty(value, name) === constant.const)
    return { alternative, constants, isNamed }
  })
  const named = candidates.find(({ isNamed }) => isNamed)
  if (named !== undefined) return checkValue(named.alternative, value, check)
  if (!isObject(value)) return report(check, 'must be an object')
  for (const name of new Set(candidates.flatMap(({ constants }) => constants.map(([name]) => name)))) {
    const allowed = alternatives.map(({ properties }) => JSON.stringify(properties?.[name]?.const))
    report(
      enter(check, name),
      readProperty(value, name) === undefined ? 'is missing' : `must be one of ${allowed.join(', ')}`,
    )
  }
}

/**
 * Reports the errors of the first alternative that has the type of the value; if none has it, those of the first one.
 */
function checkAlternatives(alternatives: readonly Schema[], value: unknown, check: Check): void {
  if (alternatives.some((alternative) => isValid(alternative, value))) return
  const similar = alternatives.find(({ type }) => type !== undefined && hasType(value, type)) ?? alternatives[0]
  if (similar) checkValue(similar, value, check)
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
  if (typeof type === 'object') return type.some((alternative) => hasType(value, alternative))
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

function checkText({ pattern, minLength = 0, maxLength = Infinity }: Schema, text: string, check: Check): void {
  // Characters are code points, as in JSON Schema; a text has at most as many as UTF-16 units.
  if (minLength > 0 && Array.from(text).length < minLength) {
    report(check, `must have at least ${minLength} characters`)
  }
  if (text.length > maxLength && Array.from(text).length > maxLength) {
    report(check, `must have at most ${maxLength} characters`)
  }
  if (pattern !== undefined && !compile(pattern).test(text)) report(check, `must match ${pattern}`)
}

function checkNumber(schema: Schema, value: number, check: Check): void {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema
  if (value < minimum) report(check, `must be at least ${minimum}`)
  if (value <= exclusiveMinimum) report(check, `must be greater than ${exclusiveMinimum}`)
  if (value > maximum) report(check, `must be at most ${maximum}`)
}

function checkItems(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: readonly unknown[],
  check: Check,
): void {
  if (list.length < minItems) report(check, `must have at least ${minItems} items`)
  if (list.length > maxItems) report(check, `must have at most ${maxItems} items`)
  if (items) for (const [index, item] of list.entries()) checkValue(items, item, enter(check, index))
}

function checkProperties(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: object,
  check: Check,
): void {
  for (const name of required) {
    if (readProperty(value, name) === undefined) report(enter(check, name), 'is missing')
  }
  for (const [name, schema] of Object.entries(properties)) {
    const property = readProperty(value, name)
    if (property !== undefined) checkValue(schema, property, enter(check, name))
  }
  if (!additionalProperties) return
  for (const [name, property] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) checkValue(additionalProperties, property, enter(check, name))
  }
}

/** Reads a property of the value itself, not an inherited one such as `constructor`. */
function readProperty(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** Cached expressions by pattern; the contract has few. */
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
