import { rawResponse } from '../contract.ts'

/**
 * Makes a signal that aborts if the caller disconnects before it has the answer. Fastify's own signal does not abort
 * after the body of the request was read.
 */
export function makeDisconnectSignal(reply: { readonly raw: unknown }): AbortSignal {
  const raw = rawResponse(reply)
  const disconnected = new AbortController()
  if (raw.closed) disconnected.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort()
  })
  return disconnected.signal
}
