import type { ServerResponse } from 'node:http'

/**
 * Makes a signal that aborts when the caller leaves before the answer is sent. Fastify's own signal does not abort any more once the body of
 * the request has been read.
 */
export function makeLeavingSignal(reply: { readonly raw: unknown }): AbortSignal {
  const raw = reply.raw as ServerResponse // ts-rest has the types of Fastify's reply in another order.
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
