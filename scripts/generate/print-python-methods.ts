// Prints the methods of the clients for Python, each of which calls one route. Names of addresses are arguments by
// position, and what is asked or sent are arguments by name.
import { type ClientRoute, type JsonSchema, nameReference } from './collect-definitions.ts'
import { listMethods, type Method } from './list-methods.ts'
import { type DescribedApi, type PythonTypes, wrap, writeLiteral } from './print-python.ts'

/** Names that are words of Python, and what methods use instead. */
const renamed: Readonly<Record<string, string>> = { from: 'before', to: 'after' }

/** Query parameters that take values of Python besides text, which `floe_client/query.py` writes. */
const valueTypes: Readonly<Record<string, string>> = {
  bbox: 'str | Sequence[float]',
  time: 'str | date | Sequence[str | date | None]',
  since: 'str | date',
  until: 'str | date',
  changed_since: 'str | date',
  changed_before: 'str | date',
}

/** What an iterator over a stream does besides what the contract says. */
const streaming =
  ' The iterator reconnects when the connection is lost, with a warning to the logger `floe_client`, and continues ' +
  'after the last event. It raises problems that a retry cannot fix.'

/** Lists the schemas of what methods send and return. */
export function listSchemas(routes: readonly ClientRoute[], { components }: DescribedApi): Set<string> {
  const references = routes.flatMap(({ answer, body }) => [answer?.$ref, body?.$ref])
  const names = references.flatMap((reference) => (reference === undefined ? [] : [nameReference(reference)]))
  return new Set(names.filter((name) => name in components.schemas))
}

/** Prints the module with the methods of both clients. */
export function printPythonMethods(routes: readonly ClientRoute[], api: DescribedApi, types: PythonTypes): string {
  const printed = new MethodPrinter(api, types)
  const reading = listMethods(routes, 'Reader').map((method) => printed.print(method))
  const groups = [...Map.groupBy(listMethods(routes, 'Admin'), ({ group }) => group)].map(
    ([group, methods]) => [group, methods.map((method) => printed.print(method)).join('\n')] as const,
  )
  const own = groups.flatMap(([group, text]) => (group === undefined ? [text] : []))
  const named = groups.flatMap(([group, text]) => (group === undefined ? [] : [{ group, text }]))
  const classes = named.map(({ group, text }) => printClass(toPascalCase(group), text))
  const members = named.map(({ group }) => `        self.${toSnakeCase(group)} = ${toPascalCase(group)}(transport)\n`)
  const init = [
    '    def __init__(self, transport: Transport) -> None:\n        super().__init__(transport)\n',
    ...members,
  ].join('')
  const all = [
    printClass('ReaderMethods', reading.join('\n')),
    ...classes,
    printClass('AdminMethods', [init, ...own].join('\n')),
  ]
  return `"""Methods that call one route of the contract. Generated from contract/ by \`npm run generate\`."""

# The service sends what the types say, so answers are not checked again.
# mypy: disable-error-code="no-any-return"

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal, Unpack, overload

from . import models
from .events import RecordedEvent, follow_events
from .transport import Routes, Transport, Versioned


${all.join('\n\n')}`
}

function printClass(name: string, text: string): string {
  return `class ${name}(Routes):\n    """Methods that call one route."""\n\n${text}`
}

class MethodPrinter {
  readonly #schemas: DescribedApi['components']['schemas']
  readonly #types: PythonTypes

  constructor({ components }: DescribedApi, types: PythonTypes) {
    this.#schemas = components.schemas
    this.#types = types
  }

  /** Prints a method; of a list in pages, also the iterator over the entries of all pages. */
  print(method: Method): string {
    const { route, name } = method
    const text = this.#printCall(method)
    return name.endsWith('Page') && route.answer?.$ref !== undefined
      ? `${text}\n${this.#printIterator(method, nameReference(route.answer.$ref))}`
      : text
  }

  #printCall(method: Method): string {
    const { route, name } = method
    const { body, answer, takesIfMatch } = route
    const isStream = answer?.type === 'string'
    // Administrators need the ETag to change the same version.
    const isVersioned = route.isForAdministrators && route.hasETag
    const value = answer ? this.#writeReference(answer, 'Mapping[str, Any]') : 'None'
    const returned = isStream ? 'Iterator[RecordedEvent]' : isVersioned ? `Versioned[${value}]` : value
    const parameters = writeParameters(method, takesIfMatch ? ['if_match: str | None = None'] : [])
    const sent = body && this.#listSent(body)
    const head = (types: string[]) => writeHead(toSnakeCase(name), [...parameters, ...types], returned)
    const overloads = (sent ?? []).map((type) => `    @overload\n${head([`**body: Unpack[${type}]`])} ...\n`)
    const [only, ...others] = sent ?? []
    const taken = only === undefined || others.length > 0 ? 'Any' : `Unpack[${only}]`
    const call = writeCall(method, isVersioned ? 'fetch_versioned' : 'fetch', [
      ...(body ? ['body=body'] : []),
      ...(takesIfMatch ? ['if_match=if_match'] : []),
    ])
    return [
      ...(overloads.length > 1 ? overloads : []),
      `${head(body ? [`**body: ${taken}`] : [])}\n`,
      writeText(method, isStream ? streaming : ''),
      isStream ? writeStream(method) : `        return ${call}\n`,
    ].join('')
  }

  #printIterator(method: Method, page: string): string {
    const [entries, schema] =
      Object.entries(this.#schemas[page]?.properties ?? {}).find(([, { type }]) => type === 'array') ?? []
    if (entries === undefined || schema?.items === undefined) throw new TypeError(`${page} has no entries`)
    const { limit: _, ...query } = method.route.query
    const whole = { ...method, route: { ...method.route, query } }
    const name = toSnakeCase(method.name)
    const returned = `Iterator[${this.#writeReference(schema.items, 'Any')}]`
    return [
      `${writeHead(name.replace(/_page$/, ''), writeParameters(whole, []), returned)}\n`,
      `        """Iterate over the ${entries} of all pages; see \`${name}\`."""\n`,
      `        return ${writeCall(whole, 'iterate', [], [`"${entries}"`])}\n`,
    ].join('')
  }

  /** The types of what is sent, one for each alternative; none if the contract leaves it to others. */
  #listSent({ $ref }: JsonSchema): string[] {
    const name = $ref === undefined ? '' : nameReference($ref)
    return name in this.#schemas ? this.#types.listAlternatives(name).map((one) => `models.${one}`) : []
  }

  #writeReference({ $ref }: JsonSchema, other: string): string {
    return $ref === undefined ? other : `models.${nameReference($ref)}`
  }
}

