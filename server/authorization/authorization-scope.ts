// The Fastify scope of the authorization server. It exchanges an API key for tokens that are as good as the key.
import { contract } from '@floe/contract'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { makeRateLimits } from '../http/access/rate-limits.ts'
import { register } from '../http/contract.ts'
import { refuseCrossSite } from '../http/access/refuse-cross-site.ts'
import { takeJsonBodies } from '../http/take-json-bodies.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import type { AuthorizationContext } from './authorization-context.ts'
import { refuseAsOAuth } from './oauth-refusal.ts'
import { makePageRoutes } from './page-routes.ts'
import { makeTokenRoutes } from './token-routes.ts'

type AuthorizationParts = AuthorizationContext & {
  /** Requests that an address may send in a minute; default 3,000. */
  readonly requestsPerMinute: number | undefined
}

export function makeAuthorizationScope({ requestsPerMinute, ...context }: AuthorizationParts): FastifyPluginAsync {
  return async (scope) => {
    const { ofCaller } = makeRateLimits(context.timing.elapsed, requestsPerMinute)
    scope.addHook('onRequest', async (request, reply) => {
      ofCaller.count(request, reply)
      // A client may wait for its answer in the window that has opened this one.
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'unsafe-none' })
    })
    takeJsonBodies(scope)
    takeForms(scope)
    const { ask, authorize, ...ofClients } = contract.authorization
    await scope.register(async (pages) => {
      pages.addHook('onRequest', refuseCrossSite(context.baseUrl))
      await register(pages, { ask, authorize }, makePageRoutes(context))
    })
    await scope.register(async (clients) => {
      refuseAsOAuth(clients)
      await register(clients, ofClients, makeTokenRoutes(context))
    })
  }
}

function takeForms(scope: FastifyInstance): void {
  const type = contract.authorization.token.contentType
  scope.addContentTypeParser(type, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => {
    const members = [...new URLSearchParams(body)]
    const form: Record<string, string> = Object.fromEntries(members)
    if (Object.keys(form).length === members.length) return form
    throw explainInvalidRequest([{ pointer: '/body', message: 'must not repeat a parameter' }])
  })
}
