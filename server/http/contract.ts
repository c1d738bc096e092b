// Connects the contract's routes to Fastify. No other file of the server imports @ts-rest/fastify, because some of its
// types are wrong; this file has all the casts that they need.
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { contentTypes, listRoutes, type RouteMetadata } from '@floe/contract'
import { type Encodable, JsonWriter, type PlainJson, type JsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { AppRoute, AppRouter, ContractNoBodyType, ContractOtherResponse, ContractPlainType } from '@ts-rest/core'
import {
  type AppRouteImplementation,
  initServer,
  type RequestValidationError,
  type RouterImplementation,
} from '@ts-rest/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Page } from '../pages/page.ts'
import type { Violation } from '../problems/validation-problem.ts'

const server = initServer()

/**
 * The body that a handler returns: the bytes of JSON written from a value of the response's type, or the page that a
 * browser gets at the same address.
 */
export type SentBody<Response> = Response extends ContractNoBodyType
  ? undefined
  : Response extends ContractOtherResponse<z.ZodType<infer Body>>
    ? Page | Readable | string | JsonBytes<Body>
    : Response extends z.ZodType<infer Body>
      ? JsonBytes<Body> | Page
      : unknown

/** Handlers throw problems instead of returning them. */
type SuccessStatus = 200 | 201 | 202 | 204 | 302 | 303 | 304

/** A route of the contract whose responses have the bodies that handlers return. */
type Sent<Route extends AppRoute> = Omit<Route, 'responses'> & {
  responses: {
    [Status in keyof Route['responses'] & SuccessStatus]: Route['responses'][Status] extends ContractNoBodyType
      ? ContractNoBodyType
      : ContractPlainType<SentBody<Route['responses'][Status]>>
  }
}

/** {@link Sent} for all routes of a router. */
type SentRouter<Routes extends AppRouter> = {
  [Name in keyof Routes]: Routes[Name] extends AppRoute
    ? Sent<Routes[Name]>
    : Routes[Name] extends AppRouter
      ? SentRouter<Routes[Name]>
      : never
}

export type Handlers<Routes extends AppRouter> = RouterImplementation<SentRouter<Routes>>

/** Types handlers by the routes that they implement. */
export function implement<Routes extends AppRouter>(_routes: Routes, handlers: Handlers<Routes>): Handlers<Routes> {
  return handlers
}

/** The JSON body of a route's only success response; undefined if that has none. */
type BodyOf<Responses> = Responses[keyof Responses & SuccessStatus] extends z.ZodType<infer Body> ? Body : undefined

/** Handlers that return values, from which JSON bodies are written. */
type JsonHandlers<Routes extends AppRouter> = {
  readonly [Name in keyof Routes]: Routes[Name] extends AppRoute
    ? (
        call: Parameters<AppRouteImplementation<Routes[Name]>>[0],
      ) => Promise<Encodable<BodyOf<Routes[Name]['responses']>>>
    : never
}

/** Implements routes with one success response each, whose body is JSON or empty. The contract gives its status. */
export function implementJson<Routes extends AppRouter>(
  routes: Routes,
  handlers: JsonHandlers<Routes>,
): Handlers<Routes> {
  const answering = [...listRoutes(routes)].map(([name, { responses }]) => {
    const status = Math.min(...Object.keys(responses).map(Number))
    const answer = async (call: never) => {
      const body = await handlers[name]?.(call)
      if (body === undefined) return { status, body }
      const { request } = call as { readonly request: FastifyRequest } // ts-rest gives it to every handler
      // A list of repositories can be long, but not longer than the operator has configured.
      const writer = new JsonWriter(Infinity)
      // What a handler returns can be written.
      return { status, body: await writer.writeInSlices<unknown>(body as PlainJson, new Slices(request.signal)) }
    }
    return [name, answer] as const
  })
  // The handlers have the types of their routes.
  return Object.fromEntries(answering) as Handlers<Routes>
}

/**
 * Adds implemented routes to a scope. The error handler gets a {@link InvalidRequestError} for a request that breaks
 * the contract.
 */
export async function register<Routes extends AppRouter>(
  scope: FastifyInstance,
  routes: Routes,
  handlers: Handlers<Routes>,
): Promise<void> {
  // Only the types of bodies differ, and ts-rest sends bodies unchanged.
  const sent = routes as AppRouter as SentRouter<Routes>
  await scope.register(server.plugin(server.router(sent, handlers)), {
    logInitialization: false,
    responseValidation: false,
    requestValidationErrorHandler: (error) => {
      throw new InvalidRequestError(error)
    },
  })
}

/** Thrown for a request that the schemas of its route refuse. */
export class InvalidRequestError extends Error {
  override name = 'InvalidRequestError'
  readonly violations: readonly Violation[]

  constructor(cause: RequestValidationError) {
    super('The request breaks the contract', { cause })
    const parts = { path: cause.pathParams, query: cause.query, headers: cause.headers, body: cause.body } as const
    const names = ['path', 'query', 'headers', 'body'] as const
    this.violations = names.flatMap((part) =>
      // All schemas of the contract are zod's, whose issues have more members than ts-rest's type for any library.
      ((parts[part]?.issues ?? []) as z.core.$ZodIssue[]).map((issue) => ({ part, issue })),
    )
  }
}

/** The members of a route of the contract that the server reads at run time. */
type ContractRoute = {
  readonly path: string
  readonly metadata: RouteMetadata
  readonly responses: Readonly<Record<number, unknown>>
  /** A schema; or, for no body, undefined or a symbol of ts-rest. */
  readonly body?: unknown
}

/** Finds the contract's route of a request; undefined for other routes. */
export function findRoute({ routeOptions }: FastifyRequest): ContractRoute | undefined {
  // ts-rest sets this, and `meta()` is the only way a route of the contract gets its metadata.
  const { tsRestRoute } = routeOptions.config as { tsRestRoute?: ContractRoute }
  return tsRestRoute
}

/** Finds the contract's route of a request. @throws TypeError for other routes */
export function requireRoute(request: FastifyRequest): ContractRoute {
  const route = findRoute(request)
  if (!route) throw new TypeError(`${request.routeOptions.url} is not a route of the contract`)
  return route
}

/** An `onSend` hook that sets the media type of JSON. Routes return it as bytes, which Fastify calls a binary file. */
export function nameJson(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.getHeader('content-type') === 'application/octet-stream' && findRoute(request) !== undefined) {
    reply.header('content-type', contentTypes.json)
  }
  done(null, payload)
}

/**
 * Makes the Fastify `config` that lets {@link requireRoute} treat an additional route as this route of the contract.
 */
export function treatAs(route: { readonly metadata?: unknown }): { tsRestRoute: unknown } {
  return { tsRestRoute: route }
}

/** Returns the response of Node.js, for which ts-rest has another type. */
export function rawResponse({ raw }: { readonly raw: unknown }): ServerResponse {
  return raw as ServerResponse // Always true. A check would load all of Node's HTTP at the start.
}
