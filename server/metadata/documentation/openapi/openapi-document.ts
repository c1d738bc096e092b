// Builds the OpenAPI 3.1 document from the contract.
import {
  contract,
  listRoutes,
  mediaTypes,
  notificationHeaders,
  responseHeaders,
  type RouteMetadata,
} from '@floe/contract'
import type { AppRoute } from '@ts-rest/core'
import { z } from 'zod'
import type { Deployment } from '../../../http/access/deployment.ts'
import { ComponentSchemas } from './component-schemas.ts'
import {
  buildProblemExamples,
  describeBody,
  describeHeaders,
  describeProblems,
  describeResponse,
} from './describe-response.ts'
import { describeService } from './introduction.ts'
import { describeWebhook } from './webhook.ts'

/** An OpenAPI document as plain JSON. */
export type OpenApiDocument = { readonly openapi: '3.1.0' } & Record<string, unknown>

/**
 * Builds the document. With a deployment, paths have the real names, and the document says which credentials the deployment needs.
 * Without one, deployment and organisation are path parameters.
 *
 * @param serverUrl address of the service without a trailing slash, such as `https://floe.example.org`
 */
export function buildOpenApiDocument(serverUrl: string, deployment?: Deployment): OpenApiDocument {
  const components = new ComponentSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const [id, route] of listRoutes(contract)) {
    const operation = describeOperation(id, route, components, deployment)
    const item = (paths[formatPath(route.path, deployment)] ??= {})
    item[route.method.toLowerCase()] = operation
  }
  const webhooks = { NewCommit: { post: describeWebhook(components) } }
  const responses = { MethodNotAllowed: describeProblems('405', ['method-not-allowed'], components) }
  const used = new Set(JSON.stringify({ paths, responses }).match(/#\/components\/examples\/[\w-]+/g))
  // Leave out problems that no route answers with, such as an unknown address.
  const examples = Object.entries(buildProblemExamples()).filter(([code]) => used.has(`#/components/examples/${code}`))
  return {
    openapi: '3.1.0',
    ...describeService(deployment),
    servers: [{ url: serverUrl }],
    paths,
    webhooks,
    components: {
      schemas: components.list(),
      responses,
      examples: Object.fromEntries(examples),
      headers: describeHeaders(),
      securitySchemes,
    },
  }
}

function describeOperation(
  id: string,
  route: AppRoute,
  components: ComponentSchemas,
  deployment: Deployment | undefined,
): object {
  // `meta()` is the only way a route of the contract gets its metadata.
  const metadata = route.metadata as RouteMetadata
  const body: unknown = 'body' in route ? route.body : undefined
  const responses = Object.entries(route.responses).map(([status, response]) => [
    status,
    describeResponse(status, response, metadata, components),
  ])
  return {
    description: route.description,
    summary: route.summary,
    tags: [metadata.tag],
    responses: { ...Object.fromEntries(responses), 405: { $ref: '#/components/responses/MethodNotAllowed' } },
    // `webhooks.rotateSecret` becomes `webhooksRotateSecret`, which is a valid name in most languages.
    operationId: id.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase()),
    security: describeSecurity(metadata.access, deployment),
    parameters: [
      ...describeParameters('path', route.pathParams, components).filter(
        ({ name }) => deployment === undefined || (name !== 'deployment' && name !== 'org'),
      ),
      ...describeParameters('header', route.headers, components),
      ...describeParameters('query', route.query, components),
      ...(304 in route.responses ? [ifNoneMatch] : []),
    ],
    ...(body instanceof z.ZodType && {
      requestBody: { required: true, content: { [mediaTypes.json]: describeBody(body, components) } },
    }),
  }
}

/** Fills in the names of the deployment. Drops a trailing slash, because every route also answers without one. */
function formatPath(path: string, deployment: Deployment | undefined): string {
  const filled = deployment ? path.replace(':deployment', deployment.name).replace(':org', deployment.org) : path
  return filled.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
}

function describeParameters(place: 'path' | 'header' | 'query', schema: unknown, components: ComponentSchemas) {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, parameter]) => {
    const { description, ...translated } = components.translate(parameter)
    const example = components.findExample(translated)
    delete translated['examples']
    return {
      name: place === 'header' ? spellHeader(name) : name,
      in: place,
      ...(description !== undefined && { description }),
      ...(!parameter.safeParse(undefined).success && { required: true }),
      schema: translated,
      ...example,
    }
  })
}

/** Writes the name of a header in its usual case; HTTP ignores case. */
function spellHeader(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (first) => first.toUpperCase())
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: `The \`${responseHeaders.etag.title}\` of an earlier answer. If nothing has changed since, the answer is 304.`,
  schema: { type: 'string' },
  example: responseHeaders.etag.example,
}

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Organisation as user name, API key as password' },
  bearer: { type: 'http', scheme: 'bearer', description: 'API key' },
  secretToken: {
    type: 'apiKey',
    in: 'header',
    name: spellHeader(notificationHeaders.secretToken),
    description: 'Sent to webhooks that have a secret token',
  },
}

const withKey = [{ basic: [] }, { bearer: [] }]

/** The credentials that a route needs. They are optional only for readers of a public deployment. */
function describeSecurity(access: RouteMetadata['access'], deployment: Deployment | undefined): object[] {
  if (access === 'anyone') return []
  return access === 'reader' && deployment?.public ? [{}, ...withKey] : withKey
}
