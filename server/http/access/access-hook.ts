// Checks whether the caller may use a route, before anything is read. The contract says who may use each route.
import type { RouteMetadata } from '@floe/contract'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import type { Deployment } from '../../deployment.ts'
import { listFirst } from '../../text/list-first.ts'
import { requireRoute } from '../contract.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { explainNoRoute } from '../errors/allowed-methods.ts'
import type { Authenticator } from './authenticate.ts'
import { actAs, type Caller, mayRead } from './caller.ts'
import type { CallerLimit } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on a public deployment or a route open to anyone. */
    caller: Caller | null
  }
}

/** The parameters of an address, decoded by the router. The route's schema checks them after this hook. */
export const Address = z.object({ org: z.string(), deployment: z.string().optional(), repo: z.string().optional() })

/** Maximum number of deployments that a problem lists. */
const maxShownDeployments = 20

/**
 * Why a reader needs credentials. The same for unknown and private deployments, so that callers cannot tell which it
 * is.
 */
const privateOnly = 'No public deployment has this name, and a private one needs credentials'

/** What decides which readers are admitted. */
export type ReaderAccess = {
  readonly authenticator: Authenticator
  readonly deployments: readonly Deployment[]
  /** Counts the requests of admitted callers. */
  readonly limit: CallerLimit
}

/**
 * Makes the hook of routes for readers and of routes open to anyone. Without a limit, requests are not counted.
 *
 * @throws RequestProblem `unauthorized`, `forbidden`, `deployment-not-found` or `too-many-requests`
 */
export function admitReaders({
  authenticator,
  deployments,
  limit,
}: Omit<ReaderAccess, 'limit'> & Partial<ReaderAccess>): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const access = readAccess(request)
    if (access === 'anyone') return
    if (access !== 'reader') throw new TypeError(`${request.routeOptions.url} is not for readers`)
    const { org, deployment: name, repo } = Address.parse(request.params)
    const deployment = deployments.find((candidate) => candidate.org === org && candidate.name === name)
    if (deployment?.public) {
      if (!authenticator.serves(org)) throw explainUnknownDeployment(org, name, [])
      limit?.count(request, reply)
      return
    }
    const caller = await authenticator.authenticate(org, request, privateOnly)
    request.caller = caller
    limit?.count(request, reply)
    if (!deployment) {
      const ofOrg = deployments.filter((candidate) => candidate.org === org)
      throw explainUnknownDeployment(org, name, ofOrg)
    }
    requireRepoAccess(caller, repo)
  }
}

/**
 * Makes the hook of routes on which pipelines post checks: for keys of the role `checker`, and of administrators. A
 * deployment that is public for readers needs them too.
 *
 * @throws RequestProblem `unauthorized`, `forbidden`, `deployment-not-found` or `too-many-requests`
 */
export function admitCheckers({ authenticator, deployments, limit }: ReaderAccess): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (readAccess(request) !== 'checker') throw new TypeError(`${request.routeOptions.url} is not for checkers`)
    const { org, deployment: name, repo } = Address.parse(request.params)
    const caller = actAs(await authenticator.authenticate(org, request), 'checker')
    request.caller = caller
    limit.count(request, reply)
    const ofOrg = deployments.filter((deployment) => deployment.org === org)
    if (!ofOrg.some((deployment) => deployment.name === name)) throw explainUnknownDeployment(org, name, ofOrg)
    if (caller.role === 'reader')
      throw new RequestProblem(
        'forbidden',
        `This needs an ${nameKind(caller)} with the role checker or admin, and yours is a reader's`,
      )
    requireRepoAccess(caller, repo)
  }
}

/**
 * Makes the hook for routes of administrators.
 *
 * @throws RequestProblem `unauthorized`, `forbidden` or `too-many-requests`
 */
