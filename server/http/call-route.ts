// Calls a route of the contract without HTTP, for agents.
import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'

/** A call of a route, already checked against the contract and the caller's permissions. */
export type RouteCall = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The caller's key; null on a public deployment. */
  readonly apiKey: ApiKey | null
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
}

/** A JSON body, and the headers that HTTP would send with it. */
export type RouteAnswer = { readonly body: Buffer; readonly headers: ReadonlyMap<string, string> }

type Implementation = (call: object) => Promise<{ readonly status: number; readonly body: unknown }>

/**
 * Answers a call with JSON. Throws what the route throws for HTTP.
 *
 * @param routers implementations of routes by the name of their router
 * @param id router and route, such as `discovery.refs`
 * @throws TypeError when the route does not exist, or answers with anything but 200 and bytes
 */
export async function callRoute(
  routers: Readonly<Record<string, object>>,
  id: string,
  { params, query, apiKey, signal }: RouteCall,
): Promise<RouteAnswer> {
  const [router = '', name = ''] = id.split('.')
  // The implementations take different types of parameters, which the contract's schemas have checked.
  const route = Object(routers[router])[name] as Implementation | undefined
  if (route === undefined) throw new TypeError(`${id} is not implemented`)
  const headers = new Map<string, string>()
  const raw = { headers: { accept: mediaTypes.json } } as IncomingMessage // routes read nothing else of it
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
