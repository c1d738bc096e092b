// Connects the contract's routes to Fastify. No other file of the server uses @ts-rest/fastify, whose types are wrong in places, so
// all casts for it are here. (Documents read the contract with @ts-rest/open-api.)
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { RouteMetadata } from '@floe/contract'
import type { AppRouter } from '@ts-rest/core'
import { initServer, type RequestValidationError, type RouterImplementation } from '@ts-rest/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'

const server = initServer()

/** Types handlers by the routes of the contract that they implement. */
export const implement: typeof server.router = server.router

/** What a scope can ask for when it registers routes. */
type RegisterOptions = {
  /**
   * Check each answer against the contract: members that it does not name are dropped, and an answer that breaks it becomes
   * `internal`. Default: false, for routes that check what they build.
   */
  readonly validatesAnswers?: boolean
}

/**
 * Adds implemented routes to a scope. A request that breaks the contract reaches the error handler as {@link ContractViolationError}.
 */
export async function register<Routes extends AppRouter>(
  scope: FastifyInstance,
  routes: Routes,
  handlers: RouterImplementation<Routes>,
  { validatesAnswers = false }: RegisterOptions = {},
): Promise<void> {
  await scope.register(server.plugin(server.router(routes, handlers)), {
    logInitialization: false,
    responseValidation: validatesAnswers,
    requestValidationErrorHandler: (error) => {
      throw new ContractViolationError(error)
    },
  })
}

/** What is wrong with a request, and in which part of it. */
type Violation = { readonly part: 'path' | 'query' | 'headers' | 'body'; readonly issue: z.core.$ZodIssue }

/** Thrown for a request that the schemas of its route refuse. */
export class ContractViolationError extends Error {
  override name = 'ContractViolationError'
  readonly violations: readonly Violation[]

  constructor(cause: RequestValidationError) {
    super('The request breaks the contract', { cause })
    const parts = { path: cause.pathParams, query: cause.query, headers: cause.headers, body: cause.body } as const
    const names = ['path', 'query', 'headers', 'body'] as const
    this.violations = names.flatMap((part) =>
      // The contract is written in zod alone, whose issues say more than ts-rest's type for those of any library.
      ((parts[part]?.issues ?? []) as z.core.$ZodIssue[]).map((issue) => ({ part, issue })),
    )
  }
}

/** What the rest of the server needs to know about a route of the contract. */
type ContractRoute = { readonly metadata: RouteMetadata; readonly takesBody: boolean }

/**
 * Finds the contract's route that a request has reached.
 *
 * @throws TypeError when the request has reached a route that the contract does not have
 */
export function requireRoute({ routeOptions }: FastifyRequest): ContractRoute {
  // ts-rest sets this, and `meta()` is the only way a route of the contract gets its metadata. A body is a schema, a mark for none,
  // or left out.
  const { tsRestRoute } = routeOptions.config as { tsRestRoute?: { metadata: RouteMetadata; body?: unknown } }
  if (!tsRestRoute) throw new TypeError(`${routeOptions.url} is not a route of the contract`)
  return { metadata: tsRestRoute.metadata, takesBody: typeof tsRestRoute.body === 'object' }
}

/** The Fastify `config` that makes {@link requireRoute} take an additional route for this one of the contract. */
export function treatAs(route: { readonly metadata?: unknown }): { tsRestRoute: unknown } {
  return { tsRestRoute: route }
}

/**
 * Passes bytes, a page, a stream or a response as the body of a contract's route. The route sets the content type, because Fastify sends
 * them as they stand; the status and headers of a response take the place of the route's.
 */
export function passBody(body: Buffer | string | Readable | Response): never {
  return body as never // ts-rest types the value that the body stands for.
}

/** Returns the answer as Node.js knows it. ts-rest types it otherwise. */
export function rawResponse({ raw }: { readonly raw: unknown }): ServerResponse {
  return raw as ServerResponse // Fastify has no other. A check would load all of Node's HTTP at the start.
}

/** Reduces ts-rest's error for an answer that breaks the contract to its message. It carries the whole route, which would fill the log. */
export function dropRoute(cause: unknown): unknown {
  return cause instanceof Error && 'appRoute' in cause ? new Error(cause.message) : cause
}
