// Adds to the document what @ts-rest/open-api leaves out: webhooks, problems by reference, headers, security, examples.
import { NewCommit, formatProblemType, notificationHeaders, type RouteMetadata } from '@floe/contract'
import { type AppRoute, type AppRouteResponse, isAppRouteOtherResponse } from '@ts-rest/core'
import type { generateOpenApi } from '@ts-rest/open-api'
import { z } from 'zod'
import type { Deployment } from '../../deployment.ts'
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts'
import { type Header, headersByStatus, responseHeaders, webhookHeaders } from './headers.ts'
import { listProblemCodes, buildProblemExamples } from './problem-bodies.ts'

/** An OpenAPI document as plain JSON. */
export type OpenApiDocument = { readonly openapi: '3.1.0' } & Record<string, unknown>

// ts-rest types the document as OpenAPI 3.0.
type Generated = ReturnType<typeof generateOpenApi>
type MapOperation = NonNullable<NonNullable<Parameters<typeof generateOpenApi>[2]>['operationMapper']>
type Operation = Parameters<MapOperation>[0]
type Parameter = NonNullable<Operation['parameters']>[number]
type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
type WithContent = { readonly content?: Content }

/** Completes one operation that ts-rest has generated. */
export function raiseOperation(
  { operationId = '', parameters = [], requestBody, ...operation }: Operation,
  route: AppRoute,
  components: ComponentSchemas,
  deployment: Deployment | undefined,
): Operation {
  // `meta()` is the only way a route of the contract gets its metadata.
  const metadata = route.metadata as RouteMetadata
  const { content: body } = { ...(requestBody as WithContent | undefined) }
  const raised = {
    ...operation,
    operationId: toIdentifier(operationId),
    tags: [metadata.tag],
    security: describeSecurity(metadata.access, deployment),
    parameters: [
      ...parameters.filter((parameter) => !(deployment && isOfDeployment(parameter))).map(spellParameter),
      ...(304 in route.responses ? [ifNoneMatch] : []),
    ],
    ...(body && { requestBody: { required: true, content: addExamples(body, components) } }),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => {
        const { content } = operation.responses[status] as WithContent
        return [status, raiseResponse(status, response, { content, metadata, components })]
      }),
    ),
  }
  // ts-rest's type describes OpenAPI 3.0, which has neither these examples nor these headers.
  return raised as unknown as Operation
}

/** Completes a document, after its operations. */
export function raiseDocument(
  { paths, ...rest }: Omit<Generated, 'openapi'>,
  components: ComponentSchemas,
  deployment: Deployment | undefined,
): OpenApiDocument {
  const used = new Set(JSON.stringify(paths).match(/#\/components\/\w+\/[\w-]+/g))
  const document = {
    openapi: '3.1.0',
    ...rest,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [showPath(path, deployment), item])),
    webhooks: { NewCommit: { post: describeWebhook(components) } },
    components: {
      schemas: components.list(),
      // Leave out problems that no route answers with, such as an unknown address or a wrong method.
      examples: Object.fromEntries(
        Object.entries(buildProblemExamples()).filter(([code]) => used.has(`#/components/examples/${code}`)),
      ),
      headers: Object.fromEntries(Object.entries(responseHeaders).map(([name, header]) => [name, toHeader(header)])),
      securitySchemes,
    },
  }
  // Drops members that ts-rest leaves undefined.
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument
}

/** Turns `webhooks.rotateSecret` into `webhooksRotateSecret`, which is a valid name in most languages. */
function toIdentifier(id: string): string {
  return id.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase())
}

/** Fills in the names of the deployment. Drops a trailing slash, because every route also answers without one. */
function showPath(path: string, deployment: Deployment | undefined): string {
  const shown = deployment ? path.replace('{deployment}', deployment.name).replace('{org}', deployment.org) : path
  return shown.replace(/(?<=.)\/$/, '')
}

function isOfDeployment(parameter: Parameter): boolean {
  return 'in' in parameter && parameter.in === 'path' && ['deployment', 'org'].includes(parameter.name)
}

function spellParameter(parameter: Parameter): Parameter {
  if (!('in' in parameter) || parameter.in !== 'header') return parameter
  return { ...parameter, name: spellHeader(parameter.name) }
}

