// The address for agents as one Fastify scope: who may send messages, and what answers them.
import { contract } from '@floe/contract'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { admitReaders } from '../../http/access/access-hook.ts'
import type { Authenticator } from '../../http/access/authenticate.ts'
import type { CallerLimit } from '../../http/access/rate-limits.ts'
import { takeJsonBodies } from '../../http/access/take-json-bodies.ts'
import type { Deployment } from '../../http/access/deployment.ts'
import { register } from '../../http/contract.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { makeMetadataRoutes } from '../metadata-scope.ts'
import { makeAgentRoutes } from './agent-routes.ts'
import { sendRefusal } from './message-refusal.ts'
import { type OriginParts, refuseForeignOrigins } from './refuse-foreign-origins.ts'

/** What the scope needs. */
export type AgentParts = {
  readonly context: MetadataContext
  readonly authenticator: Authenticator
  readonly deployments: readonly Deployment[]
  /** Counts messages like other requests for metadata. */
  readonly limit: CallerLimit
  readonly origins: OriginParts
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** Makes the scope. */
export function makeAgentScope({
  context,
  authenticator,
  deployments,
  limit,
  origins,
  log,
}: AgentParts): FastifyPluginAsync {
  const onFault = (err: unknown) => log.error({ err }, 'a tool of agents failed')
  return async (scope) => {
    scope.addHook('onRequest', refuseForeignOrigins(origins))
    scope.addHook('onRequest', admitReaders(authenticator, deployments, await limit.makeHook(scope)))
    takeJsonBodies(scope)
    scope.setErrorHandler(sendRefusal)
    await register(scope, contract.mcp, makeAgentRoutes({ routers: makeMetadataRoutes(context), onFault }))
  }
}
