// Reads a route of the contract: its address, its answer, and the check that the answer is what the contract says.
import {
  type AppRouteQuery,
  type ClientInferResponseBody,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
  isStandardSchema,
} from '@ts-rest/core'
import { ContractViolationError, UnexpectedResponseError } from './errors.ts'
import { toProblemErrors } from './problem-errors.ts'
import type { Transport } from './transport.ts'
import { type PathNames, routeAddress } from './url.ts'

/** What every method takes last. */
export type CallOptions = {
  /** Ends the call, retries included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The body of a route's success. */
type Answer<Route extends AppRouteQuery> = ClientInferResponseBody<Route, 200>

/** What a call adds to its route. */
type RouteCall = CallOptions & { readonly names?: PathNames; readonly query?: PathNames }

/** Where a client's routes lie. */
type RouteBase = {
  /** Address below which the contract's paths lie, without a trailing slash. */
  readonly root: string
  /** Names that stand in every address. */
  readonly names: PathNames
}

/** Makes the function that gets routes. */
export function routeReader(transport: Transport, { root, names }: RouteBase) {
  return async <Route extends AppRouteQuery>(route: Route, call: RouteCall = {}): Promise<Answer<Route>> => {
    const url = routeAddress(root, route.path, { ...names, ...call.names }, call.query)
    const { mediaType, schema } = successOf(route)
    // A page comes in one type only. JSON stands first for it too, so that a problem does not come as a page as well.
    const accept = mediaType === 'application/json' ? mediaType : `application/json, ${mediaType};q=0.9`
    const response = await transport(url, { accept, signal: call.signal })
    const body = await readBody(response, mediaType, url.href)
    const { issues } = await schema['~standard'].validate(body)
    if (issues) throw new ContractViolationError(url.href, toProblemErrors(issues))
    // The schema of this route's success has just passed it. The body itself is given, not the schema's copy, which lacks
    // an attribute called `__proto__` and whatever members a newer service adds.
    return body as Answer<Route>
  }
}

function successOf(route: AppRouteQuery) {
  const success = route.responses[200]
  if (success === undefined || isAppRouteNoBody(success)) throw new TypeError(`${route.path} answers without a body`)
  const [contentType, schema] = isAppRouteOtherResponse(success)
    ? [success.contentType, success.body]
    : ['application/json', success]
  if (!isStandardSchema(schema)) throw new TypeError(`${route.path} answers without a schema`)
  return { mediaType: mediaTypeOf(contentType), schema }
}

async function readBody(response: Response, mediaType: string, url: string): Promise<unknown> {
  const { status, headers } = response
  const body = await response.text()
  const received = mediaTypeOf(headers.get('content-type') ?? 'no type')
  if (status !== 200 || received !== mediaType) {
    throw new UnexpectedResponseError(url, { status, reason: `${received} instead of ${mediaType}`, body })
  }
  if (mediaType !== 'application/json') return body
  try {
    return JSON.parse(body)
  } catch {
    throw new UnexpectedResponseError(url, { status, reason: 'the body is not JSON', body })
  }
}

/** A content type without its parameters, such as the charset. */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}
