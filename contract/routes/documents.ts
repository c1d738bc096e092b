import { z } from 'zod'
import {
  c,
  commonProblems,
  deploymentProblems,
  htmlPage,
  meta,
  metaPrefix,
  notModified,
  problems,
  listingProblems,
} from '../dsl.ts'
import { expectationKindNames, repositoryStates, statesOfKinds } from '../lists.ts'
import { JsonObject } from '../schemas/values.ts'
import { OfDeployment, wholeNumber } from '../schemas/addresses.ts'

/** RFC 9728, section 2. */
export const ProtectedResource = z
  .object({
    resource: z.string().describe('Address that tokens must be for (RFC 8707)'),
    authorization_servers: z.array(z.string()).describe('The issuers whose tokens are accepted'),
    scopes_supported: z.array(z.string()).describe('Scopes that clients should ask for'),
    bearer_methods_supported: z.array(z.string()).describe('Tokens are accepted in the header `Authorization` only'),
    resource_name: z.string().describe('Name of the service for people'),
  })
  .meta({
    id: 'ProtectedResource',
    description: 'The issuers of tokens for a resource',
    examples: [
      {
        resource: 'https://floe.example.org/v1/services/demo/acme/_meta/mcp',
        authorization_servers: ['https://id.example.org/realms/acme'],
        scopes_supported: ['openid', 'email'],
        bearer_methods_supported: ['header'],
        resource_name: 'Floe',
      },
    ],
  })
export type ProtectedResource = z.infer<typeof ProtectedResource>

/** The kinds of expectations, each with the state of a repository that does not meet one. */
const kindsByState = repositoryStates.flatMap((state) =>
  expectationKindNames.filter((kind) => statesOfKinds[kind] === state).map((kind) => `\`${kind}\` (\`${state}\`)`),
)

/** Which repositories the page shows. */
const RepositorySelection = z.object({
  filter: z
    .string()
    .max(255)
    .optional()
    .describe('Only repositories whose name contains each of these words, in any case')
    .meta({ examples: ['weather'] }),
  state: z
    .enum(repositoryStates)
    .optional()
    .describe(
      'Only repositories in this state: `unreadable`, `retracted` at the head of `main` or in part, or with a branch ' +
        `that does not meet an expectation of the kind ${kindsByState.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
    )
    .meta({ examples: ['late'] }),
  page: wholeNumber(999_999, 1)
    .optional()
    .describe('Number of the page, counted from 1; a number beyond the last page means the last one'),
})

const ofDeployment = {
  method: 'GET',
  pathParams: OfDeployment,
  metadata: meta({ tag: 'documents', access: 'reader' }),
} as const
const page = {
  ...ofDeployment,
  responses: { 200: htmlPage, ...problems(...deploymentProblems) },
  metadata: meta({ tag: 'documents', access: 'reader', isInClient: false }),
}

/** Pages and documents about the service itself. */
export const documents = c.router({
  index: {
    method: 'GET',
    path: '/v1/',
    responses: { 200: htmlPage, ...problems(...commonProblems, 'unauthorized', 'too-many-requests') },
    summary: 'Page of the deployments',
    description:
      'Returns an HTML page with links to all public deployments and, with an API key, to the private ones of its ' +
      'organisation.',
    metadata: meta({ tag: 'documents', access: 'anyone', isInClient: false }),
  },
  browse: {
    ...page,
    path: `${metaPrefix}/`,
    responses: { 200: htmlPage, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
    query: RepositorySelection,
    summary: 'Page of the repositories',
    description:
      'Returns an HTML page of the repositories that the API key covers, 100 per page, with links to their ' +
      'branches, tags and datasets.',
    metadata: meta({ ...page.metadata, tag: 'discovery', headers: ['etag'] }),
  },
  openapi: {
    ...ofDeployment,
    path: `${metaPrefix}/openapi.json`,
    responses: {
      200: JsonObject.describe('OpenAPI 3.1 document').meta({
        examples: [{ openapi: '3.1.0', info: { title: 'Floe', version: '1' }, paths: {} }],
      }),
      ...problems(...deploymentProblems),
    },
    summary: 'OpenAPI document of this deployment',
    description: 'Returns the OpenAPI 3.1 document of the service, with the names of this deployment in all addresses.',
  },
  docs: {
    ...page,
    path: `${metaPrefix}/docs`,
    summary: 'Interactive documentation (Swagger UI)',
    description:
      'Returns an HTML page that documents this deployment and sends requests to it. It loads nothing from other ' +
      'hosts.',
  },
  redoc: {
    ...page,
    path: `${metaPrefix}/redoc`,
    summary: 'Reference documentation (Redoc)',
    description: 'Returns an HTML page that documents this deployment. It loads nothing from other hosts.',
  },
  protectedResource: {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    responses: { 200: ProtectedResource, ...problems(...commonProblems, 'route-not-found') },
    summary: 'Issuers of tokens',
    description:
      'Returns the document by which clients find the issuers whose tokens are accepted (RFC 9728). The path of a ' +
      'resource may follow, such as that of an MCP endpoint. Answers 404 when the configuration has no issuers.',
    metadata: meta({ tag: 'documents', access: 'anyone', isInClient: false }),
  },
  notificationSchema: {
    method: 'GET',
    path: '/v1/schemas/notification.json',
    responses: {
      200: JsonObject.describe('JSON Schema, draft 2020-12').meta({
        examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
      }),
      ...problems(...commonProblems),
    },
    summary: 'JSON Schema of the notification',
    description:
      'Returns the JSON Schema of the body that webhooks receive, for receivers that validate it or generate code ' +
      'from it. Pages of any origin may read it.',
    metadata: meta({ tag: 'documents', access: 'anyone' }),
  },
  datasetContractSchema: {
    method: 'GET',
    path: '/v1/schemas/dataset-contract.json',
    responses: {
      200: JsonObject.describe('JSON Schema, draft 2020-12').meta({
        examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
      }),
      ...problems(...commonProblems),
    },
    summary: 'JSON Schema of contracts of datasets',
    description:
      'Returns the JSON Schema of the document that says what readers rely on, for editors. Pages of any origin may ' +
      'read it.',
    metadata: meta({ tag: 'documents', access: 'anyone' }),
  },
})