function writeParameters({ names, route }: Method, further: readonly string[]): string[] {
  const { group, ...query } = route.query
  const asked = Object.entries(query).map(([name, schema]) => {
    const type = writeType(name, schema)
    return `${name}: ${type === 'bool' ? 'bool = False' : `${type} | None = None`}`
  })
  const byName = [...asked, ...further]
  return [
    ...names.map((name) => (name === 'group' ? 'group: str = ""' : `${renamed[name] ?? name}: str`)),
    ...(group === undefined ? [] : ['group: str = ""']),
    ...(byName.length > 0 ? ['*', ...byName] : []),
  ]
}

function writeType(name: string, schema: JsonSchema): string {
  const { type, items, $ref, enum: values } = schema
  const valueType = valueTypes[name]
  if (valueType !== undefined) return valueType
  if ($ref !== undefined) return `models.${nameReference($ref)}`
  if (type === 'array') return `Sequence[${writeType('', items ?? {})}]`
  if (type === 'integer') return 'int'
  // The default of such a parameter is false.
  if (values?.includes('true')) return 'bool'
  if (values) return `Literal[${values.map(writeLiteral).join(', ')}]`
  if (type === 'string') return 'str'
  throw new TypeError(`no type of Python is known for the query parameter ${name}`)
}

function writeHead(name: string, parameters: readonly string[], returned: string): string {
  return `    def ${name}(${writeList(['self', ...parameters], 60, '    ')}) -> ${returned}:`
}

function writeCall({ route, names }: Method, fetch: string, further: string[], first: string[] = []): string {
  const filled = names.map((name) => `"${name}": ${renamed[name] ?? name}`)
  const asked = Object.keys(route.query).map((name) => `"${name}": ${name === 'group' ? 'group or None' : name}`)
  const parts = [
    ...first,
    ...(fetch === 'iterate' ? [] : [`"${route.method}"`]),
    `"${route.path}"`,
    ...(filled.length > 0 ? [`{${filled.join(', ')}}`] : []),
    ...(asked.length > 0 ? [`query={${writeList(asked, 80, '            ')}}`] : []),
    ...further,
  ]
  return `self._transport.${fetch}(${writeList(parts, 80, '        ')})`
}

function writeStream({ route }: Method): string {
  const asked = Object.keys(route.query).map((name) => `"${name}": ${name}`)
  const query = writeList(asked, 80, '        ')
  return `        query = {${query}}\n        return follow_events(self._transport, "${route.path}", query)\n`
}

/** Writes what stands between brackets: in one line if it is short, else one in a line. */
function writeList(parts: readonly string[], width: number, indent: string): string {
  const line = parts.join(', ')
  return line.length <= width && !line.includes('\n')
    ? line
    : `\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}`
}

/** Writes the description of a route, and of what can be asked. */
function writeText({ route }: Method, more: string): string {
  const { query } = route
  const description = route.description + more
  const text = Object.entries(renamed).reduce(
    (all, [word, name]) => all.replaceAll(`\`${word}\``, `\`${name}\``),
    description,
  )
  const asked = Object.entries(query).flatMap(([name, schema]) =>
    schema.description ? indent(`${name}: ${toSentence(schema.description)}`, 12, 4) : [],
  )
  const lines = indent(`"""${text}`, 8)
  const end =
    asked.length > 0
      ? `\n\n        Args:\n${asked.join('\n')}\n        """`
      : lines.length > 1
        ? '\n        """'
        : '"""'
  return `${lines.join('\n')}${end}\n`.replaceAll('\\', '\\\\')
}

/** The first sentence of a description. */
function toSentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.) (?=[A-Z])/)
  return first.endsWith('.') ? first : `${first}.`
}

/** Wraps a text and indents its lines, those after the first by `more` too. */
function indent(text: string, spaces: number, more = 0): string[] {
  return wrap(text, 110 - spaces - more).map((line, index) => ' '.repeat(spaces + (index > 0 ? more : 0)) + line)
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function toPascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
