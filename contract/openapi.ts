// The contract as an OpenAPI 3.1 document. Built over zod's own JSON Schema, because @ts-rest/open-api stops at OpenAPI 3.0 and
// at one media type per answer.
import {
  type AppRoute,
  type AppRouteResponse,
  type AppRouter,
  isAppRoute,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
} from '@ts-rest/core'
import { z } from 'zod'
import type { RouteMetadata } from './dsl.ts'
import { ComponentSchemas, type JsonSchema } from './json-schema.ts'
import { NewCommit } from './schemas/notification.ts'
import { Problem } from './schemas/problem.ts'

/** What the document says beyond the contract. */
export type OpenApiOptions = {
  /** Address of the service without a trailing slash, such as `https://floe.example.org`. */
  readonly serverUrl: string
  /** With these, the paths show the real deployment and organisation instead of parameters. */
  readonly service?: { readonly deployment: string; readonly org: string }
}

/** An OpenAPI document as plain JSON. */
export type OpenApiDocument = { readonly openapi: '3.1.0' } & Record<string, unknown>

/** Generates the document for a router. */
export function openApiDocument(router: AppRouter, options: OpenApiOptions): OpenApiDocument {
  const components = new ComponentSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, route] of routesOf(router)) {
    const path = showPath(route.path, options.service)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(id, route, components, options.service) }
  }
  const notification = components.reference(NewCommit, 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Floe',
      version: '1',
      description: 'What is inside Icechunk repositories, and a notification the moment something is committed.',
    },
    servers: [{ url: options.serverUrl }],
    paths,
    webhooks: {
      NewCommit: {
        post: {
          summary: 'The head of `main` moved',
          requestBody: { required: true, content: { 'application/json': { schema: notification } } },
          responses: { '2XX': { description: 'Received' } },
        },
      },
    },
    components: {
      schemas: components.all(),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Organisation as user name, API key as password' },
        bearer: { type: 'http', scheme: 'bearer', description: 'API key' },
      },
    },
  }
}

/** Every route of a router with its dotted name, in order. */
export function* routesOf(router: AppRouter, prefix = ''): Generator<[id: string, route: AppRoute]> {
  for (const [name, entry] of Object.entries(router)) {
    const id = prefix === '' ? name : `${prefix}.${name}`
    if (isAppRoute(entry)) yield [id, entry]
    else yield* routesOf(entry, id)
  }
}

function showPath(path: string, service: OpenApiOptions['service']): string {
  const fixed = service ? path.replace(':deployment', service.deployment).replace(':org', service.org) : path
  return fixed.replace(/:(\w+)/g, '{$1}')
}

function operation(id: string, route: AppRoute, components: ComponentSchemas, service: OpenApiOptions['service']) {
  // `meta()` is the only way a route of the contract gets its metadata.
  const metadata = route.metadata as RouteMetadata
  return {
    operationId: id,
    tags: [metadata.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: security[metadata.access],
    parameters: [
      ...parameters('path', route.pathParams, components).filter(
        ({ name }) => !service || (name !== 'deployment' && name !== 'org'),
      ),
      ...parameters('query', route.query, components),
      ...parameters('header', route.headers, components),
    ],
    ...requestBody(route, components),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => [
        status,
        { description: describe(status, response), ...content(response, metadata, components) },
      ]),
    ),
  }
}

const withKey = [{ basic: [] }, { bearer: [] }]

/** What a caller must show, by who may call. A public deployment asks readers for nothing. */
const security = { anyone: [], reader: [...withKey, {}], admin: withKey } as const

function requestBody(route: AppRoute, components: ComponentSchemas) {
  if (!('body' in route) || !(route.body instanceof z.ZodType)) return {}
  const schema = components.inline(route.body, 'input')
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

function parameters(place: 'path' | 'query' | 'header', schema: unknown, components: ComponentSchemas) {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, member]) => {
    const { description, ...rest } = components.inline(member, 'input')
    return {
      name,
      in: place,
      required: place === 'path' || !(member instanceof z.ZodOptional),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function content(response: AppRouteResponse, metadata: RouteMetadata, components: ComponentSchemas) {
  if (isAppRouteNoBody(response)) return {}
  if (!isAppRouteOtherResponse(response)) {
    const json = { 'application/json': { schema: schemaOf(response, components) } }
    return { content: metadata.html ? { ...json, 'text/html': { schema: { type: 'string' } } } : json }
  }
  const { contentType, body } = response
  // Each answer narrows `type` to its own codes, which its description lists; one shared schema keeps the document readable.
  const schema =
    contentType === 'application/problem+json' ? components.reference(Problem, 'output') : schemaOf(body, components)
  const [mediaType = contentType] = contentType.split(';')
  return { content: { [mediaType]: { schema } } }
}

function schemaOf(body: unknown, components: ComponentSchemas): JsonSchema {
  if (!(body instanceof z.ZodType)) throw new TypeError('every body of the contract is a zod schema')
  return components.inline(body, 'output')
}

function describe(status: string, response: AppRouteResponse): string {
  if (!isAppRouteNoBody(response) && isAppRouteOtherResponse(response) && response.body instanceof z.ZodObject) {
    const type: unknown = response.body.shape['type']
    if (type instanceof z.ZodEnum) return type.options.map((option) => `\`${option}\``).join(', ')
  }
  return status === '304' ? 'Not modified: the `ETag` sent still holds' : 'Success'
}
