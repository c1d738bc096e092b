// Limits the requests to administration and, if the configuration says so, the requests for metadata.
import { responseHeaders } from '@floe/contract'
import type { TenantCaller } from '@floe/storage/waiting'
import type { FastifyRequest } from 'fastify'
import type { Stopwatch } from '../../timing.ts'
import { nameNetwork } from '../connections/name-network.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { CallCounts } from './call-counts.ts'
import type { Caller } from './caller.ts'

/** Requests to administration that a caller may send in a minute. */
const requestsOfCaller = 3_000

/** Tests of receivers that a repository may make in a minute. */
const testsOfRepository = 10

/** An answer that gets the headers of a limit. */
export type Answering = { readonly headers: (values: Record<string, string>) => unknown }

type Asking = { readonly caller: Caller | null; readonly ip: string }

/** Names the caller of a request for limits: the API key or the account, or without one the network. */
function nameCaller({ caller, ip }: Asking): string {
  return caller ? `caller ${caller.id}` : `address ${nameNetwork(ip)}`
}

/** Describes the caller of a request to an organisation, for what its callers share. */
export function describeCaller(org: string, asking: Asking): TenantCaller {
  return { tenant: org, caller: nameCaller(asking), isAnonymous: asking.caller === null }
}

/** Limits the requests per minute of each API key or account, and of each network without valid credentials. */
export class CallerLimit {
  readonly #readPerMinute: () => number | null
  readonly #counts: CallCounts

  /** @param readPerMinute called at each request; returns null for no limit */
  constructor(readPerMinute: () => number | null, elapsed: Stopwatch) {
    this.#readPerMinute = readPerMinute
    this.#counts = new CallCounts(elapsed)
  }

  /**
   * Counts a request and sets the headers of the limit.
   *
   * @throws RequestProblem `too-many-requests` above the limit
   */
  count(request: Asking, reply: Answering): void {
    const perMinute = this.#readPerMinute()
    if (perMinute === null) return
    const { calls, leftMs } = this.#counts.count(nameCaller(request))
    reply.headers(describeLimit(perMinute, calls, leftMs))
    if (calls > perMinute) throw explainTooMany(`At most ${perMinute} requests a minute are answered`, leftMs)
  }

  /**
   * Counts a request that is answered from the cache, before the hooks that call {@link count}. Returns the headers of
   * the limit. Above the limit, counts nothing and returns undefined; then {@link count} refuses the request.
   */
  countCached(caller: Caller | null, { ip }: Pick<FastifyRequest, 'ip'>): readonly string[] | undefined {
    const perMinute = this.#readPerMinute()
    if (perMinute === null) return []
    const name = nameCaller({ caller, ip })
    if (this.#counts.read(name) >= perMinute) return undefined
    const { calls, leftMs } = this.#counts.count(name)
    return Object.entries(describeLimit(perMinute, calls, leftMs)).flat()
  }
}

function describeLimit(perMinute: number, calls: number, leftMs: number): Record<string, string> {
  return {
    [responseHeaders.rateLimit.name]: String(perMinute),
    [responseHeaders.rateLimitRemaining.name]: String(Math.max(0, perMinute - calls)),
    [responseHeaders.rateLimitReset.name]: String(Math.ceil(leftMs / 1_000)),
  }
}

/** The limits of administration. */
export type RateLimits = {
  /** For each API key or account, or for each address without valid credentials. */
  readonly ofCaller: CallerLimit
  /**
   * Counts one test of a receiver; 10 a minute are allowed for each repository.
   *
   * @throws RequestProblem `too-many-requests`
   */
  readonly countTest: (repository: { readonly org: string; readonly repo: string }) => void
}

/**
 * Makes the limits for the routes of administration.
 *
 * @param perMinute requests that a caller may send in a minute
 */
export function makeRateLimits(elapsed: Stopwatch, perMinute = requestsOfCaller): RateLimits {
  const tests = new CallCounts(elapsed)
  return {
    ofCaller: new CallerLimit(() => perMinute, elapsed),
    countTest: ({ org, repo }) => {
      const { calls, leftMs } = tests.count(JSON.stringify([org, repo]))
      if (calls <= testsOfRepository) return
      throw explainTooMany(`At most ${testsOfRepository} tests a minute are made for a repository`, leftMs)
    },
  }
}

function explainTooMany(detail: string, leftMs: number): RequestProblem {
  return new RequestProblem('too-many-requests', detail, {
    headers: { [responseHeaders.retryAfter.name]: String(Math.ceil(leftMs / 1_000)) },
  })
}
