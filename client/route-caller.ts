// Calls routes of the contract: formats the URL, sends the request, and checks the answer.
import type { ChangeOptions, Versioned, VersionedOptions, VersionedView } from './calls.ts'
import { findErrors } from './check-value.ts'
import { ContractViolationError, UnexpectedResponseError } from './errors.ts'
import { type Route, snapshotHeader } from './generated/routes.ts'
import type { Connection } from './requests/connection.ts'
import { type PathNames, type QueryParameters, formatAddress } from './requests/url.ts'

const jsonType = 'application/json'

/** What a call adds to its route. */
type RouteCall = ChangeOptions & {
  readonly names?: PathNames
  readonly query?: QueryParameters
  /** Sent as JSON. The methods of the clients say what each route takes. */
  readonly body?: unknown
}

type ConditionalCall = RouteCall & Pick<VersionedOptions, 'ifNoneMatch'>

/** Functions that call routes. */
export type RouteCaller = {
  /** Calls a route and returns the body of the answer with its ETag. */
  readonly fetchVersioned: <Answer>(route: Route<Answer>, call?: RouteCall) => Promise<Versioned<Answer>>
  /** Calls a route and returns the body of the answer. */
  readonly fetchBody: <Answer>(route: Route<Answer>, call?: RouteCall) => Promise<Answer>
  /**
   * Calls a route of a snapshot. Returns the body, unless `ifNoneMatch` is still current, with the snapshot id and the
   * ETag.
   */
  readonly fetchView: <Answer>(route: Route<Answer>, call: ConditionalCall) => Promise<VersionedView<Answer>>
}

/** Creates the functions that call routes. `names` are filled into every path. */
export function createRouteCaller({ root, transport }: Connection, names: PathNames): RouteCaller {
  async function sendCall<Answer>(route: Route<Answer>, call: ConditionalCall) {
    const { query, body, ifMatch, ifNoneMatch, signal } = call
    const url = formatAddress(root, route.path, { ...names, ...call.names }, query)
    const response = await transport(url, {
      method: route.method,
      headers: {
        accept: jsonType,
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
      },
      body,
      signal,
    })
    return { url: url.href, response, etag: response.headers.get('etag') ?? undefined }
  }

  async function fetchVersioned<Answer>(route: Route<Answer>, call: RouteCall = {}): Promise<Versioned<Answer>> {
    const { url, response, etag } = await sendCall(route, call)
    return { value: await readValue(response, route, url), etag }
  }

  async function fetchView<Answer>(route: Route<Answer>, call: ConditionalCall): Promise<VersionedView<Answer>> {
    const { url, response, etag } = await sendCall(route, call)
    const { status, headers } = response
    const view =
      status === 304
        ? ({ isModified: false } as const)
        : ({ isModified: true, value: await readValue(response, route, url) } as const)
    const snapshotId = headers.get(snapshotHeader)
    if (snapshotId !== null) return { ...view, snapshotId, etag }
    throw new UnexpectedResponseError(url, { status, reason: `without the header ${snapshotHeader}`, body: '' })
  }

  return { fetchVersioned, fetchBody: async (route, call) => (await fetchVersioned(route, call)).value, fetchView }
}

async function readValue<Answer>(response: Response, route: Route<Answer>, url: string): Promise<Answer> {
  const value = await readBody(response, route, url)
  const errors = route.answer ? findErrors(route.answer, value) : []
  if (errors.length > 0) throw new ContractViolationError(url, errors)
  // The schema has just accepted the value; without a schema, the answer has no body, and the value is undefined.
  return value as Answer
}

async function readBody(response: Response, { status, answer }: Route<unknown>, url: string): Promise<unknown> {
  const body = await response.text()
  const unexpected = (reason: string) => new UnexpectedResponseError(url, { status: response.status, reason, body })
  if (response.status !== status) throw unexpected(`${status} is expected`)
  if (answer === undefined) return undefined
  const received = parseMediaType(response.headers.get('content-type') ?? 'no type')
  if (received !== jsonType) throw unexpected(`${received} instead of ${jsonType}`)
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
