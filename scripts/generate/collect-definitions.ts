// Reads the contract: the JSON Schemas that the client needs, by name, and its routes.
import * as contract from '@floe/contract'
import { z } from 'zod'

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
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
}

/** Schemas by name. A schema comes after those that it refers to. */
export type Definitions = ReadonlyMap<string, JsonSchema>

/** A route as the client calls it. */
export type ClientRoute = {
  readonly resource: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly mediaType: string | undefined
  /** Schema of the answer's body; undefined when it has none. */
  readonly answer: JsonSchema | undefined
}

/** Resources that programs of users do not call: health checks, and messages of agents. */
const uncalled = new Set(['monitoring', 'mcp'])

/** Schemas that no route of the client names, or only inside of others. */
const further = [
  contract.ChatService,
  contract.CommitsUnavailableReason,
  contract.DeliveryState,
  contract.DeploymentName,
  contract.NewCommit,
  contract.OrgName,
  contract.Problem,
  contract.Resume,
  contract.Role,
]

const namesOfExports = new Map<unknown, string>(Object.entries(contract).map(([name, value]) => [value, name]))

/** Collects what the client needs of the contract. */
export function collectDefinitions(): { readonly definitions: Definitions; readonly routes: readonly ClientRoute[] } {
  const definitions = new Map<string, JsonSchema>()
  const routes: ClientRoute[] = []
  for (const [id, route] of contract.listRoutes(contract.contract)) {
    const [resource = '', name = ''] = id.split('.')
    if (uncalled.has(resource)) continue
    if ('body' in route && route.body instanceof z.ZodType) define(route.body, definitions)
    const success = findSuccess(route.responses)
    const answer = success.body && define(success.body, definitions)
    const { status, mediaType } = success
    routes.push({ resource, name, method: route.method, path: route.path, status, mediaType, answer })
  }
  for (const schema of further) define(schema, definitions)
  return { definitions, routes }
}

type Success = { readonly status: number; readonly mediaType: string | undefined; readonly body: z.ZodType | undefined }

function findSuccess(responses: Readonly<Record<number, unknown>>): Success {
  const status = [200, 201, 202, 204].find((code) => code in responses)
  if (status === undefined) throw new TypeError('a route has no success')
  const response = responses[status]
  if (response instanceof z.ZodType) return { status, mediaType: 'application/json', body: response }
  if (typeof response === 'object' && response !== null && 'contentType' in response && 'body' in response) {
    const { contentType, body } = response
    if (!(body instanceof z.ZodType)) throw new TypeError('a body has no schema')
    return { status, mediaType: String(contentType).split(';', 1)[0], body }
  }
  return { status, mediaType: undefined, body: undefined }
}

/** Adds a schema and those that it refers to. Returns a reference to it, or the schema itself when it has no name. */
function define(schema: z.ZodType, definitions: Map<string, JsonSchema>): JsonSchema {
  // As input, because the client accepts members that it does not know; as output, objects would be closed.
  // The types of zod allow all of JSON Schema; the printers refuse what is not in `JsonSchema`.
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema & {
    readonly $schema?: string
    readonly $defs?: Readonly<Record<string, JsonSchema>>
  }
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

/** The name in a reference. */
export function nameReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The names that a schema refers to, at any depth. */
export function listReferences(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('$ref' in schema && typeof schema.$ref === 'string') return [nameReference(schema.$ref)]
  return Object.values(schema).flatMap(listReferences)
}
