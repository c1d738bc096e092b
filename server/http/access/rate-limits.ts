// Limits the requests to administration and, if the configuration says so, the requests for metadata.
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import type { ApiKey } from '@floe/storage/database'
import type { Stopwatch } from '../../timing.ts'
import { CallCounts, makeRateLimitStore, windowMs } from './call-counts.ts'
import { RequestProblem } from '../problems/request-problem.ts'

const requestsOfCaller = 3_000
const checksOfRepository = 10

/** Counts a request of a caller and sets the headers of the rate limit. Throws `too-many-requests` above the limit. */
export type CountCall = preHandlerAsyncHookHandler

/** The limits of administration. */
export type RateLimits = {
  /** 3,000 requests a minute for each API key, or for each address without a valid key. */
  readonly ofCaller: CountCall
  /**
   * Counts one check of a receiver; 10 a minute are allowed for each repository.
   *
   * @throws RequestProblem `too-many-requests`
   */
  readonly countTest: (request: FastifyRequest) => Promise<void>
}

const Address = z.object({ org: z.string(), repo: z.string() })

type Caller = { readonly apiKey: ApiKey | null; readonly ip: string }

/** Names the caller of a request for limits: by API key, or else by IP address. IPv6 addresses count by their /64 network. */
export function nameCaller({ apiKey, ip }: Caller): string {
  return apiKey ? `key ${apiKey.id}` : `address ${normalizeIP(ip)}`
}

/** Limits the requests per minute of each API key, and of each address without a valid key. */
export class CallerLimit {
  readonly #readPerMinute: () => number | null
  readonly #counts: CallCounts

  /** @param readPerMinute called at each request; returns null for no limit */
  constructor(readPerMinute: () => number | null, elapsed: Stopwatch) {
    this.#readPerMinute = readPerMinute
    this.#counts = new CallCounts(elapsed)
  }

  /** Makes the hook that counts the requests of a scope. */
  async makeHook(scope: FastifyInstance): Promise<CountCall> {
    await scope.register(rateLimit, {
      global: false,
      max: () => this.#readPerMinute() ?? Infinity,
      timeWindow: windowMs,
      store: makeRateLimitStore(this.#counts),
      enableDraftSpec: true,
      keyGenerator: nameCaller,
      errorResponseBuilder: (_request, { max, ttl }) =>
        explainTooMany(`At most ${max} requests a minute are answered`, ttl),
    })
    const count = scope.rateLimit()
    return async (request, reply) => {
      if (this.#readPerMinute() !== null) await count.call(scope, request, reply)
    }
  }

  /**
   * Counts a request that is answered without the hook, and returns the headers that the hook would set. Above the limit it counts nothing
   * and returns undefined, so that the hook refuses the request.
   */
  countAtOnce(apiKey: ApiKey | null, request: Pick<FastifyRequest, 'ip'>): readonly string[] | undefined {
    const perMinute = this.#readPerMinute()
    if (perMinute === null) return []
    const name = nameCaller({ apiKey, ip: request.ip })
    if (this.#counts.read(name) >= perMinute) return undefined
    const { calls, leftMs } = this.#counts.count(name)
    const { rateLimit: limit, rateLimitRemaining: remaining, rateLimitReset: reset } = responseHeaders
    return [limit.name, perMinute, remaining.name, perMinute - calls, reset.name, Math.ceil(leftMs / 1_000)].map(String)
  }
}

/** Makes the limits for the routes of administration. */
export async function makeRateLimits(scope: FastifyInstance, elapsed: Stopwatch): Promise<RateLimits> {
  const ofCaller = await new CallerLimit(() => requestsOfCaller, elapsed).makeHook(scope)
  // A second `rateLimit` would skip requests that the first one has counted.
  const count = scope.createRateLimit({
    max: checksOfRepository,
    keyGenerator: (request) => {
      const { org, repo } = Address.parse(request.params)
      return JSON.stringify([org, repo])
    },
  })
  return {
    ofCaller,
    countTest: async (request) => {
      const result = await count(request)
      if (result.isAllowed || !result.isExceeded) return
      throw explainTooMany(`At most ${checksOfRepository} tests a minute are made for a repository`, result.ttl)
    },
  }
}

function explainTooMany(detail: string, ttlMs: number): RequestProblem {
  return new RequestProblem('too-many-requests', detail, {
    headers: { [responseHeaders.retryAfter.name]: String(Math.ceil(ttlMs / 1_000)) },
  })
}
