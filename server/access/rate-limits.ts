// Limits how many requests administration answers, and, where the configuration says so, how many requests for metadata.
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import type { Stopwatch } from '../timing.ts'
import { makeCallCounts } from './call-counts.ts'
import { RequestProblem } from '../problems/request-problem.ts'

const windowMs = 60_000
const requestsOfCaller = 3_000
const checksOfRepository = 10

/** Counts a request of a caller and sets headers that say how many are left. Throws `too-many-requests` when none are. */
export type CallerLimit = preHandlerAsyncHookHandler

/** The limits of administration. */
export type RateLimits = {
  /** 3,000 requests a minute for each API key, or for each address without a valid key. */
  readonly ofCaller: CallerLimit
  /**
   * Counts one check of a receiver; 10 a minute are allowed for each repository.
   *
   * @throws RequestProblem `too-many-requests`
   */
  readonly countCheck: (request: FastifyRequest) => Promise<void>
}

const Address = z.object({ org: z.string(), repo: z.string() })

/**
 * Makes the limit for the routes of a scope: so many requests a minute for each API key, or for each address without a valid key. IPv6
 * addresses count by their /64 network.
 */
export async function limitCallers(
  scope: FastifyInstance,
  perMinute: number,
  elapsed: Stopwatch,
): Promise<CallerLimit> {
  await scope.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: windowMs,
    store: makeCallCounts(elapsed),
    enableDraftSpec: true,
    keyGenerator: ({ apiKey, ip }) => (apiKey ? `key ${apiKey.id}` : `address ${normalizeIP(ip)}`),
    errorResponseBuilder: (_request, { max, ttl }) =>
      explainTooMany(`At most ${max} requests a minute are answered`, ttl),
  })
  return scope.rateLimit()
}

/** Makes the limits for the routes of administration. */
export async function makeRateLimits(scope: FastifyInstance, elapsed: Stopwatch): Promise<RateLimits> {
  const ofCaller = await limitCallers(scope, requestsOfCaller, elapsed)
  // A second `rateLimit` would do nothing: it skips requests that the first one has counted.
  const count = scope.createRateLimit({
    max: checksOfRepository,
    keyGenerator: (request) => {
      const { org, repo } = Address.parse(request.params)
      return JSON.stringify([org, repo])
    },
  })
  return {
    ofCaller,
    countCheck: async (request) => {
      const result = await count(request)
      if (result.isAllowed || !result.isExceeded) return
      throw explainTooMany(`At most ${checksOfRepository} tests a minute are made for a repository`, result.ttl)
    },
  }
}

function explainTooMany(detail: string, ttlMs: number): RequestProblem {
  return new RequestProblem('too-many-requests', detail, {
    headers: { 'retry-after': String(Math.ceil(ttlMs / 1_000)) },
  })
}
