// Adds to the document what @ts-rest/open-api leaves out: webhooks, problems by reference, headers, security, examples.
import { mediaTypes, NewCommit, notificationHeaders, responseHeaders, type RouteMetadata } from '@floe/contract'
import type { AppRoute } from '@ts-rest/core'
import type { generateOpenApi } from '@ts-rest/open-api'
import { z } from 'zod'
import type { Deployment } from '../../../http/access/deployment.ts'
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts'
import { webhookHeaders } from './headers.ts'
import { addExamples, type Content, describeHeaders, describeProblems, describeResponse } from './describe-response.ts'
import { buildProblemExamples } from './problem-bodies.ts'

/** An OpenAPI document as plain JSON. */
export type OpenApiDocument = { readonly openapi: '3.1.0' } & Record<string, unknown>

// ts-rest types the document as OpenAPI 3.0.
type Generated = ReturnType<typeof generateOpenApi>
type MapOperation = NonNullable<NonNullable<Parameters<typeof generateOpenApi>[2]>['operationMapper']>
type Operation = Parameters<MapOperation>[0]
type Parameter = NonNullable<Operation['parameters']>[number]
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
      ...parameters
        .filter((parameter) => !(deployment && isOfDeployment(parameter)))
        .map((parameter) => raiseParameter(parameter, components)),
      ...(304 in route.responses ? [ifNoneMatch] : []),
    ],
    ...(body && { requestBody: { required: true, content: addExamples(body, components) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, response]) => {
          const { content } = operation.responses[status] as WithContent
          return [status, describeResponse(status, response, { content, metadata, components })]
        }),
      ),
      405: { $ref: '#/components/responses/MethodNotAllowed' },
    },
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
  const responses = { MethodNotAllowed: describeProblems('405', ['method-not-allowed'], components) }
  const used = new Set(JSON.stringify({ paths, responses }).match(/#\/components\/\w+\/[\w-]+/g))
  const document = {
    openapi: '3.1.0',
    ...rest,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [showPath(path, deployment), item])),
    webhooks: { NewCommit: { post: describeWebhook(components) } },
    components: {
      schemas: components.list(),
      responses,
      // Leave out problems that no route answers with, such as an unknown address.
      examples: Object.fromEntries(
        Object.entries(buildProblemExamples()).filter(([code]) => used.has(`#/components/examples/${code}`)),
      ),
      headers: describeHeaders(),
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

/** Moves the first example of a parameter to where tools look for it, and writes the names of headers in their usual case. */
function raiseParameter(parameter: Parameter, components: ComponentSchemas): Parameter {
  if (!('in' in parameter)) return parameter
  const { name, schema } = parameter
  const { examples, ...rest } = schema as JsonSchema // ComponentSchemas made it
  const [example] = z.array(z.unknown()).parse(examples ?? components.resolve(rest)['examples'] ?? [])
  return { ...parameter, name: parameter.in === 'header' ? spellHeader(name) : name, schema: rest, example }
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
      content: addExamples({ [mediaTypes.json]: { schema: components.inline(NewCommit, 'output') } }, components),
    },
    responses: {
      '2XX': { description: 'Received' },
      default: { description: 'Not received; Floe sends it again later' },
    },
  }
}
