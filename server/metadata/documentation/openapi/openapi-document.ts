// Builds `contract/openapi.json` from the contract, for `npm run generate`: that takes too long for the main thread of
// a service. @ts-rest/open-api lists the routes, parameters and bodies as OpenAPI 3.0.2. The code here raises the
// result to 3.1.0 and adds what is missing: webhooks, problems by reference, headers, credentials, examples.
import { contract, notificationHeaders, responseHeaders, type RouteMetadata } from '@floe/contract'
import type { AppRoute } from '@ts-rest/core'
import { generateOpenApi } from '@ts-rest/open-api'
import { z } from 'zod'
import { ComponentSchemas, type JsonSchema } from './component-schemas.ts'
import {
  addExamples,
  buildProblemExamples,
  describeHeaders,
  describeProblems,
  describeResponse,
  listProblemCodes,
  type WithContent,
} from './describe-response.ts'
import { describeService } from './introduction.ts'
import { describeWebhook } from './webhook.ts'

/** An OpenAPI document as plain JSON. */
export type OpenApiDocument = { readonly openapi: '3.1.0' } & Record<string, unknown>

// The package does not export its types of OpenAPI 3.0.
type Options = NonNullable<Parameters<typeof generateOpenApi>[2]>
type Operation = Parameters<NonNullable<Options['operationMapper']>>[0]
type Parameter = NonNullable<Operation['parameters']>[number]

/**
 * Builds the document, in which deployment and organisation are path parameters.
 *
 * @param serverUrl address of the service without a trailing slash, such as `https://floe.example.org`
 */
export function buildOpenApiDocument(serverUrl: string): OpenApiDocument {
  const components = new ComponentSchemas()
  const service = describeService()
  const generated = generateOpenApi(contract, service, {
    setOperationId: 'concatenated-path',
    // Also called for a missing query or body. Problems are described by their codes, with one schema for all.
    schemaTransformer: ({ schema, type }) =>
      schema instanceof z.ZodType && listProblemCodes(schema) === undefined
        ? components.translate(schema, type === 'response' ? 'output' : 'input')
        : null,
    operationMapper: (operation, route) => completeOperation(operation, route, components),
  })
  const paths = Object.entries(generated.paths).map(([path, item]) => [
    // Every route also answers without a trailing slash.
    path.replace(/(?<=.)\/$/, ''),
    item,
  ])
  const pathItems = { NewCommit: { post: describeWebhook(components) } }
  const responses = { MethodNotAllowed: describeProblems('405', ['method-not-allowed'], components) }
  const used = new Set(JSON.stringify([paths, responses]).match(/#\/components\/examples\/[\w-]+/g))
  // Leaves out problems that no route answers with, such as an unknown address.
  const examples = Object.entries(buildProblemExamples()).filter(([code]) => used.has(`#/components/examples/${code}`))
  return {
    openapi: '3.1.0',
    ...service,
    servers: [{ url: serverUrl }],
    paths: Object.fromEntries(paths),
    // By reference, because openapi-generator takes a request that stands here for one that its clients send.
    webhooks: { NewCommit: { $ref: '#/components/pathItems/NewCommit' } },
    components: {
      schemas: components.list(),
      pathItems,
      responses,
      examples: Object.fromEntries(examples),
      headers: describeHeaders(),
      securitySchemes,
    },
  }
}

/** Completes one operation that ts-rest has generated. */
function completeOperation(
  { operationId = '', parameters = [], requestBody, ...operation }: Operation,
  route: AppRoute,
  components: ComponentSchemas,
): Operation {
  // `meta()` is the only way a route of the contract gets its metadata.
  const metadata = route.metadata as RouteMetadata
  const { content: body } = { ...(requestBody as WithContent | undefined) }
  const responses = Object.entries(route.responses).map(([status, response]) => {
    const { content } = operation.responses[status] as WithContent
    return [status, describeResponse(status, response, { content, metadata, components })]
  })
  const completed = {
    ...operation,
    tags: [metadata.tag],
    responses: { ...Object.fromEntries(responses), 405: { $ref: '#/components/responses/MethodNotAllowed' } },
    // `webhooks.rotateSecret` becomes `webhooksRotateSecret`, which is a valid name in most languages.
    operationId: operationId.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase()),
    security: metadata.access === 'anyone' ? [] : withKey,
    parameters: [
      ...parameters.map((parameter) => completeParameter(parameter, components)),
      ...(304 in route.responses ? [ifNoneMatch] : []),
    ],
    ...(body && { requestBody: { required: true, content: addExamples(body, components) } }),
  }
  // ts-rest's type describes OpenAPI 3.0, which has neither these examples nor these headers.
  return completed as unknown as Operation
}

/**
 * Moves the first example of a parameter to the member that tools read, and writes names of headers in their usual
 * case.
 */
function completeParameter(parameter: Parameter, components: ComponentSchemas): Parameter {
  if (!('in' in parameter)) return parameter
  const { name } = parameter
  const { examples, ...schema } = parameter.schema as JsonSchema // ComponentSchemas made it
  const example = components.findExample({ ...schema, examples })
  return { ...parameter, name: parameter.in === 'header' ? spellHeader(name) : name, schema, ...example }
}

/** Writes the name of a header in its usual case; HTTP ignores case. */
function spellHeader(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (first) => first.toUpperCase())
}

const { etag } = responseHeaders

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: `The \`${etag.title}\` of an earlier answer. If nothing has changed since, the answer is 304.`,
  schema: { type: 'string' },
  example: etag.example,
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

/** The credentials of a route that needs a key. */
const withKey = [{ basic: [] }, { bearer: [] }]
