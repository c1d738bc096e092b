// The building blocks of the routes: a thin layer over ts-rest (docs/internals/decisions/0002-ts-rest.md says why), and
// the lists of problems that many routes share.
import {
  type AppRoute,
  type AppRouter,
  type ContractNoBodyType,
  type ContractOtherResponse,
  initContract,
  isAppRoute,
} from '@ts-rest/core'
import { z } from 'zod'
import type { ResponseHeader } from './http/headers.ts'
import { contentTypes } from './http/media-types.ts'
import { type ProblemCode, type ProblemCodeOf, problemDefinitions } from './problems.ts'
import { type ProblemSchema, restrictProblem } from './schemas/problem.ts'

/** Builds routers (ts-rest). */
export const c: ReturnType<typeof initContract> = initContract()

type StatusOf<Code extends ProblemCode> = (typeof problemDefinitions)[Code]['status']

type ProblemResponses<Code extends ProblemCode> = {
  [Status in StatusOf<Code>]: ContractOtherResponse<ProblemSchema<Extract<Code, ProblemCodeOf<Status>>>>
}

/** Declares responses for problems, grouped by status, as `application/problem+json`. */
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
    c.otherResponse({ contentType: contentTypes.problem, body: restrictProblem(first, ...rest) }),
  ])
  // Object.fromEntries cannot express that each status has the codes of the mapped type; the loop above makes it so.
  return Object.fromEntries(responses) as ProblemResponses<Code>
}

/** The text of an HTML page. */
export const HtmlPage = z.string().meta({ examples: ['<!doctype html>\n<html lang="en">...</html>'] })

/** The text of an Atom feed (RFC 4287). */
export const AtomFeed = z.string().meta({ examples: ['<?xml version="1.0" encoding="utf-8"?>\n<feed>...</feed>'] })

/** A sitemap, or an index of sitemaps (sitemaps.org, version 0.9). */
export const sitemap = c.otherResponse({
  contentType: contentTypes.xml,
  body: z.string().meta({ examples: ['<?xml version="1.0" encoding="utf-8"?>\n<urlset>...</urlset>'] }),
})

/** An HTML page as a response. */
export const htmlPage = c.otherResponse({ contentType: contentTypes.html, body: HtmlPage })

/**
 * The answer to a conditional request whose `ETag` is still current. Without the type, the symbol of ts-rest would
 * become any symbol.
 */
export const notModified: Record<304, ContractNoBodyType> = { 304: c.noBody() }

/** The parts of the service. The API documentation groups the routes by them. */
type RouteTag =
  | 'discovery'
  | 'datasets'
  | 'history'
  | 'checks'
  | 'remarks'
  | 'diff'
  | 'search'
  | 'catalogues'
  | 'events'
  | 'mcp'
  | 'documents'
  | 'authorization'
  | 'repositories'
  | 'receivers'
  | 'expectations'
  | 'deliveries'
  | 'keys'
  | 'sessions'
  | 'audit'
  | 'settings'
  | 'monitoring'

/** What the contract says about a route besides its schemas. */
export type RouteMetadata = {
  readonly tag: RouteTag
  /**
   * Who may call the route. `anyone` needs no key; `reader` needs a key, unless the deployment is public; `checker`
   * needs a key of this role or an administrator's, also on a public deployment; `admin` needs an administrator's key.
   * The key covers the repository in the address, if there is one; for the metrics, it covers all repositories.
   */
  readonly access: 'anyone' | 'reader' | 'checker' | 'admin'
  /**
   * False for routes that users' programs do not call: those for browsers, operators' tools, agents and forms. Default
   * true.
   */
  readonly isInClient?: false
  /** The page that the route sends to callers who prefer HTML to JSON. */
  readonly html?: z.ZodType
  /** The feed that the route sends when the parameter `format` asks for it. The client and agents do not ask. */
  readonly feed?: z.ZodType
  /**
   * Headers of a success and of a redirect. `Location` is described for `201`, `302` and `303` only. A route that
   * answers `304` accepts `If-None-Match`. `headersByStatus` has the headers of failures.
   */
  readonly headers?: readonly ResponseHeader[]
  /** For a route with an error format of its own: the statuses whose body is this JSON instead of a problem. */
  readonly ownErrors?: { readonly statuses: readonly number[]; readonly body: z.ZodType }
  /** The event of a stream, and its JSON. */
  readonly event?: { readonly name: string; readonly data: z.ZodType }
}

/** Types a route's `metadata`, which ts-rest leaves untyped. */
export function meta(metadata: RouteMetadata): RouteMetadata {
  return metadata
}

export { metaPrefix, orgPrefix, repoPrefix } from './http/paths.ts'

/** Problems of every route. */
export const commonProblems = [
  'invalid-request',
  'request-timeout',
  'uri-too-long',
  'headers-too-large',
  'internal',
  'unavailable',
] as const

/** Problems of every route of a deployment. */
export const deploymentProblems = [
  ...commonProblems,
  'unauthorized',
  'forbidden',
  'deployment-not-found',
  'too-many-requests',
] as const

/** Problems of reading a repository from its object store. */
export const repositoryReadProblems = [
  'damaged-repository',
  'repository-too-large',
  'unsupported-format',
  'not-a-repository',
  'store-failed',
  'store-timeout',
] as const

/** Problems of every route of a deployment that reads a repository. */
export const repositoryProblems = [...deploymentProblems, 'repository-not-found', ...repositoryReadProblems] as const

/** Problems of every route that reads a snapshot. */
export const snapshotProblems = [...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'group-not-found'] as const

/** Problems of every route of an organisation's administration. */
export const administrationProblems = [...commonProblems, 'unauthorized', 'forbidden', 'too-many-requests'] as const

/** Problems of listing the repositories in an object store. */
export const listingProblems = ['too-many-repositories', 'store-failed', 'store-timeout'] as const

/** Problems of every route of a repository's administration. */
export const repoAdministrationProblems = [
  ...administrationProblems,
  ...listingProblems,
  'repository-not-found',
] as const

/** Further problems of every route that changes something or accepts a body. */
export const changeProblems = ['cross-site', 'body-too-large', 'unsupported-media-type'] as const

/** Lists every route of a router with its dotted name, in order. */
export function* listRoutes(router: AppRouter, prefix = ''): Generator<[id: string, route: AppRoute]> {
  for (const [name, entry] of Object.entries(router)) {
    const id = prefix === '' ? name : `${prefix}.${name}`
    if (isAppRoute(entry)) yield [id, entry]
    else yield* listRoutes(entry, id)
  }
}
