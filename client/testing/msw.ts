// The package @floe/client/testing/msw: handlers for msw (https://mswjs.io), which answer in place of a service.
import { http, type HttpHandler } from 'msw'
import { type Examples, notification } from '../generated/examples.ts'
import * as contract from '../generated/routes.ts'
import type { Notification, ProblemCode } from '../generated/types.ts'
import { parseBaseUrl } from '../requests/connection.ts'
import { type Answers, answers, createProblem } from './index.ts'

const { snapshotHeader, events, ...resources } = contract
const tables: Readonly<Record<string, Readonly<Record<string, contract.Route<unknown>>>>> = resources

/** Makes handlers of one route. */
export type RouteHandlers<Answer> = {
  /** Answers with success. Default: the example of the contract. */
  readonly answer: (answer?: Answer) => HttpHandler
  /** Answers with a problem. */
  readonly refuse: (code: ProblemCode, detail?: string) => HttpHandler
}

/** Makes handlers of each route, named as in the contract. */
export type Handlers = {
  readonly [Resource in keyof Examples]: {
    readonly [Name in keyof Examples[Resource]]: RouteHandlers<Examples[Resource][Name]>
  }
} & {
  /** The stream sends notifications, and stays open. Their ids count from 1. */
  readonly events: { readonly stream: RouteHandlers<readonly Notification[]> }
}

/**
 * Makes handlers for the service at `baseUrl`, for any organisation and any names.
 *
 * @example
 * ```ts
 * server.use(createHandlers('https://floe.example.org/v1').discovery.refs.refuse('repository-not-found'))
 * ```
 */
export function createHandlers(baseUrl: string): Handlers {
  const root = parseBaseUrl(baseUrl)
  const ofResources = Object.entries(tables).map(([resource, table]) => {
    const examples: Readonly<Record<string, () => unknown>> = answers[resource as keyof Answers] // a key of it
    const handlers = Object.entries(table).map(([name, route]) => [name, handleRoute(root, route, examples[name])])
    return [resource, Object.fromEntries(handlers)]
  })
  const stream: Handlers['events']['stream'] = {
    answer: (notifications = [notification]) => handle(root, events.stream, () => sendEvents(notifications)),
    refuse: (code, detail) => refuse(root, events.stream, code, detail),
  }
  // The loops keep the names of all routes.
  return { ...Object.fromEntries(ofResources), events: { stream } } as Handlers
}

/**
 * Lists a handler of each route, which answers with the example of the contract.
 *
 * @example
 * ```ts
 * const server = setupServer(...listHandlers('https://floe.example.org/v1'))
 * ```
 */
export function listHandlers(baseUrl: string): HttpHandler[] {
  return Object.values(createHandlers(baseUrl)).flatMap((ofResource) =>
    Object.values(ofResource).map(({ answer }: RouteHandlers<never>) => answer()),
  )
}

type AnyRoute = Pick<contract.Route<unknown>, 'method' | 'path' | 'status'>

function handleRoute(root: string, route: AnyRoute, example?: () => unknown): RouteHandlers<unknown> {
  return {
    answer: (answer = example?.()) => handle(root, route, () => sendAnswer(route.status, answer)),
    refuse: (code, detail) => refuse(root, route, code, detail),
  }
}

function refuse(root: string, route: AnyRoute, code: ProblemCode, detail?: string): HttpHandler {
  const problem = createProblem(code, detail)
  const headers = { 'content-type': 'application/problem+json' }
  return handle(root, route, () => Response.json(problem, { status: problem.status, headers }))
}

function handle(root: string, { method, path }: AnyRoute, respond: () => Response): HttpHandler {
  const escaped = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Only groups contain slashes.
  const names = path.replace(/:(\w+)/g, (_, name: string) => (name === 'group' ? '.+' : '[^/]+'))
  const methods = { GET: http.get, POST: http.post, PUT: http.put, PATCH: http.patch, DELETE: http.delete }
  const add = methods[method as keyof typeof methods] // the methods of the contract
  return add(new RegExp(`^${escaped}${names}$`), respond)
}

/** Every answer has the headers that some answers have. */
const headers = { etag: '"1"', [snapshotHeader]: notification.details.snapshot_id }

function sendAnswer(status: number, answer: unknown) {
  return answer === undefined ? new Response(null, { status }) : Response.json(answer, { status, headers })
}

function sendEvents(notifications: readonly Notification[]) {
  const events = notifications.map(
    (sent, index) => `id: ${index + 1}\nevent: ${sent.event}\ndata: ${JSON.stringify(sent)}\n\n`,
  )
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(events.join(''))),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
