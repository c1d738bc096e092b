// Prints the methods of the clients that only call a route: their types, with the descriptions of the contract, and
// their functions.
import { type ClientRoute, type JsonSchema, nameReference } from './collect-definitions.ts'
import { listMethods, type Method } from './list-methods.ts'
import { printAnswerType } from './print-schemas.ts'
import { printComment, printUnion } from './print-types.ts'

/**
 * Routes whose methods are written by hand in client/create-client.ts, because they do more: they write a query of
 * several types, or follow a stream.
 */
const writtenByHand = new Set(['search.get', 'events.stream'])

/** The types of client/addresses.ts for the names in a path. Those with an id are named after what has the id. */
const addressTypes: Readonly<Record<string, string>> = {
  repo: 'RepositoryAddress',
  'repo, ref': 'RefAddress',
  'repo, ref, group': 'GroupAddress',
  'repo, ref, name': 'CheckAddress',
  'repo, from, to': 'DiffAddress',
  'repo, id of receivers': 'ReceiverAddress',
  'id of orgReceivers': 'OrgReceiverAddress',
  'repo, id of expectations': 'ExpectationAddress',
  'repo, id of remarks': 'RemarkAddress',
  'id of orgExpectations': 'OrgExpectationAddress',
  'repo, id of deliveries': 'DeliveryAddress',
  'id of orgDeliveries': 'OrgDeliveryAddress',
  'id of keys': 'ApiKeyAddress',
  'id of sessions': 'SessionAddress',
}

/** Prints the module with the methods of the client for readers, or of that for administrators. */
export function printMethods(routes: readonly ClientRoute[], client: 'Reader' | 'Admin'): string {
  const methods = listMethods(routes, client).filter(
    ({ route: { resource, name } }) => !writtenByHand.has(`${resource}.${name}`),
  )
  const types = printGroups(methods, printType, (group, text) => `readonly ${group}: { ${text} }`)
  const functions = printGroups(methods, printFunction, (group, text) => `${group}: { ${text} },`)
  const fetchers = ['fetchBody', 'fetchVersioned'].filter((name) => functions.includes(`${name}(`))
  const module = `
    ${methods.map(printQueryType).join('\n\n')}

    /** The methods that call one route and do nothing else. */
    export type ${client}Methods = {
      ${types}
    }

    export function make${client}Methods({ ${fetchers.join(', ')} }: RouteCaller): ${client}Methods {
      return {
        ${functions}
      }
    }
  `
  const listUsed = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(module))
  const printImport = (names: readonly string[], path: string) =>
    `import type { ${listUsed(names).join(', ')} } from '${path}'`
  return `
    ${printImport([...new Set(Object.values(addressTypes))], '../addresses.ts')}
    ${printImport(['CallOptions', 'ChangeOptions', 'Versioned'], '../calls.ts')}
    import type { RouteCaller } from '../route-caller.ts'
    import * as routes from './routes.ts'
    import type * as types from './types.ts'
    ${module}
  `
}

function printGroups(
  methods: readonly Method[],
  print: (method: Method) => string,
  printGroup: (group: string, text: string) => string,
): string {
  const groups = [...Map.groupBy(methods, ({ group }) => group)]
  return groups
    .map(([group, members]) => {
      const text = members.map(print).join('\n')
      return group === undefined ? text : printGroup(group, text)
    })
    .join('\n')
}

function printType(method: Method): string {
  const { route, name, names } = method
  const { query, body, answer, takesIfMatch } = route
  const hasQuery = Object.keys(query).length > 0
  const selection = [
    ...(names.length > 0 ? [nameAddress(method)] : []),
    ...(hasQuery ? [nameQueryType(route)] : []),
  ].join(' & ')
  const parameters = [
    ...(selection === '' ? [] : [`${hasQuery ? 'selection' : 'names'}${names.length === 0 ? '?' : ''}: ${selection}`]),
    ...(body ? [`body: ${printReference(body)}`] : []),
    `call?: ${takesIfMatch ? 'ChangeOptions' : 'CallOptions'}`,
  ]
  const value = answer ? printAnswerType(answer) : 'undefined'
  const result = isVersioned(route) ? `Versioned<${value}>` : value
  return `${printComment(describeWithOptions(route))}readonly ${name}: (${parameters.join(', ')}) => Promise<${result}>`
}

