import { once } from 'node:events'
import { request } from 'node:http'
import type { Test } from 'tap'
import { basic, type ServerOptions, startServer } from '../../start-server.ts'
import { countHandled } from './count-handled.ts'

/** How long a server of these tests caches a ref, in milliseconds. */
export const refMaxAge = 60_000
/** Below the address of the metadata routes. */
export const info = 'datasets/weather/main/forecast/info'

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }

/** Sends a request as it stands: `fetch` would add headers, and decompress. */
export async function send(method: string, address: string, headers: Record<string, string>): Promise<Answer> {
  const sent = request(address, { method, headers }).end()
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = await response.toArray()
  const { date: _, ...others } = response.headers
  return { status: response.statusCode, headers: others, body: Buffer.concat(chunks).toString('latin1') }
}

/** A server whose clock stands still unless the test sets it, so that refs and keys stay cached. */
export async function startCaching(t: Test, options: ServerOptions = {}) {
  const clock = { ms: Date.now() }
  const server = await startServer(t, { refMaxAge, now: () => clock.ms, ...options })
  const handled = countHandled(t)
  const ask = (path: string, key: string | null = server.apiKey, headers: Record<string, string> = {}) => {
    const authorization = key === null ? {} : { authorization: basic('acme', key) }
    return send('GET', path.startsWith('http') ? path : `${server.meta}/${path}`, { ...authorization, ...headers })
  }
  /** Asks twice and returns the second answer, which must be a cached one. */
  const askAgain = async (...question: Parameters<typeof ask>) => {
    await ask(...question)
    const before = handled()
    const answer = await ask(...question)
    t.equal(handled(), before, `${question[0]} is cached`)
    return answer
  }
  return { server, clock, handled, ask, askAgain }
}
