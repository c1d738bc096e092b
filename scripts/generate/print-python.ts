// Prints schemas of the OpenAPI document as types of Python: objects become `TypedDict`, so that an answer is plain
// JSON, and fields of later versions do no harm.
import type { JsonSchema } from './collect-definitions.ts'

type NamedSchemas = Readonly<Record<string, JsonSchema>>

/** The part of the OpenAPI document that is read. */
export type DescribedApi = { readonly components: { readonly schemas: NamedSchemas } }

/** The types of Python for some schemas, and for those that they refer to. */
export type PythonTypes = {
  /** The module. */
  readonly text: string
  /** The names of the types that a name stands for: of each alternative, or of itself. */
  readonly listAlternatives: (name: string) => string[]
}

/** Prints a module with the types of these schemas. */
export function printPython({ components }: DescribedApi, schemas: Iterable<string>): PythonTypes {
  const printer = new TypePrinter(components.schemas)
  for (const name of schemas) printer.printNamed(name)
  const text = `"""Types of what is sent and received. Generated from contract/openapi.json by \`npm run generate\`."""

from typing import Any, Literal, NotRequired, TypedDict

${printer.printed.map((text) => text.trim()).join('\n\n\n')}
`
  return { text, listAlternatives: (name) => printer.listAlternatives(name) }
}

class TypePrinter {
  readonly #schemas: NamedSchemas
  readonly #names = new Set<string>()
  readonly #aliases = new Map<string, string>()
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
    this.#aliases.set(name, type)
    const isLong = `${name} = ${type}`.length > 100
    const broken = isLong ? `(\n    ${type.replaceAll(' | ', '\n    | ')}\n)` : type
    this.printed.push(`${name} = ${broken}\n${writeText(schema.description, '')}`)
  }

  listAlternatives(name: string): string[] {
    const type = this.#aliases.get(name)
    return type === undefined ? [name] : type.split(' | ').flatMap((one) => this.listAlternatives(one))
  }

  printObject(name: string, { properties = {}, required = [], description }: JsonSchema): void {
    this.#names.add(name)
    const fields = Object.entries(properties).map(([key, property]) => {
      const type = this.#writeType(property, name + toPascalCase(key))
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
  #writeType(schema: JsonSchema, owner: string): string {
    const { $ref, type, items, anyOf, oneOf, properties, additionalProperties } = schema
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
      return joinTypes(alternatives.map((one) => this.#writeType(one, owner + nameAlternative(one))))
    if (properties !== undefined) {
      if (this.#names.has(owner)) throw new TypeError(`${owner} would be the name of two types`)
      this.printObject(owner, schema)
      return owner
    }
    if (type === 'object') {
      const isOpen = typeof additionalProperties !== 'object'
      return `dict[str, ${isOpen ? 'Any' : this.#writeType(additionalProperties, `${owner}Value`)}]`
    }
    if (type === 'array') return `list[${this.#writeType(items ?? {}, `${owner}Item`)}]`
    return pythonTypes[String(type)] ?? 'Any'
  }
}

const pythonTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

export function writeLiteral(value: unknown): string {
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

export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
