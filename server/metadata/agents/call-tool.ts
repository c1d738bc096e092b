// Answers one call of a tool: checks it, calls the route, and shows its answer.
import { unlessUnavailable } from '@floe/storage/database'
import { type JsonBytes, readJsonBytes } from '@floe/storage/json'
import { waitOrAbort } from '@floe/storage/waiting'
import { problemDefinitions, type RemarkList, responseHeaders } from '@floe/contract'
import { z } from 'zod'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import type { Caller } from '../../http/access/caller.ts'
import { callRoute } from '../../http/call-route.ts'
import { noteFault } from '../../http/errors/note-fault.ts'
import type { FaultLog } from '../../observation/fault-log.ts'
import { hideSecrets } from '../../observation/hide-secrets.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { toRequestProblem } from '../../http/errors/to-request-problem.ts'
import { explainRefusedValue } from '../../problems/validation-problem.ts'
import { buildPageLinks } from '../../pages/page-links.ts'
import { writeRemark } from '../../pages/parts/remark-notes.ts'
import { parseGroupPath } from '../../groups/group-path.ts'
import { escapeUnits } from '../../text/escape-units.ts'
import type { Tool } from './tools.ts'

const Names = z.object({ repo: z.string(), ref: z.string(), group: z.string().optional() })

/** Maximum number of remarks that a note tells. */
const maxRemarks = 5

/** Longest time for one call, in milliseconds. */
const callTimeoutMs = 30_000

/** The caller of a tool, and the deployment that the agent is connected to. */
export type ToolCaller = {
  readonly deployment: string
  readonly org: string
  /** Null on a public deployment. */
  readonly caller: Caller | null
  /** The address of the caller. */
  readonly ip: string
  /** Aborts when the caller disconnects or cancels the call. */
  readonly signal: AbortSignal
  /** Id of the request that has the call; undefined over standard input. */
  readonly requestId?: string
}

export type ToolParts = {
  /** Implementations of the routes by the name of their router. Tools of other routers do not exist. */
  readonly routers: Readonly<Record<string, object>>
  /** Logs faults of the service and of stores, not refusals. */
  readonly faults: Pick<FaultLog, 'note'>
  /** The public address of the service, ending in `/v1`. Undefined over standard input, where no page is served. */
  readonly baseUrl?: (() => string) | undefined
  /** Default 30,000. */
  readonly timeoutMs?: number
}

/** The answer to a call: the JSON or text, then notes about it. */
export type ToolAnswer = { readonly content: { type: 'text'; text: string }[]; readonly isError?: true }

/**
 * Answers a call. Problems are answers too, so that the agent reads them.
 *
 * @param sentArguments the arguments as the agent sent them, not yet checked
 * @throws the reason of the caller's signal if that aborts
 */
export async function callTool(
  { routers, faults, baseUrl, timeoutMs = callTimeoutMs }: ToolParts,
  tool: Tool,
  sentArguments: unknown,
  caller: ToolCaller,
): Promise<ToolAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = AbortSignal.any([caller.signal, timeout])
    return await waitOrAbort(answer({ routers, baseUrl }, tool, sentArguments, { ...caller, signal }), signal)
  } catch (error) {
    caller.signal.throwIfAborted()
    const problem = timeout.aborted ? explainTimeout(timeoutMs, timeout.reason) : toToolProblem(error)
    noteFault(problem, faults, caller.requestId)
    const text = `${problemDefinitions[problem.code].title}: ${problem.message}`
    return { content: [toText(hideSecrets(text))], isError: true }
  }
}

async function answer(
  { routers, baseUrl }: Pick<ToolParts, 'routers' | 'baseUrl'>,
  tool: Tool,
  sentArguments: unknown,
  { deployment, org, caller, ip, signal }: ToolCaller,
): Promise<ToolAnswer> {
  const { route, params, query, show } = tool.parse(sentArguments)
  const { repo } = params
  requireRepoAccess(caller, typeof repo === 'string' ? repo : undefined)
  const call = { params: { ...params, deployment, org }, query, caller, ip, signal }
  const { body, headers } = await callRoute(routers, route, call)
  const { text, notes } = await show(body, signal)
  const snapshotId = headers.get(responseHeaders.snapshot.name)
  const remarks = await listRemarks(routers, call)
  const behind = headers.get(responseHeaders.behind.name)
  const page = baseUrl && tool.router === 'datasets' ? linkPage(baseUrl(), { deployment, org }, params) : undefined
  const facts = [
    snapshotId && `Snapshot: ${snapshotId}${behind ? `, heads behind the branch: ${behind}` : ''}`,
    page && `web_url: ${page}`,
  ].filter((fact) => fact !== undefined)
  const allNotes = [...remarks, ...facts, ...notes]
  return { content: [toText(text), ...(allNotes.length > 0 ? [toText(allNotes.join('\n'))] : [])] }
}

/** The first remarks about what an answer is about, in a line each. None while the database is away. */
async function listRemarks(
  routers: ToolParts['routers'],
  { params, query, ...call }: Parameters<typeof callRoute>[2],
): Promise<readonly string[]> {
  const group = params['group'] ?? query['group']
  const refs = ['ref', 'from', 'to'].flatMap((name) => params[name] ?? [])
  const listAt = async (ref: unknown) => {
    const asked = { ...call, params: { ...params, ref }, query: { group } }
    const { body } = await callRoute(routers, 'datasetRemarks.list', asked)
    return readJsonBytes(body as JsonBytes<RemarkList>).items // the route has written it
  }
  const found = (await unlessUnavailable(Promise.all(refs.map(listAt)), [])).flat()
  return [...new Set(found.map(writeRemark))].slice(0, maxRemarks)
}

/** Links to the page of the dataset that an answer is about, for the person whom the agent works for. */
function linkPage(
  v1: string,
  { deployment, org }: Pick<ToolCaller, 'deployment' | 'org'>,
  params: Readonly<Record<string, unknown>>,
): string {
  const { repo, ref, group } = Names.parse(params)
  return buildPageLinks(v1, deployment, org, '').dataset(repo, ref, parseGroupPath(group))
}

function toToolProblem(error: unknown): RequestProblem {
  return error instanceof z.ZodError ? explainRefusedValue(error, 'arguments') : toRequestProblem(error)
}

function explainTimeout(timeoutMs: number, cause: unknown): RequestProblem {
  return new RequestProblem('unavailable', `The answer took longer than ${timeoutMs / 1_000} s`, { cause })
}

/**
 * Escapes invisible characters, which could hide instructions from the person who reads along, and all ends of lines
 * but `\n`, because notes and schemas consist of lines.
 */
function toText(text: string): ToolAnswer['content'][number] {
  return { type: 'text', text: text.replace(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/gu, escapeUnits) }
}
