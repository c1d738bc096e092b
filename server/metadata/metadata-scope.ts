// The Fastify scope of the metadata routes.
import { contract } from '@floe/contract'
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders, type ReaderAccess } from '../http/access/access-hook.ts'
import type { EventStreams } from './events/event-streams.ts'
import { type Handlers, register } from '../http/contract.ts'
import { type ContractChecker, takeContracts } from '../http/take-contracts.ts'
import { makeQuestionHandlers } from './answering/question-routes.ts'
import { makeCatalogueRoutes } from './catalogues/catalogue-routes.ts'
import { makeStacRoutes } from './catalogues/stac-routes.ts'
import { compatibilityRoutes, makeCompatibilityRoutes } from './compatibility-routes.ts'
import { makeDiscoveryRoutes } from './discovery-routes.ts'
import { makeHistoryRoutes } from './history/history-routes.ts'
import { makeEventRoutes } from './events/event-routes.ts'
import { makeRedirectRoutes } from './redirect-routes.ts'
import { makeSearchRoutes } from './search/search-routes.ts'
import type { MetadataContext } from './metadata-context.ts'

type MetadataParts = {
  readonly context: MetadataContext
  readonly access: ReaderAccess
  readonly streams: EventStreams
  readonly readers: ContractChecker
}

/**
 * Implements the routes of the metadata by router, except for the stream of events and the contracts that callers send.
 * Those that ask questions about snapshots are beside the others of their routers.
 */
function makeMetadataRoutes(context: MetadataContext): Readonly<Record<string, object>> {
  const others: Readonly<Record<string, object>> = {
    ...makeRedirectRoutes(context),
    discovery: makeDiscoveryRoutes(context),
    history: makeHistoryRoutes(context),
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
export function makeMetadataScope({ context, access, streams, readers }: MetadataParts): FastifyPluginAsync {
  const { discovery, datasets, citation, history, diff, completeness, search, stac, catalogues, events } = contract
  const { check: _check, ...compatibility } = contract.compatibility
  const routers = {
    ...{ discovery, datasets, citation, history, diff, completeness, search, stac, catalogues },
    compatibility,
  }
  return async (scope) => {
    scope.addHook('onRequest', admitReaders(access))
    // The handlers of questions answer with the bodies of their declarations: `ContractAnswerers` demands it.
    await register(scope, routers, makeMetadataRoutes(context) as Handlers<typeof routers>)
    await register(scope, { events }, { events: makeEventRoutes(context, streams) })
    await scope.register(async (posting) => {
      takeContracts(posting, readers)
      await register(posting, compatibilityRoutes, makeCompatibilityRoutes(context))
    })
  }
}