export function admitAdministrators(authenticator: Authenticator, limit: CallerLimit): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (readAccess(request) !== 'admin') throw new TypeError(`${request.routeOptions.url} is not for administrators`)
    const { org, repo } = Address.parse(request.params)
    const found = await authenticator.find(org, request)
    const caller = found && actAs(found, 'admin')
    request.caller = caller ?? null
    // Not counted, because a browser asks for a password only after its first request was answered with 401.
    if (!caller && request.headers.authorization === undefined) return authenticator.refuse(org, request)
    limit.count(request, reply)
    if (!caller) return authenticator.refuse(org, request)
    if (caller.role !== 'admin')
      throw new RequestProblem(
        'forbidden',
        `This needs an administrator's ${nameKind(caller)}, and yours is a ${caller.role}'s`,
      )
    requireRepoAccess(caller, repo)
  }
}

/**
 * Admits a caller to the routes about the whole process (metrics, readiness): any administrator who covers all
 * repositories of an organisation.
 *
 * @throws RequestProblem `unauthorized`, `forbidden` or `too-many-requests`
 */
export async function admitObserver(authenticator: Authenticator, request: FastifyRequest): Promise<Caller> {
  const found = await authenticator.identify(request)
  if (found === null) return authenticator.refuse('', request, { realm: 'Floe' })
  const caller = found.map((each) => actAs(each, 'admin')).find(coversWholeOrg) ?? found[0]
  request.caller = caller
  requireWholeOrg(caller)
  return caller
}

/**
 * Admits a caller to the state of the whole service: one whose key is among these. To all others, the address looks
 * like one that does not exist; callers without credentials are asked for them whether or not there are such keys.
 *
 * @throws RequestProblem `unauthorized`, `too-many-requests` or `route-not-found`
 */
export async function admitOperator(
  authenticator: Authenticator,
  operators: readonly string[],
  request: FastifyRequest,
): Promise<void> {
  const callers = await authenticator.identify(request)
  if (callers === null) return authenticator.refuse('', request, { realm: 'Floe' })
  const [caller] = callers
  if (!operators.includes(caller.id)) throw explainNoRoute(request)
  request.caller = caller
}

/** Returns the caller of a request that an access hook has admitted only with credentials. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new TypeError('the access hook admitted a request without credentials')
  return caller
}

/** Throws RequestProblem `forbidden` unless the caller is an administrator and covers all repositories. */
export function requireWholeOrg(caller: Caller): void {
  if (coversWholeOrg(caller)) return
  const needed = `an administrator's ${nameKind(caller)} that covers all repositories`
  throw new RequestProblem('forbidden', `This needs ${needed}`)
}

function coversWholeOrg({ role, repos }: Caller): boolean {
  return role === 'admin' && repos === null
}

/** Names what a caller has, for messages. */
function nameKind({ person }: Caller): string {
  return person === undefined ? 'API key' : 'account'
}

/** @param listed the deployments of the organisation, if the caller may see them */
function explainUnknownDeployment(
  org: string,
  name: string | undefined,
  listed: readonly Deployment[],
): RequestProblem {
  const names = listed.map((deployment) => deployment.name)
  const hint = names.length === 0 ? '' : `; it has ${listFirst(names, maxShownDeployments).join(', ')}`
  return new RequestProblem('deployment-not-found', `${org} has no deployment called ${JSON.stringify(name)}${hint}`)
}

/**
 * Refuses a caller who does not cover a repository.
 *
 * @param caller null on a public deployment
 * @param repo undefined if the address names no repository
 *
 * @throws RequestProblem `forbidden`
 */
export function requireRepoAccess(caller: Caller | null, repo: string | undefined): void {
  if (caller === null || repo === undefined || mayRead(caller, repo)) return
  throw new RequestProblem('forbidden', `The ${nameKind(caller)} does not cover the repository ${JSON.stringify(repo)}`)
}

function readAccess(request: FastifyRequest): RouteMetadata['access'] {
  return requireRoute(request).metadata.access
}
