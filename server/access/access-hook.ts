// Asks every route of the contract who may call it, before anything is read.
import type { RouteMetadata } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Authenticator } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the caller; null where a deployment is public or a route open to anyone. */
    apiKey: ApiKey | null
  }
}

/** A deployment as access sees it. */
export type Deployment = { readonly name: string; readonly org: string; readonly public: boolean }

// Params come as the router decoded them; the route's own schema checks them later.
const Address = z.object({ org: z.string(), deployment: z.string().optional(), repo: z.string().optional() })

/** Lets a request pass, or throws `unauthorized`, `forbidden` or `deployment-not-found`. */
export function accessHook(
  authenticator: Authenticator,
  deployments: readonly Deployment[],
): onRequestAsyncHookHandler {
  return async (request) => {
    if (routeMetadata(request).access === 'anyone') return
    const { org, deployment: name, repo } = Address.parse(request.params)
    const deployment = deployments.find((candidate) => candidate.org === org && candidate.name === name)
    if (deployment?.public) return
    const key = await authenticator.authenticate(org, request.headers.authorization)
    if (!deployment) {
      throw new RequestProblem('deployment-not-found', `${org} has no deployment called ${JSON.stringify(name)}`)
    }
    if (repo !== undefined && !mayRead(key, repo)) {
      throw new RequestProblem('forbidden', `The API key is limited to other repositories than ${JSON.stringify(repo)}`)
    }
    request.apiKey = key
  }
}

/** Whether a key, or its absence on a public deployment, covers a repository. */
export function mayRead(key: ApiKey | null, repo: string): boolean {
  return key === null || key.repos === null || key.repos.includes(repo)
}

function routeMetadata(request: FastifyRequest): RouteMetadata {
  // Every route under this hook comes from the contract, whose `meta()` is the only way to set this.
  const { tsRestRoute } = request.routeOptions.config as { tsRestRoute?: { metadata: RouteMetadata } }
  if (!tsRestRoute) throw new TypeError(`${request.routeOptions.url} is not a route of the contract`)
  return tsRestRoute.metadata
}