/** Writes the name of a header in its usual case; HTTP ignores case. */
function spellHeader(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (first) => first.toUpperCase())
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer. If nothing has changed since, the answer is 304.',
  schema: { type: 'string' },
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

function raiseResponse(
  status: string,
  response: AppRouteResponse,
  {
    content,
    metadata,
    components,
  }: { content: Content | undefined; metadata: RouteMetadata; components: ComponentSchemas },
): object {
  const names = Number(status) < 400 ? (metadata.headers ?? []) : (headersByStatus[status] ?? [])
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  const headers = names.length === 0 ? {} : { headers: Object.fromEntries(references) }
  const body = isAppRouteOtherResponse(response) ? response.body : response
  const codes = listProblemCodes(body)
  if (codes) {
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
    const problems = Object.entries(content ?? {}).map(([type, media]) => [type, { ...media, examples }])
    return {
      description: codes.map((code) => `\`${formatProblemType(code)}\``).join(', '),
      ...headers,
      content: { ...Object.fromEntries(problems), ...describeRefusals(status, metadata, components) },
    }
  }
  if (!content) return { description: descriptionsWithoutBody[status], ...headers }
  return {
    description: (body instanceof z.ZodType && body.description) || 'Success',
    ...headers,
    content: {
      ...addExamples(content, components),
      ...(metadata.html && { 'text/html': page }),
      ...describeEvents(metadata, components),
    },
  }
}

/** The JSON that the protocol of a route, if it has one of its own, refuses with beside problems. */
function describeRefusals(status: string, { refusals }: RouteMetadata, components: ComponentSchemas): object {
  if (!refusals?.statuses.includes(Number(status))) return {}
  return { 'application/json': { schema: components.inline(refusals.body, 'output') } }
}

/** One event of a stream. Before OpenAPI 3.2 there is no other place for it than the schema of the whole. */
function describeEvents({ event }: RouteMetadata, components: ComponentSchemas): Content {
  if (!event) return {}
  const data = {
    type: 'string',
    description: 'The JSON that webhooks get',
    contentMediaType: 'application/json',
    contentSchema: components.inline(event.data, 'output'),
  }
  const properties = {
    id: { type: 'string', description: 'Position of the event in the record of the organisation' },
    event: { const: event.name, description: 'What happened' },
    data,
  }
  const { examples } = components.resolve(data.contentSchema)
  const example = { id: '57', event: event.name, data: JSON.stringify(Array.isArray(examples) ? examples[0] : {}) }
  return { 'text/event-stream': { schema: { type: 'object', properties, required: Object.keys(properties) }, example } }
}

const descriptionsWithoutBody: Readonly<Record<string, string>> = {
  '202': 'Taken; there is nothing to answer',
  '204': 'Done',
  '303': 'The address of what was asked for',
  '304': 'Not modified since the answer with the `ETag` that was sent',
}

/** The answer of a route with `html: true` to callers that prefer HTML. */
const page = { schema: { type: 'string' }, example: '<!doctype html>\n<html lang="en">...</html>' }

/** Adds to each body the first example of its schema, and drops the parameters of media types. */
function addExamples(content: Content, components: ComponentSchemas): Content {
  const shown = Object.entries(content).map(([contentType, { schema }]) => {
    const { examples } = components.resolve(schema)
    const [mediaType = contentType] = contentType.split(';')
    return [mediaType, { schema, ...(Array.isArray(examples) && { example: examples[0] as unknown }) }]
  })
  return Object.fromEntries(shown) as Content // the entries come from a Content
}

function describeWebhook(components: ComponentSchemas): object {
  return {
    operationId: 'newCommit',
    tags: ['webhooks'],
    summary: 'The head of a branch moved',
    description: 'Sent to each webhook of the repository that selects the event. Answer 2xx within five seconds.',
    security: [{ secretToken: [] }, {}],
    parameters: Object.entries(webhookHeaders).map(([name, { description, example, isOptional = false }]) => ({
      name,
      in: 'header',
      required: !isOptional,
      description,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: addExamples({ 'application/json': { schema: components.inline(NewCommit, 'output') } }, components),
    },
    responses: {
      '2XX': { description: 'Received' },
      default: { description: 'Not received; Floe sends it again later' },
    },
  }
}

function toHeader({ description, example }: Header): object {
  return { description, schema: { type: 'string' }, example }
}
