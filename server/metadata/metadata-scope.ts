// The Fastify scope of the metadata routes.
import { contract, listRoutes } from '@floe/contract'
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders, type ReaderAccess } from '../http/access/access-hook.ts'
import type { EventStreams } from './events/event-streams.ts'
import { type Handlers, register } from '../http/contract.ts'
import { type ContractChecker, takeContracts } from '../http/take-contracts.ts'
import { makeQuestionHandlers } from './answering/question-routes.ts'
import { makeCheckListRoute } from './checks/list-route.ts'
import { makeCatalogueRoutes } from './catalogues/catalogue-routes.ts'
import { makeRemarkListRoute } from './remarks/list-route.ts'
import { makeStacRoutes } from './catalogues/stac-routes.ts'
import { compatibilityRoutes, makeCompatibilityRoutes } from './compatibility-routes.ts'
import { makeDiscoveryRoutes } from './discovery-routes.ts'
import { makeGoodRoute } from './good/good-route.ts'
import { makeHistoryRoutes } from './history/history-routes.ts'
import { makeEventRoutes } from './events/event-routes.ts'
import { makeRedirectRoutes } from './redirect-routes.ts'
import { makeSearchRoutes } from './search-routes.ts'
import type { MetadataContext } from './metadata-context.ts'

/**
 * Implements the routes of the metadata by router, except for the stream of events and the contracts that callers send.
 * Routes that ask questions about snapshots are beside the others of their routers.
 */
function makeMetadataRoutes(context: MetadataContext): Readonly<Record<string, object>> {
  const others: Readonly<Record<string, object>> = {
    ...makeRedirectRoutes(context),
    discovery: makeDiscoveryRoutes(context),
    history: makeHistoryRoutes(context),
    checks: makeCheckListRoute(context),
    good: makeGoodRoute(context),
    datasetRemarks: makeRemarkListRoute(context),
    search: makeSearchRoutes(context),
    stac: makeStacRoutes(context),
    catalogues: makeCatalogueRoutes(context),
  }
  const asking = Object.entries(makeQuestionHandlers(context))
  return { ...others, ...Object.fromEntries(asking.map(([name, routes]) => [name, { ...others[name], ...routes }])) }
}

/** Implements the routes that agents can call. Those of search need an index. */
export function makeAgentRouters(context: MetadataContext): Readonly<Record<string, object>> {
  const { search = {}, ...others } = makeMetadataRoutes(context)
  return context.search.enabled ? { search, ...others } : others
}

/** Makes the scope of discovery, datasets, history, changes, search and events. */
export function makeMetadataScope({
  context,
  access,
  streams,
  readers,
}: {
  readonly context: MetadataContext
  readonly access: ReaderAccess
  readonly streams: EventStreams
  readonly readers: ContractChecker
}): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRequest', admitReaders(access))
    const handlers = makeMetadataRoutes(context)
    // Each handler is checked against its route where it is made: by `implement`, or by `ContractAnswerers`.
    await register(scope, pickRoutes(handlers), handlers as Handlers<ReturnType<typeof pickRoutes>>)
    await register(scope, { events: contract.events }, { events: makeEventRoutes(context, streams) })
    await scope.register(async (posting) => {
      takeContracts(posting, readers)
      await register(posting, compatibilityRoutes, makeCompatibilityRoutes(context))
    })
  }
}

/** Picks the routes of the contract that have handlers. */
function pickRoutes(handlers: Readonly<Record<string, object>>) {
  const routes = [...listRoutes(contract)]
  const routers: Record<string, Record<string, (typeof routes)[number][1]>> = {}
  for (const [id, route] of routes) {
    const [router = '', name = ''] = id.split('.')
    if (Object.hasOwn(handlers[router] ?? {}, name)) (routers[router] ??= {})[name] = route
  }
  return routers
}
