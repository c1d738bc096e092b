// The Fastify scope of the metadata routes.
import { contract } from '@floe/contract'
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders, type ReaderAccess } from '../http/access/access-hook.ts'
import type { EventStreams } from './events/event-streams.ts'
import { register } from '../http/contract.ts'
import { type ContractChecker, takeContracts } from '../http/take-contracts.ts'
import { makeCatalogueRoutes } from './catalogues/catalogue-routes.ts'
import { makeStacRoutes } from './catalogues/stac-routes.ts'
import { compatibilityRoutes, makeCompatibilityRoutes } from './compatibility-routes.ts'
import { makeCompletenessRoutes } from './completeness-routes.ts'
import { makeDatasetRoutes } from './dataset-routes.ts'
import { makeCitationRoutes } from './citation-routes.ts'
import { makeDiffRoutes } from './diff-routes.ts'
import { makeDiscoveryRoutes } from './discovery-routes.ts'
import { makeHistoryRoutes } from './history/history-routes.ts'
import { makeEventRoutes } from './events/event-routes.ts'
import { makeSearchRoutes } from './search/search-routes.ts'
import type { MetadataContext } from './metadata-context.ts'

type MetadataParts = {
  readonly context: MetadataContext
  readonly access: ReaderAccess
  readonly streams: EventStreams
  readonly readers: ContractChecker
}

/** Implements the routes of the metadata except for the stream of events. */
function makeMetadataRoutes(context: MetadataContext) {
  return {
    discovery: makeDiscoveryRoutes(context),
    datasets: makeDatasetRoutes(context),
    history: makeHistoryRoutes(context),
    diff: makeDiffRoutes(context),
    citation: makeCitationRoutes(context),
    compatibility: makeCompatibilityRoutes(context),
    completeness: makeCompletenessRoutes(context),
    search: makeSearchRoutes(context),
    stac: makeStacRoutes(context),
    catalogues: makeCatalogueRoutes(context),
  }
}

/** Implements the routes that agents can call. Those of search need an index. */
export function makeAgentRouters(context: MetadataContext): Readonly<Record<string, object>> {
  const { search, ...others } = makeMetadataRoutes(context)
  return context.search.enabled ? { search, ...others } : others
}

/** Makes the scope of discovery, datasets, history, changes, search and events. */
export function makeMetadataScope({ context, access, streams, readers }: MetadataParts): FastifyPluginAsync {
  const { discovery, datasets, citation, history, diff, completeness, search, stac, catalogues, events } = contract
  return async (scope) => {
    scope.addHook('onRequest', admitReaders(access))
    const { compatibility, ...routes } = makeMetadataRoutes(context)
    await register(
      scope,
      { discovery, datasets, citation, history, diff, completeness, search, stac, catalogues, events },
      { ...routes, events: makeEventRoutes(context, streams) },
    )
    await scope.register(async (posting) => {
      takeContracts(posting, readers)
      await register(posting, compatibilityRoutes, compatibility)
    })
  }
}
