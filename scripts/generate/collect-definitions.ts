import * as contract from '@floe/contract'
import { z } from 'zod'
import { OfDeployment } from '../../contract/schemas/addresses.ts'

/** The part of JSON Schema that the contract uses. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly not?: JsonSchema
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly examples?: readonly unknown[]
  /** The TypeScript type, if the other keywords do not determine it. */
  readonly declaredType?: string
}

/** Schemas by name. A schema follows the schemas that it refers to. */
export type Definitions = ReadonlyMap<string, JsonSchema>

/** A route as the client calls it. */
export type ClientRoute = {
  readonly resource: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** Schema of the answer's body; undefined when it has none. */
  readonly answer: JsonSchema | undefined
  /** Schema of the request's body; undefined when it has none. */
  readonly body: JsonSchema | undefined
  /** Schemas of the query parameters by name. */
  readonly query: Readonly<Record<string, JsonSchema>>
  readonly isForAdministrators: boolean
  /** Whether a success has an `ETag`. */
  readonly hasETag: boolean
  /** Whether a request can have `If-Match`. */
  readonly takesIfMatch: boolean
  readonly description: string
}

/** The parts of the contract that the client needs. */
export type Collection = {
  readonly definitions: Definitions
  readonly routes: readonly ClientRoute[]
  /** Names of the events that streams and webhooks carry. */
  readonly events: readonly string[]
  /**
   * Names of schemas that the client checks besides the answers of routes: events, problems, and the names in its
   * options.
   */
  readonly checked: readonly string[]
}

const namesOfExports = new Map<unknown, string>(Object.entries(contract).map(([name, value]) => [value, name]))

/** Schemas that determine no type of TypeScript, with the names of the types that print-types.ts declares for them. */
const declaredTypes: ReadonlyMap<unknown, string> = new Map([
  [contract.JsonValue, 'JsonValue'],
  [contract.ProblemType, 'ProblemType'],
  // Later versions of the service may send others.
  [contract.ProblemCode, 'ProblemCode | (string & {})'],
])

export function collectDefinitions(): Collection {
  const definitions = new Map<string, JsonSchema>()
  const routes: ClientRoute[] = []
  const events: string[] = []
  for (const [id, route] of contract.listRoutes(contract.contract)) {
    // `meta()` is the only way a route of the contract gets its metadata.
    const metadata = route.metadata as contract.RouteMetadata
    const { event, isInClient = true } = metadata
    if (!isInClient) continue
    routes.push(describeRoute(id, route, metadata, definitions))
    if (event) events.push(defineNamed(event.data, definitions))
  }
  const others = [contract.Problem, ...Object.values(OfDeployment.shape)]
  const checked = [...events, ...others.map((schema) => defineNamed(schema, definitions))]
  // Users refer to the enums of the contract in their own types.
  for (const schema of namesOfExports.keys()) {
    if (schema instanceof z.ZodEnum && !declaredTypes.has(schema)) define(schema, definitions, 'request')
  }
  return { definitions, routes, events, checked }
}

function describeRoute(
  id: string,
  route: Route,
  { access, headers = [] }: contract.RouteMetadata,
  definitions: Map<string, JsonSchema>,
): ClientRoute {
  const [resource = '', name = ''] = id.split('.')
  const body =
    'body' in route && route.body instanceof z.ZodType ? define(route.body, definitions, 'request') : undefined
  const success = findSuccess(route.responses)
  return {
    resource,
    name,
    method: route.method,
    path: route.path,
    status: success.status,
    answer: success.body && define(success.body, definitions, 'answer'),
    body,
    query: listQuery(route.query),
    isForAdministrators: access === 'admin',
    hasETag: headers.includes('etag'),
    takesIfMatch: route.headers instanceof z.ZodObject && 'if-match' in route.headers.shape,
    // Comments have no tables.
    description: route.description?.split('\n\n')[0] ?? '',
  }
}

