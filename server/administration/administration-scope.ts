import { contract } from '@floe/contract'
import { register } from '../http/contract.ts'
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { admitAdministrators, requireWholeOrg } from '../http/access/access-hook.ts'
import type { Authenticator } from '../http/access/authenticate.ts'
import { makeRateLimits } from '../http/access/rate-limits.ts'
import type { AdministrationContext } from './administration-context.ts'
import { makeAuditRoutes, requireCaller } from './audit.ts'
import { makeReceiverRoutes } from './receivers/receiver-routes.ts'
import { makeDeliveryRoutes } from './delivery-routes.ts'
import { makeKeyRoutes } from './key-routes.ts'
import { makeRepositoryRoutes } from './repository-routes.ts'
import { type SettingsParts, makeSettingsRoutes } from './settings-routes.ts'
import { findEntry } from '../catalog/find-repository.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { Timing } from '../timing.ts'
import { makeStorageEventRoutes } from './storage-event-routes.ts'
import { takeJsonBodies } from '../http/access/take-json-bodies.ts'

type AdministrationParts = Omit<AdministrationContext, 'now' | 'v1' | 'auditLog' | 'findOwner' | 'countTest'> &
  SettingsParts & {
    readonly authenticator: Authenticator
    /** Public address of the service, ending in `/v1`; null means the host that each request names. */
    readonly baseUrl: string | null
    readonly timing: Pick<Timing, 'now' | 'elapsed'>
    readonly log: FastifyBaseLogger
  }

/** Makes the Fastify scope of administration: authentication, rate limits, checks of origins and bodies, and the routes. */
export function makeAdministrationScope(parts: AdministrationParts): FastifyPluginAsync {
  const { db, secrets, catalogs, notifier, search, authenticator, baseUrl, address, timing, log } = parts
  // Changes are logged even when the log holds only warnings.
  const auditLog = log.child({}, { level: 'info' })
  return async (scope) => {
    const { ofCaller, countTest } = makeRateLimits(timing.elapsed)
    const findOwner = makeFindOwner(catalogs)
    const shared = { db, secrets, catalogs, notifier, search, now: timing.now, v1: address.v1 }
    const context = { ...shared, auditLog, findOwner, countTest }
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.addHook('onRequest', admitAdministrators(authenticator, ofCaller))
    scope.addHook('onRequest', refuseCrossSite(baseUrl))
    takeJsonBodies(scope)
    const { repositories, storageEvents, webhooks, chats, deliveries, keys, audit, settings } = contract
    const { orgWebhooks, orgChats, orgDeliveries, orgSettings } = contract
    await register(
      scope,
      {
        repositories,
        storageEvents,
        webhooks,
        chats,
        deliveries,
        keys,
        audit,
        settings,
        orgWebhooks,
        orgChats,
        orgDeliveries,
        orgSettings,
      },
      {
        repositories: makeRepositoryRoutes(context),
        storageEvents: makeStorageEventRoutes(context),
        ...makeReceiverRoutes(context),
        ...makeDeliveryRoutes(context),
        keys: makeKeyRoutes(context),
        audit: makeAuditRoutes(context),
        ...makeSettingsRoutes(context, parts),
      },
    )
  }
}

function makeFindOwner(catalogs: AdministrationContext['catalogs']): AdministrationContext['findOwner'] {
  return async ({ params: { org, repo }, request }) => {
    if (repo !== undefined) {
      const entry = await findEntry({ catalogs }, { org, repo })
      return { org, repoId: entry.id, entry }
    }
    requireWholeOrg(requireCaller(request))
    return { org, repoId: null, entry: undefined }
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes that a page of another site makes a browser send (cross-site request forgery): the browser of an administrator would add
 * the credentials by itself. Other programs send no site, and pass.
 */
function refuseCrossSite(baseUrl: string | null): onRequestAsyncHookHandler {
  const ownOrigin = baseUrl === null ? null : new URL(baseUrl).origin
  return async (request) => {
    if (safeMethods.has(request.method) || isOwn(request, ownOrigin)) return
    throw new RequestProblem('cross-site', 'A page of another site cannot change anything here')
  }
}

/** Pages cannot set `Sec-Fetch-Site`. Old browsers send only `Origin`. */
function isOwn({ headers, host }: FastifyRequest, ownOrigin: string | null): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  return ownOrigin === null ? URL.canParse(origin) && new URL(origin).host === host : origin === ownOrigin
}
