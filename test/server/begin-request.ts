import { once } from 'node:events'
import { request } from 'node:http'

/** A request that the service works on. */
export type BegunRequest = {
  /** The status of its answer; undefined when the connection ends before it. */
  readonly status: Promise<number | undefined>
}

/** Sends a request, and resolves when the service has begun to work on it, so that a stop has to wait for it. */
export async function beginRequest(url: string): Promise<BegunRequest> {
  const { promise: status, resolve } = Promise.withResolvers<number | undefined>()
  // The service says with 100 that it has read the request.
  const sent = request(url, { agent: false, headers: { expect: '100-continue' } })
  sent.on('error', () => resolve(undefined))
  sent.on('response', (response) => {
    response.resume().on('error', () => {})
    response.on('close', () => resolve(response.complete ? response.statusCode : undefined))
  })
  sent.end()
  await once(sent, 'continue')
  return { status }
}
