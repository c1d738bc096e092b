// The administration as one Fastify scope: who may come in, what they may send, and what leaves.
import { contract } from '@floe/contract'
import { register } from '../http/contract.ts'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { admitAdministrators } from '../access/access-hook.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { type RateLimits, rateLimits } from '../access/rate-limits.ts'
import type { AdministrationContext } from './administration-context.ts'
import { auditRoutes } from './audit-routes.ts'
import { chatRoutes } from './receivers/chat-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { refuseCrossSite } from './refuse-cross-site.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { type SettingsParts, settingsRoutes } from './settings-routes.ts'
import { takeJsonBodies } from './take-json-bodies.ts'
import { webhookRoutes } from './receivers/webhook-routes.ts'

/** What the scope needs besides what its routes share. */
export type AdministrationParts = {
  readonly context: AdministrationContext
  readonly authenticator: Authenticator
  /** Public address, ending in `/v1`; null means where the server listens. */
  readonly baseUrl: string | null
  readonly settings: SettingsParts
}

/** The routes of administration. Answers are checked against the contract, so that nothing else can slip out. */
export function administrationScope(parts: AdministrationParts): FastifyPluginAsync {
  const { context, authenticator, baseUrl, settings } = parts
  return async (scope) => {
    const { ofCaller, countCheck } = await rateLimits(scope)
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.addHook('onRequest', admitAdministrators(authenticator, context.catalogs, ofCaller))
    scope.addHook('onRequest', refuseCrossSite(baseUrl))
    takeJsonBodies(scope)
    await registerRoutes(scope, context, countCheck, settings)
  }
}

function registerRoutes(
  scope: FastifyInstance,
  context: AdministrationContext,
  countCheck: RateLimits['countCheck'],
  settings: SettingsParts,
): Promise<void> {
  const { repositories, webhooks, chats, deliveries, keys, audit, settings: page } = contract
  return register(
    scope,
    { repositories, webhooks, chats, deliveries, keys, audit, settings: page },
    {
      repositories: repositoryRoutes(context),
      webhooks: webhookRoutes(context, countCheck),
      chats: chatRoutes(context, countCheck),
      deliveries: deliveryRoutes(context),
      keys: keyRoutes(context),
      audit: auditRoutes(context),
      settings: settingsRoutes(context, settings),
    },
    { validatesAnswers: true },
  )
}