/** The description of a route, in which the query parameters have the names of the options. */
function describeWithOptions({ description, query }: ClientRoute): string {
  return Object.entries(query)
    .map(describeOption)
    .reduce((text, { parameter, name }) => text.replaceAll(`\`${parameter}\``, `\`${name}\``), description)
}

function printFunction({ route, name, names }: Method): string {
  const { resource, query, body } = route
  const options = Object.entries(query).map(describeOption)
  const parameters: string[] = []
  const parts: string[] = []
  if (options.length > 0) {
    const taken = [...options.map((option) => option.name), ...(names.length > 0 ? ['...names'] : [])]
    parameters.push(`{ ${taken.join(', ')} }${names.length === 0 ? ' = {}' : ''}`)
  } else if (names.length > 0) {
    parameters.push('names')
  }
  if (names.length > 0) parts.push('names')
  if (options.length > 0) parts.push(`query: { ${options.map(printParameter).join(', ')} }`)
  if (body) {
    parameters.push('body')
    parts.push('body')
  }
  const call = parts.length === 0 ? 'call' : `{ ...call, ${parts.join(', ')} }`
  const fetch = isVersioned(route) ? 'fetchVersioned' : 'fetchBody'
  return `${name}: (${[...parameters, 'call'].join(', ')}) => ${fetch}(routes.${resource}.${route.name}, ${call}),`
}

function printParameter({ parameter, text }: Option): string {
  return parameter === text ? text : `${parameter}: ${text}`
}

/** Whether the method returns the ETag too, because administrators need it to change the same version. */
function isVersioned({ isForAdministrators, hasETag }: ClientRoute): boolean {
  return isForAdministrators && hasETag
}

function nameAddress({ route, names }: Method): string {
  const key = names.map((name) => (name === 'id' ? `id of ${route.resource}` : name)).join(', ')
  const type = addressTypes[key]
  if (type === undefined) throw new TypeError(`client/addresses.ts has no type for ${key}`)
  return type
}

function printQueryType({ route }: Method): string {
  const options = Object.entries(route.query).map(describeOption)
  if (options.length === 0) return ''
  const printed = options.map(({ name, type, comment }) => `${comment}readonly ${name}?: ${type} | undefined`)
  return `export type ${nameQueryType(route)} = { ${printed.join('\n')} }`
}

function nameQueryType({ resource, name }: ClientRoute): string {
  const capitalized = [resource, name].map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${capitalized.join('')}Query`
}

/** An option of a method, and how it is written as a query parameter. */
type Option = {
  readonly parameter: string
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly text: string
}

function describeOption([parameter, schema]: readonly [string, JsonSchema]): Option {
  const name = parameter.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const option = { parameter, name, comment: printComment(schema.description) }
  if (schema.type === 'integer') return { ...option, type: 'number', text: `${name}?.toString()` }
  // The default of such a parameter is false.
  if (schema.enum?.includes('true')) return { ...option, type: 'boolean', text: `${name} ? 'true' : undefined` }
  if (schema.enum) return { ...option, type: printUnion(schema.enum), text: name }
  if (schema.$ref !== undefined) return { ...option, type: printReference(schema), text: name }
  if (schema.type === 'string') return { ...option, type: 'string', text: name }
  throw new TypeError(`the method for a route with the query parameter ${parameter} must be written by hand`)
}

function printReference({ $ref }: JsonSchema): string {
  if ($ref === undefined) throw new TypeError('what the client sends has no name')
  return `types.${nameReference($ref)}`
}
