// Calls routes of the contract: makes the address, sends the request, and checks the answer against the contract.
import { snapshotHeader } from '@floe/contract'
import {
  type AppRoute,
  type ClientInferRequest,
  type ClientInferResponseBody,
  isAppRouteNoBody,
  isAppRouteOtherResponse,
  isStandardSchema,
} from '@ts-rest/core'
import type { Connection } from './connection.ts'
import { ContractViolationError, UnexpectedResponseError } from './errors.ts'
import { toProblemErrors } from './problem-errors.ts'
import { type PathNames, formatAddress } from './url.ts'

/** Options of every method. */
export type CallOptions = {
  /** Aborts the call and its retries. The method then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of methods that change something. */
export type ChangeOptions = CallOptions & {
  /** ETag of the version to change. Default: the current version, whatever it is. */
  readonly ifMatch?: string | undefined
}

/** A value that was read or changed, with its version. */
export type Versioned<Value> = {
  readonly value: Value
  /** A change with this as `ifMatch` is refused when the version is no longer current. Undefined when a proxy removed the header. */
  readonly etag: string | undefined
}

/** Options of methods that read a version. */
export type VersionedOptions = CallOptions & {
  /** `etag` of an earlier answer. While it is current, the value is not sent again. */
  readonly ifNoneMatch?: string | undefined
}

/** A view of a snapshot; `isModified: false` when it has not changed since `ifNoneMatch`. */
export type VersionedView<Value> = {
  /** Id of the snapshot that the ref names. */
  readonly snapshotId: string
  /** A call with this as `ifNoneMatch` gets the value only when it has changed. Undefined when a proxy removed the header. */
  readonly etag: string | undefined
} & ({ readonly isModified: true; readonly value: Value } | { readonly isModified: false })

/** The parts of a request that its route does not fix. */
type RouteCall<Route extends AppRoute> = ChangeOptions & {
  readonly names?: PathNames
  readonly query?: PathNames
  readonly body?: ClientInferRequest<Route> extends { readonly body?: infer Body } ? Body : undefined
}

type ConditionalCall<Route extends AppRoute> = RouteCall<Route> & Pick<VersionedOptions, 'ifNoneMatch'>

const successes = [200, 201, 202, 204] as const

/** The body of a route's success; undefined when it has none. */
type SuccessBody<Route extends AppRoute> = ClientInferResponseBody<
  Route,
  Extract<keyof Route['responses'], (typeof successes)[number]>
>

/** The functions that call routes. */
export type RouteCaller = ReturnType<typeof createRouteCaller>

/** Makes the functions that call routes. The given names are filled into every address. */
export function createRouteCaller({ root, transport }: Connection, names: PathNames) {
  async function sendCall<Route extends AppRoute>(route: Route, call: ConditionalCall<Route>, success: Success) {
    const { query, body, ifMatch, ifNoneMatch, signal } = call
    const url = formatAddress(root, route.path, { ...names, ...call.names }, query)
    const response = await transport(url, {
      method: route.method,
      headers: {
        accept: formatAccept(success),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
      },
      body,
      signal,
    })
    return { url: url.href, response, etag: response.headers.get('etag') ?? undefined }
  }

  async function fetchVersioned<Route extends AppRoute>(
    route: Route,
    call: RouteCall<Route> = {},
  ): Promise<Versioned<SuccessBody<Route>>> {
    const success = findSuccess(route)
    const { url, response, etag } = await sendCall(route, call, success)
    return { value: await readValue<Route>(response, success, url), etag }
  }

  async function fetchView<Route extends AppRoute>(
    route: Route,
    call: ConditionalCall<Route>,
  ): Promise<VersionedView<SuccessBody<Route>>> {
    const success = findSuccess(route)
    const { url, response, etag } = await sendCall(route, call, success)
    const { status, headers } = response
    const view =
      status === 304
        ? ({ isModified: false } as const)
        : ({ isModified: true, value: await readValue<Route>(response, success, url) } as const)
    const snapshotId = headers.get(snapshotHeader)
    if (snapshotId !== null) return { ...view, snapshotId, etag }
    throw new UnexpectedResponseError(url, { status, reason: `without the header ${snapshotHeader}`, body: '' })
  }

  return {
    /** Calls a route and returns the body of the answer with its ETag. */
    fetchVersioned,
    /** Calls a route and returns the body of the answer. */
    fetchBody: async <Route extends AppRoute>(route: Route, call?: RouteCall<Route>) =>
      (await fetchVersioned(route, call)).value,
    /** Calls a route of a snapshot. Returns the body, unless `ifNoneMatch` is still current, with the snapshot id and the ETag. */
    fetchView,
  }
}

/** Reads and checks the body of a success. */
async function readValue<Route extends AppRoute>(
  response: Response,
  success: Success,
  url: string,
): Promise<SuccessBody<Route>> {
  const value = await readBody(response, success, url)
  const { issues } = (await success.schema?.['~standard'].validate(value)) ?? {}
  if (issues) throw new ContractViolationError(url, toProblemErrors(issues))
  // The schema has just accepted the value. The value itself is returned, not the schema's copy, because the copy lacks an attribute
  // called `__proto__` and the members that a newer service adds.
  return value as SuccessBody<Route>
}

/** A route's success: its status, and the media type and schema of its body, if it has one. */
type Success = ReturnType<typeof findSuccess>

function findSuccess({ path, responses }: AppRoute) {
  const status = successes.find((code) => responses[code] !== undefined)
  const success = status && responses[status]
  if (success === undefined) throw new TypeError(`${path} has no success`)
  if (isAppRouteNoBody(success)) return { status, mediaType: undefined, schema: undefined }
  const [contentType, schema] = isAppRouteOtherResponse(success)
    ? [success.contentType, success.body]
    : ['application/json', success]
  if (!isStandardSchema(schema)) throw new TypeError(`${path} answers without a schema`)
  return { status, mediaType: parseMediaType(contentType), schema }
}

/** Prefers JSON to HTML even when a page is requested, so that problems come as JSON. The page itself exists only as HTML. */
function formatAccept({ mediaType = 'application/json' }: Success): string {
  return mediaType === 'application/json' ? mediaType : `application/json, ${mediaType};q=0.9`
}

async function readBody(response: Response, { status, mediaType }: Success, url: string): Promise<unknown> {
  const body = await response.text()
  const unexpected = (reason: string) => new UnexpectedResponseError(url, { status: response.status, reason, body })
  if (response.status !== status) throw unexpected(`${status} is expected`)
  if (mediaType === undefined) return undefined
  const received = parseMediaType(response.headers.get('content-type') ?? 'no type')
  if (received !== mediaType) throw unexpected(`${received} instead of ${mediaType}`)
  if (mediaType !== 'application/json') return body
  try {
    return JSON.parse(body)
  } catch {
    throw unexpected('the body is not JSON')
  }
}

/** Returns a content type without its parameters, such as the charset. */
function parseMediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}
