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
import { JsonObject } from '../schemas/values.ts'
import { OfDeployment, wholeNumber } from '../addresses.ts'

/** Which repositories the page shows. */
const RepositorySelection = z.object({
  filter: z
    .string()
    .max(255)
    .optional()
    .describe('Only repositories whose name contains each of these words, in any case')
    .meta({ examples: ['weather'] }),
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
