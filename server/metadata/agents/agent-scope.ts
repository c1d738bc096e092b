// The Fastify scope of the MCP endpoint.
import { contentTypes, contract, type McpAnswer } from '@floe/contract'
import { parseJsonObject, writeBody, type JsonBytes } from '@floe/storage/json'
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders, type ReaderAccess } from '../../http/access/access-hook.ts'
import { takeJsonBodies } from '../../http/take-json-bodies.ts'
import type { FaultLog } from '../../observation/fault-log.ts'
import { implement, register } from '../../http/contract.ts'
import { makeDisconnectSignal } from '../../http/connections/disconnect-signal.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { makeAgentRouters } from '../metadata-scope.ts'
import type { ToolParts } from './call-tool.ts'
import { type AllowedOrigins, refuseForeignOrigins } from './refuse-foreign-origins.ts'

export function makeAgentScope({
  context,
  access,
  origins,
  faults,
}: {
  readonly context: MetadataContext
  /** Messages count like other requests for metadata. */
  readonly access: ReaderAccess
  readonly origins: AllowedOrigins
  readonly faults: Pick<FaultLog, 'note'>
}): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRequest', refuseForeignOrigins(origins))
    scope.addHook('onRequest', admitReaders(access))
    takeJsonBodies(scope)
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof MessageRefusal)) throw error
      return reply.status(error.status).type(contentTypes.json).send(error.answer)
    })
    await register(
      scope,
      contract.mcp,
      makeAgentRoutes({ routers: makeAgentRouters(context), faults, baseUrl: context.baseUrl }),
    )
  }
}

/**
 * Implements `contract.mcp`. Loads the protocol's library with the first message, because most services never get one.
 */
function makeAgentRoutes(parts: ToolParts) {
  return implement(contract.mcp, {
    send: async ({ params: { deployment, org }, body: message, request, reply }) => {
      const { caller, ip, headers, id: requestId } = request
      const disconnected = makeDisconnectSignal(reply)
      const { answerMessage, makeMcpServer } = await import('./protocol.ts')
      const { status, text } = await answerMessage({ headers, body: message, signal: disconnected }, () =>
        makeMcpServer(parts, (cancelled) => {
          return { deployment, org, caller, ip, requestId, signal: AbortSignal.any([disconnected, cancelled]) }
        }),
      )
      reply.header('cache-control', 'no-store')
      if (text === '') return { status: 202, body: undefined }
      const body = writeBody<McpAnswer>(parseJsonObject(text))
      if (status !== 200) throw new MessageRefusal(status, body)
      return { status, body }
    },
  })
}

/** The protocol refuses a message. The answer is a JSON-RPC error, because agents do not read problem documents. */
class MessageRefusal extends Error {
  override name = 'MessageRefusal'
  readonly status: number
  readonly answer: JsonBytes<McpAnswer>

  constructor(status: number, answer: JsonBytes<McpAnswer>) {
    super(`the message was refused with status ${status}`)
    this.status = status
    this.answer = answer
  }
}
