// Prints schemas of the OpenAPI document as types of Python: objects become `TypedDict`, so that an answer is plain
// JSON, and fields of later versions do no harm.
import type { JsonSchema as ContractSchema } from './collect-definitions.ts'

type JsonSchema = ContractSchema & { readonly pythonType?: string }

type NamedSchemas = Readonly<Record<string, JsonSchema>>

/** The part of the OpenAPI document that is read. */
export type DescribedApi = {
  readonly components: { readonly schemas: NamedSchemas }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

type DescribedOperation = {
  readonly operationId?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description: string
    readonly schema: JsonSchema
  }[]
}

/** What the Python package needs. */
export type PythonSelection = {
  /** Schemas; those that they refer to are printed too. */
  readonly schemas: readonly string[]
  /** Types for the query parameters of operations, by name, without parameters that the package sets itself. */
  readonly queries: Readonly<Record<string, { readonly operation: string; readonly without: readonly string[] }>>
}

/** Prints a module with the selected types. */
export function printPython({ components, paths }: DescribedApi, { schemas, queries }: PythonSelection): string {
  const printer = new TypePrinter(components.schemas)
  for (const name of schemas) printer.printNamed(name)
  const operations = Object.values(paths).flatMap((operations) => Object.values(operations))
  for (const [name, { operation, without }] of Object.entries(queries)) {
    const { parameters } = operations.find(({ operationId }) => operationId === operation) ?? {}
    if (parameters === undefined) throw new TypeError(`the OpenAPI document has no parameters of ${operation}`)
    const taken = parameters.filter((parameter) => parameter.in === 'query' && !without.includes(parameter.name))
    const properties = taken.map(({ name, description, schema }) => {
      const pythonType = valueTypes[name]
      return [name, { ...schema, description, ...(pythonType !== undefined && { pythonType }) }] as const
    })
    printer.printObject(
      name,
      { description: 'Query parameters', properties: Object.fromEntries(properties) },
      'Sequence',
    )
  }
  return `"""Types of answers and notifications. Generated from contract/openapi.json by \`npm run generate\`."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, NotRequired, TypedDict

${printer.printed.map((text) => text.trim()).join('\n\n\n')}
`
}

class TypePrinter {
  readonly #schemas: NamedSchemas
  readonly #names = new Set<string>()
  readonly printed: string[] = []

  constructor(schemas: NamedSchemas) {
    this.#schemas = schemas
  }

  /** Prints a schema of the document, after those that it refers to. */
  printNamed(name: string): void {
    const schema = this.#schemas[name]
    if (schema === undefined) throw new TypeError(`the OpenAPI document has no schema ${name}`)
    if (this.#names.has(name)) return
    this.#names.add(name)
    if (schema.properties !== undefined) return this.printObject(name, schema)
    const type = this.#writeType(schema, name)
    const isLong = `${name} = ${type}`.length > 100
    const broken = isLong ? `(\n    ${type.replaceAll(' | ', '\n    | ')}\n)` : type
    this.printed.push(`${name} = ${broken}\n${writeText(schema.description, '')}`)
  }

  /** @param list the type of lists: callers may pass any sequence */
  printObject(
    name: string,
    { properties = {}, required = [], description }: JsonSchema,
    list: 'list' | 'Sequence' = 'list',
  ): void {
    this.#names.add(name)
    const fields = Object.entries(properties).map(([key, property]) => {
      const type = this.#writeType(property, name + toPascalCase(key), list)
      const isOptional = !required.includes(key)
      return { key, type: isOptional ? `NotRequired[${type}]` : type, description: property.description }
    })
    if (fields.every(({ key }) => isIdentifier(key))) {
      const lines = fields.map(({ key, type, description }) => `    ${key}: ${type}\n${writeText(description, '    ')}`)
      this.printed.push(
        `class ${name}(TypedDict):\n${description ? `${writeText(description, '    ')}\n` : ''}${lines.join('')}`,
      )
    } else {
      const lines = fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${type},\n`)
      this.printed.push(`${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)`)
    }
  }

  /** Writes a type. An object inside it gets the name `owner`. */
  #writeType(schema: JsonSchema, owner: string, list: 'list' | 'Sequence' = 'list'): string {
    const { $ref, type, items, anyOf, oneOf, properties, additionalProperties, pythonType } = schema
    if (pythonType !== undefined) return pythonType
    if ($ref !== undefined) {
      const name = $ref.slice($ref.lastIndexOf('/') + 1)
      this.printNamed(name)
      return name
    }
    if (schema.enum) return `Literal[${schema.enum.map(writeLiteral).join(', ')}]`
    if (schema.const === null) return 'None'
    if (schema.const !== undefined) return `Literal[${writeLiteral(schema.const)}]`
    const alternatives = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [])
    if (alternatives.length > 0)
      return joinTypes(alternatives.map((one) => this.#writeType(one, owner + nameAlternative(one), list)))
    if (properties !== undefined) {
      if (this.#names.has(owner)) throw new TypeError(`${owner} would be the name of two types`)
      this.printObject(owner, schema)
      return owner
    }
    if (type === 'object') {
      const isOpen = typeof additionalProperties !== 'object'
      return `dict[str, ${isOpen ? 'Any' : this.#writeType(additionalProperties, `${owner}Value`)}]`
    }
    if (type === 'array') return `${list}[${this.#writeType(items ?? {}, `${owner}Item`)}]`
    return pythonTypes[String(type)] ?? 'Any'
  }
}

/** Query parameters that take values of Python besides text, which `floe_client/query.py` writes. */
const valueTypes: Readonly<Record<string, string>> = {
  bbox: 'str | Sequence[float]',
  time: 'str | date | Sequence[str | date | None]',
  since: 'str | date',
  until: 'str | date',
  changed_since: 'str | date',
  changed_before: 'str | date',
}

const pythonTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function writeLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** `None` comes last, as in most Python programs. */
function joinTypes(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  return [...distinct.filter((type) => type !== 'None'), ...distinct.filter((type) => type === 'None')].join(' | ')
}

/** The value that distinguishes an alternative from the others, such as `S3`; empty if none does. */
function nameAlternative({ properties = {} }: JsonSchema): string {
  const found = Object.values(properties).find((property) => property.const !== undefined)
  return found === undefined ? '' : toPascalCase(String(found.const))
}

function toPascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

const keywords = new Set(['from', 'class', 'global', 'in', 'is', 'not', 'or', 'and', 'as', 'import', 'None'])

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text)
}

/** Writes a description as the text below a name, where editors find it. */
function writeText(description: string | undefined, indent: string): string {
  if (!description) return ''
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll('\n', ' ')
  const whole = `"""${text}${/[.?!]$/.test(text) ? '' : '.'}"""`
  const lines = wrap(whole, 100 - indent.length)
  return lines.map((line) => `${indent}${line}\n`).join('')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
