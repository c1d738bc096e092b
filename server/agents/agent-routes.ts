import { contract } from '@floe/contract'
import { implement, passBody, rawResponse } from '../http/contract.ts'
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
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return { status: 200, body: passBody(new Response(body, { status: requireKnown(status), headers })) }
    },
  })
}

/** @throws TypeError when the library answers with a status that the contract does not have */
function requireKnown(status: number): number {
  if (status === 200 || status === 400 || status === 404) return status
  throw new TypeError(`a message is answered with status ${status}`)
}

/**
 * Makes a signal that aborts when the caller leaves before the answer is sent. Fastify's own signal does not abort any more once the body of
 * the request has been read.
 */
function makeLeavingSignal(reply: { readonly raw: unknown }): AbortSignal {
  const raw = rawResponse(reply)
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
