// The Fastify scope of administration: authentication, rate limits, checks of origins and bodies, and the routes.
import { contract } from '@floe/contract'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { admitAdministrators, requireCaller, requireWholeOrg } from '../http/access/access-hook.ts'
import type { Authenticator } from '../http/access/authenticate.ts'
import { makeRateLimits, type RateLimits } from '../http/access/rate-limits.ts'
import { register } from '../http/contract.ts'
import { type ContractChecker, takeContracts } from '../http/take-contracts.ts'
import { refuseCrossSite } from '../http/access/refuse-cross-site.ts'
import { takeJsonBodies } from '../http/take-json-bodies.ts'
import { findEntry } from '../catalog/find-repository.ts'
import type { Timing } from '../timing.ts'
import type { AdministrationContext } from './administration-context.ts'
import { makeAuditRoutes } from './audit.ts'
import { makeDeliveryRoutes } from './delivery-routes.ts'
import { expectationRoutes, makeExpectationRoutes } from './expectations/expectation-routes.ts'
import { makeKeyRoutes } from './key-routes.ts'
import { makeReceiverRoutes } from './receivers/receiver-routes.ts'
import { makeRemarkRoutes } from './remark-routes.ts'
import { makeRepositoryRoutes } from './repository-routes.ts'
import { makeSessionRoutes } from './session-routes.ts'
import { makeSettingsRoutes, type SettingsParts } from './settings/settings-routes.ts'
import { makeStorageEventRoutes } from './storage-event-routes.ts'

/** What the scope needs from the service. */
type AdministrationParts = Pick<AdministrationContext, 'db' | 'secrets' | 'catalogs' | 'notifier' | 'search'> &
  SettingsParts & {
    readonly authenticator: Authenticator
    /** Public address of the service, ending in `/v1`; null means the host that each request names. */
    readonly baseUrl: string | null
    readonly timing: Pick<Timing, 'now' | 'elapsed'>
    readonly log: FastifyBaseLogger
    readonly readers: ContractChecker
    /** Requests that a caller may send in a minute; default 3,000. */
    readonly requestsPerMinute: number | undefined
  }

/** The routers of the contract that administrators use, besides those of expectations. */
const routers = {
  repositories: contract.repositories,
  storageEvents: contract.storageEvents,
  remarks: contract.remarks,
  receivers: contract.receivers,
  deliveries: contract.deliveries,
  keys: contract.keys,
  sessions: contract.sessions,
  audit: contract.audit,
  settings: contract.settings,
  orgReceivers: contract.orgReceivers,
  orgDeliveries: contract.orgDeliveries,
  orgSettings: contract.orgSettings,
}

export function makeAdministrationScope(parts: AdministrationParts): FastifyPluginAsync {
  return async (scope) => {
    const limits = makeRateLimits(parts.timing.elapsed, parts.requestsPerMinute)
    const context = makeContext(parts, limits)
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.addHook('onRequest', admitAdministrators(parts.authenticator, limits.ofCaller))
    scope.addHook('onRequest', refuseCrossSite(parts.baseUrl))
    takeJsonBodies(scope)
    await register(scope, routers, {
      repositories: makeRepositoryRoutes(context),
      storageEvents: makeStorageEventRoutes(context),
      remarks: makeRemarkRoutes(context),
      ...makeReceiverRoutes(context),
      ...makeDeliveryRoutes(context),
      keys: makeKeyRoutes(context),
      sessions: makeSessionRoutes(context),
      audit: makeAuditRoutes(context),
      ...makeSettingsRoutes(context, parts),
    })
    await scope.register(async (posting) => {
      takeContracts(posting, parts.readers, 'contract')
      await register(posting, expectationRoutes, makeExpectationRoutes(context))
    })
  }
}

function makeContext(parts: AdministrationParts, { countTest }: RateLimits): AdministrationContext {
  const { db, secrets, catalogs, notifier, search, address, timing, log } = parts
  return {
    db,
    secrets,
    catalogs,
    notifier,
    search,
    now: timing.now,
    v1: address.v1,
    // Changes are logged even if the log has only warnings.
    auditLog: log.child({}, { level: 'info' }),
    findOwner: async ({ params: { org, repo }, request }) => {
      if (repo !== undefined) {
        const entry = await findEntry({ catalogs }, { org, repo })
        return { org, repoId: entry.id, entry }
      }
      requireWholeOrg(requireCaller(request))
      return { org, repoId: null, entry: undefined }
    },
    countTest,
  }
}
