import { contract } from '@floe/contract'
import { implement, passBody } from '../http/contract.ts'
import { makeLeavingSignal } from '../http/make-leaving-signal.ts'
import type { ToolParts } from './call-tool.ts'

/** Implements `contract.mcp`. The library of the protocol is loaded with the first message, because most services never get one. */
export function makeAgentRoutes(parts: Omit<ToolParts, 'onFault'>) {
  return implement(contract.mcp, {
    send: async ({ params: { deployment, org }, body: message, request, reply }) => {
      const signal = makeLeavingSignal(reply)
      const { answerMessage, makeMcpServer } = await import('./protocol.ts')
      const onFault = (err: unknown) => request.log.error({ err }, 'a tool of agents failed')
      const { headers, apiKey } = request
      const findCaller = (cancelled: AbortSignal) => ({
        deployment,
        org,
        apiKey,
        signal: AbortSignal.any([signal, cancelled]),
      })
      const { status, body } = await answerMessage({ headers, body: message, signal }, () =>
        makeMcpServer({ ...parts, onFault }, findCaller),
      )
      reply.header('cache-control', 'no-store')
      if (body === undefined) return { status: 202, body }
      reply.header('content-type', 'application/json; charset=utf-8')
      return { status: toKnownStatus(status), body: passBody(body) }
    },
  })
}

/**
 * Finds a status in the contract. The type names one of them, because ts-rest wants each with its own body.
 *
 * @throws TypeError when the library answers with a status that it has no reason for
 */
function toKnownStatus(status: number): 200 {
  if (status === 200 || status === 400 || status === 404) return status as 200
  throw new TypeError(`a message is answered with status ${status}`)
}
