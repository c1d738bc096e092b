import { contract } from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { describeCaller } from '../../http/access/rate-limits.ts'
import type { EventStreams } from './event-streams.ts'
import { allowLongResponse } from '../../http/connections/limit-connections.ts'
import { implement, rawResponse } from '../../http/contract.ts'
import { findServedRepository, requireServedCatalog } from '../../catalog/served-catalog.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** Implements `contract.events`. */
export function makeEventRoutes(context: MetadataContext, streams: EventStreams) {
  return implement(contract.events, {
    stream: async ({ params, query: { repo, after, ...query }, headers, request, reply }) => {
      const { apiKey: key } = request
      requireRepoAccess(key, repo)
      if (repo !== undefined) await findServedRepository(context, { ...params, repo })
      // A browser reconnects to the same address and adds the header.
      const position = headers['last-event-id'] ?? after
      reply.header('cache-control', 'no-store, no-transform')
      // Without this header, nginx buffers the answer.
      reply.header('x-accel-buffering', 'no')
      if (request.method === 'HEAD') return { status: 200, body: '' }
      const response = rawResponse(reply)
      const { events, branches, kinds, compatibility } = defaultFilter
      const filter = {
        ...defaultFilter,
        events: query.events ?? events,
        branches: query.branches ?? branches,
        kinds: query.kinds ?? kinds,
        compatibility: query.compatibility ?? compatibility,
      }
      const served = requireServedCatalog(context, params)
      const caller = describeCaller(params.org, request)
      const scope = { ...params, key, served, repo, filter, caller, response }
      const body = await streams.open(scope, position)
      allowLongResponse(response)
      // The connection is not reused, because an idle connection would delay the stop of the service.
      reply.header('connection', 'close')
      if (request.signal.aborted) body.destroy()
      return { status: 200, body }
    },
  })
}
