// Answers one call of a tool: checks it, calls the route, and takes an excerpt of the answer.
import type { ApiKey } from '@floe/storage/database'
import { waitOrAbort } from '@floe/storage/waiting'
import { problemDefinitions, responseHeaders } from '@floe/contract'
import { z } from 'zod'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { callRoute } from '../../http/call-route.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { toRequestProblem } from '../../http/problems/to-request-problem.ts'
import { explainRefusedValue } from '../../http/problems/validation-problem.ts'
import { explainCuts, takeExcerpt } from './excerpt.ts'
import type { Tool } from './tools.ts'

/** Most bytes of the JSON in an answer: some thousand words. */
const maxExcerptBytes = 20_000

/** Longest time for one call, in milliseconds. */
const callTimeoutMs = 30_000

/** The caller of a tool, and the deployment that the call is about. */
export type ToolCaller = {
  readonly deployment: string
  readonly org: string
  /** Null on a public deployment. */
  readonly apiKey: ApiKey | null
  /** Aborts when the caller disconnects or cancels the call. */
  readonly signal: AbortSignal
}

export type ToolParts = {
  /** Implementations of the routes by the name of their router. Tools of other routers do not exist. */
  readonly routers: Readonly<Record<string, object>>
  /** Called with a fault of the service or of a store, not with a refusal. */
  readonly onFault: (error: unknown) => void
  /** Default 30,000. */
  readonly timeoutMs?: number
}

/** The answer to a call: the JSON first, then what to know about it. */
export type ToolAnswer = { readonly content: { type: 'text'; text: string }[]; readonly isError?: true }

/**
 * Answers a call. A problem is also an answer.
 *
 * @throws the reason of the caller's signal when that aborts
 */
export async function callTool(
  { routers, onFault, timeoutMs = callTimeoutMs }: ToolParts,
  tool: Tool,
  given: unknown,
  caller: ToolCaller,
): Promise<ToolAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = AbortSignal.any([caller.signal, timeout])
    return await waitOrAbort(answer(routers, tool, given, { ...caller, signal }), signal)
  } catch (error) {
    caller.signal.throwIfAborted()
    const problem = timeout.aborted ? explainTimeout(timeoutMs) : toToolProblem(error)
    const { status, title } = problemDefinitions[problem.code]
    if (status >= 500) onFault(problem.cause ?? problem)
    return { content: [toText(`${title}: ${problem.message}`)], isError: true }
  }
}

async function answer(
  routers: ToolParts['routers'],
  tool: Tool,
  given: unknown,
  { deployment, org, apiKey, signal }: ToolCaller,
): Promise<ToolAnswer> {
  const { route, params, query, excerpt } = tool.parse(given)
  const { repo } = params
  requireRepoAccess(apiKey, typeof repo === 'string' ? repo : undefined)
  const call = { params: { ...params, deployment, org }, query, apiKey, signal }
  const { body, headers } = await callRoute(routers, route, call)
  const { part, skip, take = Infinity } = excerpt
  const taken = await takeExcerpt(body, { part, skip, take, maxBytes: maxExcerptBytes }, signal)
  if (taken === undefined) throw new RequestProblem('invalid-request', `The answer has no part ${JSON.stringify(part)}`)
  const snapshotId = headers.get(responseHeaders.snapshot.name)
  const notes = [
    ...(snapshotId === undefined ? [] : [`Snapshot: ${snapshotId}`]),
    ...explainCuts(taken.cuts, part, tool.takesGroup && !params['group'] && !query['group']),
  ]
  return { content: [toText(taken.text), ...(notes.length > 0 ? [toText(notes.join('\n'))] : [])] }
}

function toToolProblem(error: unknown): RequestProblem {
  return error instanceof z.ZodError ? explainRefusedValue(error, 'arguments') : toRequestProblem(error)
}

function explainTimeout(timeoutMs: number): RequestProblem {
  return new RequestProblem('unavailable', `The answer took longer than ${timeoutMs / 1_000} s`)
}

/** Escapes invisible characters, which could carry words that a person does not notice. */
function toText(text: string): ToolAnswer['content'][number] {
  const escape = (character: string) =>
    character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { type: 'text', text: text.replace(/\p{Cf}/gu, (character) => escape(character).join('')) }
}
