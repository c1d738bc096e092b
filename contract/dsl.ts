// The one file of the contract that knows ts-rest's ways; see docs/decisions/0002-ts-rest.md.
import { type ContractNoBodyType, type ContractOtherResponse, initContract } from '@ts-rest/core'
import type { z } from 'zod'
import { type ProblemCode, type ProblemCodeOf, problemDefinitions } from './problems.ts'
import { restrictProblem } from './schemas/problem.ts'

/** The contract builder. */
export const c: ReturnType<typeof initContract> = initContract()

type StatusOf<Code extends ProblemCode> = (typeof problemDefinitions)[Code]['status']

type ProblemResponses<Code extends ProblemCode> = {
  [Status in StatusOf<Code>]: ContractOtherResponse<
    ReturnType<typeof restrictProblem<Extract<Code, ProblemCodeOf<Status>>>>
  >
}

/** Responses for problems, grouped by status, as `application/problem+json`. */
export function problems<Code extends ProblemCode>(...codes: readonly Code[]): ProblemResponses<Code> {
  const byStatus = new Map<number, [ProblemCode, ...ProblemCode[]]>()
  for (const code of codes) {
    const { status } = problemDefinitions[code]
    const same = byStatus.get(status)
    if (same) same.push(code)
    else byStatus.set(status, [code])
  }
  const responses = [...byStatus].map(([status, [first, ...rest]]) => [
    status,
    c.otherResponse({ contentType: 'application/problem+json', body: restrictProblem(first, ...rest) }),
  ])
  // The grouping above is what the mapped type says; Object.fromEntries cannot express it.
  return Object.fromEntries(responses) as ProblemResponses<Code>
}

/** An HTML page as a response. */
export function htmlPage<Schema extends z.ZodType<string>>(body: Schema) {
  const example = '<!doctype html>\n<html lang="en">...</html>'
  return c.otherResponse({ contentType: 'text/html; charset=utf-8', body: body.meta({ examples: [example] }) })
}

/** The answer to a conditional request whose `ETag` still holds. Annotated, since inference would widen the symbol. */
export const notModified: Record<304, ContractNoBodyType> = { 304: c.noBody() }

/** The parts of the service, under which documentation lists its routes. */
type RouteTag =
  | 'discovery'
  | 'datasets'
  | 'documents'
  | 'repositories'
  | 'webhooks'
  | 'chats'
  | 'deliveries'
  | 'keys'
  | 'audit'
  | 'settings'
  | 'operations'

/** Response headers that callers may build on. Those that belong to a status, such as `Retry-After`, are not listed by routes. */
type SuccessHeader = 'ETag' | 'Floe-Snapshot' | 'Location'

/** What the contract says of a route beyond its shapes. */
export type RouteMetadata = {
  readonly tag: RouteTag
  /**
   * Who may call. `anyone`; `reader`: holders of a key, and anyone where a deployment is public; `admin`: holders of an
   * administrator's key that covers the repository in the address.
   */
  readonly access: 'anyone' | 'reader' | 'admin'
  /** The route also answers `text/html` to callers who prefer it. */
  readonly html?: boolean
  /** Headers of a success, and of a `304`. A route that answers `304` takes `If-None-Match`. */
  readonly headers?: readonly SuccessHeader[]
}

/** Types ts-rest's untyped `metadata`. */
export function meta(metadata: RouteMetadata): RouteMetadata {
  return metadata
}

/** Where the metadata routes of one deployment lie. */
export const metaPrefix = '/v1/services/:deployment/:org/_meta'

/** Where the administration of one organisation lies. */
export const orgPrefix = '/v1/orgs/:org'

/** Where the administration of one repository lies. */
export const repoPrefix = `${orgPrefix}/repos/:repo` as const

/** Problems that any route can answer with. */
export const commonProblems = ['invalid-request', 'uri-too-long', 'internal', 'unavailable'] as const

/** Problems of any route of a deployment, which needs a reader's key unless the deployment is public. */
export const deploymentProblems = [
  ...commonProblems,
  'unauthorized',
  'forbidden',
  'deployment-not-found',
  'too-many-requests',
] as const

/** What can be wrong with a repository, or on the way to it. */
export const repositoryReadProblems = [
  'damaged-repository',
  'unsupported-format',
  'not-a-repository',
  'store-failed',
  'store-timeout',
] as const

/** Problems of any route of a deployment that reads a repository. */
export const repositoryProblems = [...deploymentProblems, 'repository-not-found', ...repositoryReadProblems] as const

/** Problems of any route that reads a snapshot. */
export const snapshotProblems = [...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'group-not-found'] as const

/** Problems of any route of an organisation's administration. */
export const administrationProblems = [...commonProblems, 'unauthorized', 'forbidden', 'too-many-requests'] as const

/** What can go wrong when repositories are searched for in a store. */
export const searchProblems = ['store-failed', 'store-timeout'] as const

/** Problems of any route of a repository's administration. */
export const repoAdministrationProblems = [
  ...administrationProblems,
  ...searchProblems,
  'repository-not-found',
] as const

/** Problems of any route that changes something, or takes a body. */
export const changeProblems = ['cross-site', 'body-too-large', 'unsupported-media-type'] as const
