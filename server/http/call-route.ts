// Calls a route of the contract without HTTP, for agents.
import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@floe/contract'
import type { Caller } from './access/caller.ts'

/** A call of a route, already checked against the contract and the caller's permissions. */
export type RouteCall = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Null on a public deployment. */
  readonly caller: Caller | null
  /** The address of the caller. */
  readonly ip: string
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/** The JSON body and the headers that a route would send over HTTP. */
export type RouteAnswer = { readonly body: Buffer; readonly headers: ReadonlyMap<string, string> }

type Implementation = (call: object) => Promise<{ readonly status: number; readonly body: unknown }>

/**
 * Calls a route and returns its JSON. Throws the errors that the route throws.
 *
 * @param routers the implementations of routes, by the name of their router
 * @param id router and route, such as `discovery.refs`
 * @throws TypeError if the route does not exist, or does not return status 200 and a Buffer
 */
export async function callRoute(
  routers: Readonly<Record<string, object>>,
  id: string,
  { params, query, caller, ip, signal }: RouteCall,
): Promise<RouteAnswer> {
  const [router = '', name = ''] = id.split('.')
  // The implementations take different types of parameters, which the contract's schemas have checked.
  const route = Object(routers[router])[name] as Implementation | undefined
  if (route === undefined) throw new TypeError(`${id} is not implemented`)
  const headers = new Map<string, string>()
  const raw = { headers: { accept: mediaTypes.json } } as IncomingMessage // routes read only the headers
  const request = { params, query, headers: raw.headers, raw, caller, ip, signal }
  const reply = {
    getHeader: (header: string) => headers.get(header),
    header(header: string, value: string) {
      headers.set(header, value)
      return reply
    },
  }
  const { status, body } = await route({ params, query, headers: raw.headers, request, reply })
  if (status !== 200) throw new TypeError(`${id} returned status ${status}`)
  if (!(body instanceof Buffer)) throw new TypeError(`${id} returned a body that is not a Buffer`)
  return { body, headers }
}
