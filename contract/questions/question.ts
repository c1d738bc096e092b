// What a question about snapshots is: what a GET asks about one snapshot, or about what changed between two. A file of
// this folder declares each question once. Routes, caching, tools of agents and methods of clients follow from the
// declarations; the server has a function for each that computes the answer.
import type { AppRoute } from '@ts-rest/core'
import { z } from 'zod'
import { OfGroup, OfRef } from '../schemas/addresses.ts'
import { meta, metaPrefix, notModified, problems, type RouteMetadata, snapshotProblems } from '../dsl.ts'
import type { ProblemCode } from '../problems.ts'
import { Glob, globRule, GroupPath } from '../schemas/names.ts'

/** A question about snapshots. */
export type Question = {
  /** The router of the contract that has the routes. */
  readonly router: string
  /** The routes that ask it: one; or one for the root group, and one for another group. */
  readonly routes: Readonly<Record<string, AppRoute>>
  /** The body of the answer. */
  readonly answer: z.ZodType
  /** Default: JSON. */
  readonly format?: 'html' | 'jsonLd'
  /** Whether it is about one snapshot, the default, or about what changed between two. */
  readonly about?: 'change'
  /**
   * Whether the answer also depends on the service, such as on its address. Then it can change although the snapshot
   * does not, so it is never immutable for caches. Pages always do.
   */
  readonly needsService?: true
  /**
   * Whether the answer tells where chunks are stored. Then only callers who see the storage of the repository get it.
   * It depends on the containers that the repository declares, so it is never immutable for caches.
   */
  readonly showsStorage?: true
  /** The page that callers get at the same addresses if they prefer HTML. */
  readonly page?: PageName
  /** The tool with which agents ask it; undefined if they cannot. */
  readonly tool?: QuestionTool
  /** The client's method, if it is not named after the route. */
  readonly clientMethod?: string
}

/** The pages that answer at the addresses of other questions. */
type PageName = 'ref-page' | 'gaps-page' | 'diff-page'

/** What agents read about a question. It is shorter than the contract, because they pay for it in each conversation. */
export type QuestionTool = {
  /** Default: the names of router and route, or of the router alone for its only route, `get`. */
  readonly name?: string
  /** A name for people. Default: the summary of the route. */
  readonly title?: string
  readonly description: string
  /** Descriptions of arguments, in place of those that tools share. */
  readonly arguments?: Readonly<Record<string, string>>
  /** What the agent gets: an excerpt of the JSON, the default, or the schema of a dataset as text. */
  readonly form?: 'schema'
}

/**
 * Makes what all routes about snapshots share.
 *
 * @param codes problems besides those of every such route
 */
export function askSnapshot<Body, Code extends ProblemCode = never>(
  metadata: Omit<RouteMetadata, 'access' | 'headers'>,
  body: Body,
  ...codes: readonly Code[]
) {
  return {
    method: 'GET',
    responses: {
      200: body,
      ...notModified,
      ...problems<Code | (typeof snapshotProblems)[number]>(...snapshotProblems, ...codes),
    },
    metadata: meta({ ...metadata, access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
  } as const
}

/**
 * Makes the two routes of a question about a group: for the root group, and for another one.
 *
 * @param start what precedes the repository in the path, such as `datasets`
 * @param view what follows the group, such as `/info`
 */
export function makeGroupRoutes<Start extends string, View extends string, Shared extends object>(
  start: Start,
  view: View,
  shared: Shared,
  [ofRoot, ofGroup]: readonly [ofRoot: string, ofGroup: string],
) {
  const path = `${metaPrefix}/${start}/:repo/:ref` as const
  return {
    root: { ...shared, path: `${path}${view}`, pathParams: OfRef, summary: ofRoot },
    group: { ...shared, path: `${path}/:group${view}`, pathParams: OfGroup, summary: ofGroup },
  } as const
}

/** The query of a question about one group, or about all groups at and below it. */
export function groupQuery(description: string, example: string) {
  return z.object({
    group: GroupPath.optional()
      .describe(description)
      .meta({ examples: [example] }),
  })
}

/** The query of a question about the arrays at and below a group. */
export function arraysQuery(exampleGroup: string) {
  return groupQuery('Only the arrays below this group; a slash at its beginning or end is ignored', exampleGroup)
}

/** The pattern of the paths of the arrays that a question is about. */
export const arrayPaths = {
  path: Glob.optional()
    .describe(`Pattern of the paths of arrays: ${globRule}`)
    .meta({ examples: ['forecast/*'] }),
}
