import { contract, type McpAnswer } from '@floe/contract'
import { parseJsonObject, writeBody, type Written } from '@floe/storage/json'
import { implement, rawResponse } from '../../http/contract.ts'
import { MessageRefusal } from './message-refusal.ts'
import type { ToolParts } from './call-tool.ts'

/** Implements `contract.mcp`. The library of the protocol is loaded with the first message, because most services never get one. */
export function makeAgentRoutes(parts: ToolParts) {
  return implement(contract.mcp, {
    send: async ({ params: { deployment, org }, body: message, request, reply }) => {
      const signal = makeLeavingSignal(reply)
      const { answerMessage, makeMcpServer } = await import('./protocol.ts')
      const { apiKey } = request
      const findCaller = (cancelled: AbortSignal) => ({
        deployment,
        org,
        apiKey,
        signal: AbortSignal.any([signal, cancelled]),
      })
      const { status, body } = await answerMessage({ headers: request.headers, body: message, signal }, () =>
        makeMcpServer(parts, findCaller),
      )
      reply.header('cache-control', 'no-store')
      if (body === undefined) return { status: 202, body }
      if (status !== 200) throw new MessageRefusal(status, writeAnswer(body))
      return { status, body: writeAnswer(body) }
    },
  })
}

/** The library writes its answers as text. */
function writeAnswer(text: string): Written<McpAnswer> {
  return writeBody<McpAnswer>(parseJsonObject(text))
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
