import { contentTypes, contract } from '@floe/contract'
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
      const { apiKey } = request
      const findCaller = (cancelled: AbortSignal) => ({
        deployment,
        org,
        apiKey,
        signal: AbortSignal.any([signal, cancelled]),
      })
      const { status, body } = await answerMessage({ headers: request.headers, body: message, signal }, () =>
        makeMcpServer({ ...parts, onFault }, findCaller),
      )
      reply.header('cache-control', 'no-store')
      if (body === undefined) return { status: 202, body }
      // By its status, ts-rest would take a refusal for a problem and give it the content type of one; a response keeps its own.
      const headers = { 'content-type': contentTypes.json }
      return { status: 200, body: passBody(new Response(body, { status: requireKnown(status), headers })) }
    },
  })
}

/** @throws TypeError when the library answers with a status that the contract does not have */
function requireKnown(status: number): number {
  if (status === 200 || status === 400 || status === 404) return status
  throw new TypeError(`a message is answered with status ${status}`)
}
