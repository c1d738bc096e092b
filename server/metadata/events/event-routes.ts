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

type EventRequest = Pick<FastifyRequest, 'caller'> & Parameters<typeof describeCaller>[1]

type SelectingName = 'events' | 'branches' | 'kinds' | 'checks' | 'states' | 'compatibility'

/** Which events a request asks for. */
type EventQuery = { readonly repo?: string | undefined } & {
  readonly [Name in SelectingName]?: EventFilter[Name] | undefined
}

/** Implements `contract.events`. */
export function makeEventRoutes(context: MetadataContext, streams: EventStreams) {
  /** Says which events a caller gets. */
  const findScope = async (params: DeploymentNames, query: EventQuery, request: EventRequest): Promise<EventScope> => {
    const { caller: reader } = request
    const { repo } = query
    requireRepoAccess(reader, repo)
    if (repo !== undefined) await findServedRepository(context, { ...params, repo })
    return {
      ...params,
      reader,
      served: requireServedCatalog(context, params),
      repo,
      filter: {
        ...defaultFilter,
        events: query.events ?? defaultFilter.events,
        branches: query.branches ?? defaultFilter.branches,
        kinds: query.kinds ?? null,
        checks: query.checks ?? null,
        states: query.states ?? null,
        compatibility: query.compatibility ?? defaultFilter.compatibility,
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
