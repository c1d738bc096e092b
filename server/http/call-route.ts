// Calls the implementation of a route of the contract without HTTP, for callers who ask in another way.
import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'

/** A call of a route, already checked against the contract and against what the caller may do. */
export type RouteCall = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The caller's key; null on a public deployment. */
  readonly apiKey: ApiKey | null
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A JSON body, and the headers that HTTP would send with it. */
export type RouteAnswer = { readonly body: Buffer; readonly headers: ReadonlyMap<string, string> }

type Implementation = (call: object) => Promise<{ readonly status: number; readonly body: unknown }>

/**
 * Answers a call with JSON. The implementation throws what it throws for HTTP.
 *
 * @param routers implementations of routes by the name of their router
 * @param id router and route, such as `discovery.refs`
 * @throws TypeError when there is no such implementation, or it answers otherwise than with bytes and 200
 */
export async function callRoute(
  routers: Readonly<Record<string, object>>,
  id: string,
  { params, query, apiKey, signal }: RouteCall,
): Promise<RouteAnswer> {
  const [router = '', name = ''] = id.split('.')
  // The implementations differ in the types of what they are called with, which the contract's schemas have checked.
  const route = Object(routers[router])[name] as Implementation | undefined
  if (route === undefined) throw new TypeError(`${id} is not implemented`)
  const headers = new Map<string, string>()
  const raw = { headers: { accept: mediaTypes.json } } as IncomingMessage // nothing else of it is read
  const request = { params, query, headers: raw.headers, raw, apiKey, signal }
  const reply = {
    getHeader: (header: string) => headers.get(header),
    header(header: string, value: string) {
      headers.set(header, value)
      return reply
    },
  }
  const { status, body } = await route({ params, query, headers: raw.headers, request, reply })
  if (status !== 200) throw new TypeError(`${id} answers ${status} to a plain request`)
  if (!(body instanceof Buffer)) throw new TypeError(`${id} answers otherwise than with bytes`)
  return { body, headers }
}
