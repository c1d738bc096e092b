// The answers in the OpenAPI document: their headers, their media types, and problems. In the contract, the schema of a
// problem lists the codes that the answer can have. The document has one schema for all problems, and
// lists the codes of an answer in its description.
import {
  formatProblemType,
  headersByStatus,
  mediaTypes,
  Problem,
  type ProblemCode,
  problemDefinitions,
  rateLimitHeaders,
  type ResponseHeader,
  responseHeaders,
  type RouteMetadata,
} from '@floe/contract'
import { type AppRouteResponse, isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts'

/** Bodies by media type. */
type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** A request or an answer that may have a body. */
export type WithContent = { readonly content?: Content | undefined }

/** Describes the answer of a route with one status. `content` is what ts-rest has made of its body. */
export function describeResponse(
  status: string,
  response: AppRouteResponse,
  { content, metadata, components }: WithContent & { metadata: RouteMetadata; components: ComponentSchemas },
): object {
  const body = isAppRouteOtherResponse(response) ? response.body : response
  const headers = referToHeaders(listHeaders(status, metadata))
  const codes = listProblemCodes(body)
  if (codes !== undefined) {
    const problems = describeProblems(status, codes, components)
    const { ownErrors } = metadata
    const ownError = ownErrors?.statuses.includes(Number(status)) && {
      [mediaTypes.json]: { schema: components.translate(ownErrors.body, 'output') },
    }
    return { ...problems, ...headers, content: { ...problems.content, ...ownError } }
  }
  if (content === undefined) return { description: descriptionsWithoutBody[status], ...headers }
  const { html: page, feed, event } = metadata
  return {
    description: (body instanceof z.ZodType && body.description) || 'Success',
    ...headers,
    content: {
      ...addExamples(content, components),
      ...(page && addExamples({ [mediaTypes.html]: { schema: components.translate(page, 'output') } }, components)),
      ...(feed && addExamples({ [mediaTypes.atom]: { schema: components.translate(feed, 'output') } }, components)),
      ...(event && describeEvents(event, components)),
    },
  }
}

/** Adds to each body the first example of its schema, and drops the parameters of media types. */
export function addExamples(content: Content, components: ComponentSchemas): Content {
  const entries = Object.entries(content).map(([contentType, { schema }]) => {
    const [mediaType = contentType] = contentType.split(';')
    return [mediaType, { schema, ...components.findExample(schema) }] as const
  })
  return Object.fromEntries(entries)
}

/** Describes an answer with one of these problems. */
export function describeProblems(status: string, codes: readonly ProblemCode[], components: ComponentSchemas) {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${formatProblemType(code)}\``).join(', '),
    ...referToHeaders(headersByStatus[status] ?? []),
    content: { [mediaTypes.problem]: { schema: components.translate(Problem, 'output'), examples } },
  }
}

// Object.keys gives string[]; the keys of a constant table are its codes.
const allCodes = Object.keys(problemDefinitions) as ProblemCode[]

/** Lists the codes that a body can have; undefined when it is not a problem. */
export function listProblemCodes(body: unknown): ProblemCode[] | undefined {
  const listed: unknown = body instanceof z.ZodObject ? body.shape['code'] : undefined
  if (!(listed instanceof z.ZodEnum)) return undefined
  const codes = allCodes.filter((code) => listed.options.includes(code))
  return codes.length === listed.options.length ? codes : undefined
}

/** Builds an example of each problem, by its code, for `components.examples`. */
export function buildProblemExamples(): Record<string, { readonly summary: string; readonly value: Problem }> {
  const entries = allCodes.map((code) => {
    const { title, status, meaning } = problemDefinitions[code]
    const errors = code === 'invalid-request' && { errors: [{ pointer: '/query/group', message: 'must be text' }] }
    const instance = 'urn:uuid:2f6c1b0e-5d1e-4f0c-9f57-0c5b8a3f7d21'
    const value = { type: formatProblemType(code), code, title, status, detail: meaning, instance, ...errors }
    return [code, { summary: title, value }]
  })
  return Object.fromEntries(entries)
}

/** Tags of routes that rate limits do not count. */
const uncounted: ReadonlySet<string> = new Set<RouteMetadata['tag']>(['documents', 'monitoring'])

/**
 * Lists the headers of an answer. Of failures, only 429 lists the headers about rate limits, because callers need them
 * there.
 */
function listHeaders(status: string, { headers = [], tag }: RouteMetadata): readonly ResponseHeader[] {
  const isFailure = Number(status) >= 400
  const special = isFailure
    ? (headersByStatus[status] ?? [])
    : headers.filter((header) => header !== 'location' || ['201', '302', '303'].includes(status))
  return [...special, ...(uncounted.has(tag) || (isFailure && status !== '429') ? [] : rateLimitHeaders)]
}

function referToHeaders(headers: readonly ResponseHeader[]): object {
  if (headers.length === 0) return {}
  const titles = headers.map((header) => responseHeaders[header].title)
  return { headers: Object.fromEntries(titles.map((title) => [title, { $ref: `#/components/headers/${title}` }])) }
}

/** Describes one event of a stream. Before OpenAPI 3.2, only the schema of the whole stream can describe it. */
function describeEvents({ name, data }: NonNullable<RouteMetadata['event']>, components: ComponentSchemas): Content {
  const contentSchema = components.translate(data, 'output')
  const { example } = components.findExample(contentSchema)
  const properties = {
    id: { type: 'string', description: 'Position of the event in the record of the organisation' },
    event: { const: name, description: 'What happened' },
    data: {
      type: 'string',
      description: 'The JSON that webhooks receive',
      contentMediaType: mediaTypes.json,
      contentSchema,
    },
  }
  return {
    [mediaTypes.events]: {
      schema: { type: 'object', properties, required: Object.keys(properties) },
      example: { id: '57', event: name, data: JSON.stringify(example) },
    },
  }
}

const descriptionsWithoutBody: Readonly<Record<string, string>> = {
  '200': 'Done',
  '202': 'Accepted, without an answer',
  '204': 'Done',
  '302': 'Redirect to where the repository is stored',
  '303': 'Redirect to the answer',
  '304': 'Not modified since the version that `If-None-Match` names',
}

/** Describes all headers of answers, for `components.headers`. */
export function describeHeaders(): Record<string, object> {
  const described = Object.values(responseHeaders).map(({ title, description, example, ...rest }) => {
    const schema = { type: typeof example === 'number' ? 'integer' : 'string' }
    return [title, { description, required: !('isOptional' in rest), schema, example }]
  })
  return Object.fromEntries(described)
}
