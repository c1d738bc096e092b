import { rawResponse } from './contract.ts'

/**
 * Makes a signal that aborts when the caller leaves before the answer is sent. Fastify's own signal does not abort any more once the body of
 * the request has been read.
 */
export function makeLeavingSignal(reply: { readonly raw: unknown }): AbortSignal {
  const raw = rawResponse(reply)
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
