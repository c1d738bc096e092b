// How often administration may be asked. Reading metadata has no such limit.
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { RequestProblem } from '../problems/request-problem.ts'

const windowMs = 60_000
const requestsOfCaller = 3_000
const checksOfRepository = 10

/** Counts a request of a caller, tells in headers what is left, and throws `too-many-requests`. */
export type CallerLimit = preHandlerAsyncHookHandler

/** The limits of administration. */
export type RateLimits = {
  /** 3,000 a minute for each API key, or each address without a valid one. */
  readonly ofCaller: CallerLimit
  /**
   * 10 checks of receivers a minute for each repository; counts one.
   *
   * @throws RequestProblem `too-many-requests`
   */
  readonly countCheck: (request: FastifyRequest) => Promise<void>
}

const Address = z.object({ org: z.string(), repo: z.string() })

/** Makes the limits for the routes of a scope. */
export async function rateLimits(scope: FastifyInstance): Promise<RateLimits> {
  await scope.register(rateLimit, {
    global: false,
    max: requestsOfCaller,
    timeWindow: windowMs,
    enableDraftSpec: true,
    keyGenerator: ({ apiKey, ip }) => (apiKey ? `key ${apiKey.id}` : `address ${normalizeIP(ip)}`),
    errorResponseBuilder: (_request, { max, ttl }) => tooMany(`At most ${max} requests a minute are answered`, ttl),
  })
  // Not `rateLimit` a second time, which would let every request pass that the first limit has seen.
  const count = scope.createRateLimit({
    max: checksOfRepository,
    keyGenerator: (request) => {
      const { org, repo } = Address.parse(request.params)
      return JSON.stringify([org, repo])
    },
  })
  return {
    ofCaller: scope.rateLimit(),
    countCheck: async (request) => {
      const result = await count(request)
      if (result.isAllowed || !result.isExceeded) return
      throw tooMany(`At most ${checksOfRepository} tests a minute are made for a repository`, result.ttl)
    },
  }
}

function tooMany(detail: string, ttlMs: number): RequestProblem {
  return new RequestProblem('too-many-requests', detail, {
    headers: { 'retry-after': String(Math.ceil(ttlMs / 1_000)) },
  })
}
