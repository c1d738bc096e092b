// The answers in the OpenAPI document: their headers, their media types, and problems by reference.
import {
  formatProblemType,
  headersByStatus,
  mediaTypes,
  Problem,
  type ProblemCode,
  rateLimitHeaders,
  type ResponseHeader,
  responseHeaders,
  type RouteMetadata,
} from '@floe/contract'
import { type AppRouteResponse, isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts'
import { listProblemCodes } from './problem-bodies.ts'

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** Describes the answer of a route with one status. `content` is what ts-rest has made of its body. */
export function describeResponse(
  status: string,
  response: AppRouteResponse,
  {
    content,
    metadata,
    components,
  }: { content: Content | undefined; metadata: RouteMetadata; components: ComponentSchemas },
): object {
  const body = isAppRouteOtherResponse(response) ? response.body : response
  const codes = listProblemCodes(body)
  const headers = referToHeaders(listHeaders(status, metadata))
  if (codes) {
    const problems = describeProblems(status, codes, components)
    const refusals = describeRefusals(status, metadata, components)
    return { ...problems, ...headers, content: { ...problems.content, ...refusals } }
  }
  if (!content) return { description: descriptionsWithoutBody[status], ...headers }
  const { html: page } = metadata
  return {
    description: (body instanceof z.ZodType && body.description) || 'Success',
    ...headers,
    content: {
      ...addExamples(content, components),
      ...(page && addExamples({ [mediaTypes.html]: { schema: components.inline(page, 'output') } }, components)),
      ...describeEvents(metadata, components),
    },
  }
}

/** Parts of the service whose requests are not counted. */
const uncounted: ReadonlySet<string> = new Set<RouteMetadata['tag']>(['documents', 'monitoring'])

/** Lists the headers of an answer. What is left of a limit comes with most failures too; it is documented where callers need it. */
function listHeaders(status: string, { headers = [], tag }: RouteMetadata): readonly ResponseHeader[] {
  const own = isFailure(status)
    ? (headersByStatus[status] ?? [])
    : headers.filter((header) => header !== 'location' || status === '201' || status === '303')
  return [...own, ...(uncounted.has(tag) || (isFailure(status) && status !== '429') ? [] : rateLimitHeaders)]
}

function isFailure(status: string): boolean {
  return Number(status) >= 400
}

function referToHeaders(headers: readonly ResponseHeader[]): object {
  if (headers.length === 0) return {}
  const titles = headers.map((header) => responseHeaders[header].title)
  return { headers: Object.fromEntries(titles.map((title) => [title, { $ref: `#/components/headers/${title}` }])) }
}

/** Describes an answer with one of these problems. */
export function describeProblems(status: string, codes: readonly ProblemCode[], components: ComponentSchemas) {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${formatProblemType(code)}\``).join(', '),
    ...referToHeaders(headersByStatus[status] ?? []),
    content: { [mediaTypes.problem]: { schema: components.refer(Problem, 'output'), examples } },
  }
}

/** The JSON that the protocol of a route, if it has one of its own, refuses with beside problems. */
function describeRefusals(status: string, { refusals }: RouteMetadata, components: ComponentSchemas): object {
  if (!refusals?.statuses.includes(Number(status))) return {}
  return { [mediaTypes.json]: { schema: components.inline(refusals.body, 'output') } }
}

/** One event of a stream. Before OpenAPI 3.2 there is no other place for it than the schema of the whole. */
function describeEvents({ event }: RouteMetadata, components: ComponentSchemas): Content {
  if (!event) return {}
  const data = {
    type: 'string',
    description: 'The JSON that webhooks receive',
    contentMediaType: mediaTypes.json,
    contentSchema: components.inline(event.data, 'output'),
  }
  const properties = {
    id: { type: 'string', description: 'Position of the event in the record of the organisation' },
    event: { const: event.name, description: 'What happened' },
    data,
  }
  const { examples } = components.resolve(data.contentSchema)
  const example = { id: '57', event: event.name, data: JSON.stringify(Array.isArray(examples) ? examples[0] : {}) }
  return { [mediaTypes.events]: { schema: { type: 'object', properties, required: Object.keys(properties) }, example } }
}

const descriptionsWithoutBody: Readonly<Record<string, string>> = {
  '202': 'Accepted, without an answer',
  '204': 'Done',
  '303': 'Redirect to the answer',
  '304': 'Not modified since the version that `If-None-Match` names',
}

/** Adds to each body the first example of its schema, and drops the parameters of media types. */
export function addExamples(content: Content, components: ComponentSchemas): Content {
  const shown = Object.entries(content).map(([contentType, { schema }]) => {
    const { examples } = components.resolve(schema)
    const [mediaType = contentType] = contentType.split(';')
    return [mediaType, { schema, ...(Array.isArray(examples) && { example: examples[0] as unknown }) }]
  })
  return Object.fromEntries(shown) as Content // the entries come from a Content
}

/** Describes all headers of answers, for `components.headers`. */
export function describeHeaders(): Record<string, object> {
  const described = Object.values(responseHeaders).map(({ title, description, example, ...rest }) => [
    title,
    {
      description,
      required: !('isOptional' in rest),
      schema: { type: typeof example === 'number' ? 'integer' : 'string' },
      example,
    },
  ])
  return Object.fromEntries(described)
}
