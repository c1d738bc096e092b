// Checks answers against the contract, in tests and in the demonstration. In production, only the compiler checks them,
// which cannot check values from a database or a repository.
import { isDeepStrictEqual } from 'node:util'
import { mediaTypes } from '@floe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findRoute } from './contract.ts'

/** An answer breaks the contract. */
class BrokenContractError extends Error {
  override name = 'BrokenContractError'

  /** @param detail the end of the message, after the status */
  constructor(request: FastifyRequest, reply: FastifyReply, detail: string, cause?: unknown) {
    super(`${request.method} ${request.routeOptions.url ?? ''} answers ${reply.statusCode} ${detail}`, { cause })
  }
}

/** An `onSend` hook that fails for an answer whose status, media type or JSON is not in the contract. */
export function checkAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const route = findRoute(request)
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';', 1)
  // Files below a route share its access rules only.
  if (route === undefined || route.path !== request.routeOptions.url) return done(null, payload)
  // The contract says only that pages and feeds are text.
  if (type === mediaTypes.html || (type === mediaTypes.atom && route.metadata.feed)) return done(null, payload)
  // The address belongs to another route, which does not support the method.
  if (reply.statusCode === 405) return done(null, payload)
  const { ownErrors } = route.metadata
  const declared = route.responses[reply.statusCode]
  const isOwnError = ownErrors?.statuses.includes(reply.statusCode) === true && type === 'application/json'
  const body = isOwnError ? ownErrors?.body : readBodySchema(declared, type)
  if (declared === undefined || body === undefined) {
    return done(new BrokenContractError(request, reply, `as ${type || 'nothing'}, which the contract does not have`))
  }
  if (body === null || !type.endsWith('json')) return done(null, payload)
  try {
    done(null, requireJson(body, payload))
  } catch (error) {
    done(new BrokenContractError(request, reply, 'otherwise than the contract says', error))
  }
}

/** The schema of a body of this media type; null for no body, undefined if the response has another type. */
function readBodySchema(declared: unknown, type: string): z.ZodType | null | undefined {
  if (declared instanceof z.ZodType) return type === 'application/json' ? declared : undefined
  if (typeof declared !== 'object' || declared === null) return type === '' ? null : undefined
  // What ts-rest's `otherResponse` returns.
  const { contentType, body } = declared as { readonly contentType?: unknown; readonly body?: unknown }
  return body instanceof z.ZodType && String(contentType).split(';', 1)[0] === type ? body : undefined
}

/** @throws if the body breaks its schema, or has a member that the schema does not name */
function requireJson<Payload>(schema: z.ZodType, payload: Payload): Payload {
  if (!(payload instanceof Uint8Array) && typeof payload !== 'string')
    throw new TypeError('JSON is sent as text or bytes')
  // An attribute may have this name, and zod drops it.
  const drop = (name: string, value: unknown) => (name === '__proto__' ? undefined : value)
  const value: unknown = JSON.parse(Buffer.from(payload).toString(), drop)
  if (!isDeepStrictEqual(schema.parse(value), value))
    throw new TypeError('it has a member that the contract does not name')
  return payload
}