/** Leaves out `format`, because the client reads no feeds. */
function listQuery(query: unknown): ClientRoute['query'] {
  if (!(query instanceof z.ZodType)) return {}
  const { format: _format, ...asked } = translate(query, 'request').schema.properties ?? {}
  return asked
}

type Route = ReturnType<typeof contract.listRoutes> extends Generator<[string, infer Each]> ? Each : never

type Success = { readonly status: number; readonly body: z.ZodType | undefined }

function findSuccess(responses: Readonly<Record<number, unknown>>): Success {
  const status = [200, 201, 202, 204].find((code) => code in responses)
  if (status === undefined) throw new TypeError('a route has no success')
  const response = responses[status]
  if (response instanceof z.ZodType) return { status, body: response }
  if (typeof response === 'object' && response !== null && 'body' in response) {
    const { body } = response
    if (!(body instanceof z.ZodType)) throw new TypeError('a body has no schema')
    return { status, body }
  }
  return { status, body: undefined }
}

/**
 * Adds a schema and the schemas that it refers to. Returns a reference to it, or the schema itself if it has no name.
 */
function define(schema: z.ZodType, definitions: Map<string, JsonSchema>, use: Use): JsonSchema {
  const { schema: root, definitions: $defs } = translate(schema, use)
  const add = (name: string, definition: JsonSchema): void => {
    if (definitions.has(name)) return
    for (const reference of listReferences(definition)) add(reference, $defs[reference] ?? {})
    definitions.set(name, definition)
  }
  const name = namesOfExports.get(schema) ?? schema.meta()?.id
  if (name === undefined) {
    for (const reference of listReferences(root)) add(reference, $defs[reference] ?? {})
    return root
  }
  add(name, $defs[name] ?? root)
  return { $ref: `#/$defs/${name}` }
}

/** Lists of values are open in answers and notifications, and closed in requests. */
type Use = 'request' | 'answer'

type Translation = { readonly schema: JsonSchema; readonly definitions: Readonly<Record<string, JsonSchema>> }

/** Translates a schema of zod to JSON Schema, with the definitions that it refers to. */
function translate(zodSchema: z.ZodType, use: Use): Translation {
  // As input, because the client accepts unknown fields; as output, objects would be closed.
  // The types of zod allow all of JSON Schema; the printers reject keywords that are not in `JsonSchema`.
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = z.toJSONSchema(zodSchema, {
    io: 'input',
    override: (translated) => declareType(translated, use),
  }) as JsonSchema & { readonly $schema?: string; readonly $defs?: Readonly<Record<string, JsonSchema>> }
  return { schema, definitions: $defs }
}

function defineNamed(schema: z.ZodType, definitions: Map<string, JsonSchema>): string {
  const { $ref } = define(schema, definitions, 'answer')
  if ($ref === undefined) throw new TypeError('a schema that the client needs by itself has no name')
  return nameReference($ref)
}

type Translated = Parameters<typeof contract.openLists>[0]

function declareType(translated: Translated, use: Use): void {
  const { zodSchema, jsonSchema } = translated
  let declaredType = declaredTypes.get(zodSchema)
  if (use === 'answer') {
    contract.openLists(translated)
    contract.openKinds(translated)
    const known = contract.listKnownValues(zodSchema)
    // A plain `string` would absorb the known values, and editors would not offer them.
    if (known) declaredType ??= [...known.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ')
  }
  if (declaredType !== undefined) Object.assign(jsonSchema, { declaredType } satisfies JsonSchema)
}

/** Returns the name in a reference. */
export function nameReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Lists the names that a schema refers to, at any depth. */
export function listReferences(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('$ref' in schema && typeof schema.$ref === 'string') return [nameReference(schema.$ref)]
  return Object.values(schema).flatMap(listReferences)
}

/** Lists the given names and those that their definitions refer to, at any depth. */
export function listNeeded(definitions: Definitions, names: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>()
  const need = (name: string): void => {
    needed.add(name)
    listReferences(definitions.get(name)).forEach(need)
  }
  names.forEach(need)
  return needed
}
