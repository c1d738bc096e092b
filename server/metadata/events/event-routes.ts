import { contract } from '@floe/contract'
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import type { FastifyRequest } from 'fastify'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { describeCaller } from '../../http/access/rate-limits.ts'
import { writeEventPage } from './event-page.ts'
import type { EventScope } from './event-scope.ts'
import type { EventStreams } from './event-streams.ts'
import { allowLongResponse } from '../../http/connections/limit-connections.ts'
import { implement, rawResponse } from '../../http/contract.ts'
import { type DeploymentNames, findServedRepository, requireServedCatalog } from '../../catalog/served-catalog.ts'
import { setCacheHeaders } from '../../http/representation/cache-control.ts'
import type { MetadataContext } from '../metadata-context.ts'

type EventRequest = Pick<FastifyRequest, 'apiKey'> & Parameters<typeof describeCaller>[1]

/** Which events a request asks for. */
type EventQuery = { readonly repo?: string | undefined } & {
  readonly [Name in 'events' | 'branches' | 'kinds' | 'compatibility']?: EventFilter[Name] | undefined
}

/** Implements `contract.events`. */
export function makeEventRoutes(context: MetadataContext, streams: EventStreams) {
  /** Says which events a caller gets. */
  const findScope = async (params: DeploymentNames, query: EventQuery, request: EventRequest): Promise<EventScope> => {
    const { apiKey: key } = request
    const { repo } = query
    requireRepoAccess(key, repo)
    if (repo !== undefined) await findServedRepository(context, { ...params, repo })
    const { events, branches, kinds, compatibility } = defaultFilter
    return {
      ...params,
      key,
      served: requireServedCatalog(context, params),
      repo,
      filter: {
        ...defaultFilter,
        events: query.events ?? events,
        branches: query.branches ?? branches,
        kinds: query.kinds ?? kinds,
        compatibility: query.compatibility ?? compatibility,
      },
      caller: describeCaller(params.org, request),
    }
  }
  return implement(contract.events, {
    page: async ({ params, query, request, reply }) => {
      const scope = await findScope(params, query, request)
      setCacheHeaders(reply, 'no-store')
      return { status: 200, body: await writeEventPage({ db: context.db, streams }, scope, query, request.signal) }
    },
    stream: async ({ params, query, headers, request, reply }) => {
      const scope = await findScope(params, query, request)
      // A browser reconnects to the same address and adds the header.
      const position = headers['last-event-id'] ?? query.after
      reply.header('cache-control', 'no-store, no-transform')
      // Without this header, nginx buffers the answer.
      reply.header('x-accel-buffering', 'no')
      if (request.method === 'HEAD') return { status: 200, body: '' }
      const response = rawResponse(reply)
      const body = await streams.open({ ...scope, response }, position)
      allowLongResponse(response)
      // The connection is not reused, because an idle connection would delay the stop of the service.
      reply.header('connection', 'close')
      if (request.signal.aborted) body.destroy()
      return { status: 200, body }
    },
  })
}
