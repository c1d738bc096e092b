// Answers 405 when an address supports only other methods. Fastify itself would answer 404.
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { dropQuery } from '../observation/hide-secrets.ts'
import { RequestProblem } from './request-problem.ts'

/** The pattern of the OPTIONS route that @fastify/cors adds. It serves preflights only. */
const everyAddress = '*'

/** An address with more segments than most routes have, probably because a name in it has a slash. */
const deepAddress = /\/_meta\/(?:[^/]+\/){3}[^/]/

/**
 * Knows which methods each address supports. Fastify's router has a table for each method; this one has one table for all methods. So
 * `webhooks/test` is one address for every method, and `GET webhooks/test` does not look for a webhook with the id `test`.
 */
export class AllowedMethods {
  readonly #methods = new Map<string, Set<string>>()
  readonly #router: findMyWay.Instance<findMyWay.HTTPVersion.V1>

  /** Call this before any route is added, because it collects routes as `app` adds them. */
  constructor(app: FastifyInstance, { maxParamLength }: { readonly maxParamLength: number }) {
    this.#router = findMyWay({ ignoreTrailingSlash: true, maxParamLength })
    app.addHook('onRoute', ({ url, method }) => {
      if (url !== everyAddress) for (const one of [method].flat()) this.#findMethods(url).add(one)
    })
  }

  #findMethods(pattern: string): Set<string> {
    const known = this.#methods.get(pattern)
    if (known !== undefined) return known
    const methods = new Set<string>()
    this.#methods.set(pattern, methods)
    // In this router, GET stands for all methods.
    this.#router.on('GET', pattern, () => undefined, methods)
    return methods
  }

  /** Lists the methods of an address; none for an unknown one. */
  #list(url: string): ReadonlySet<string> {
    return this.#router.find('GET', dropQuery(url))?.store ?? new Set()
  }

  /** Whether no route serves a request. The route of @fastify/cors, which matches every address, refuses requests itself. */
  isUnserved(request: FastifyRequest): boolean {
    const { is404, method, url } = request
    // Fastify makes `routeOptions` at each read, which takes microseconds, so it comes last.
    return is404 || (!this.#list(url).has(method) && request.routeOptions.url !== everyAddress)
  }

  /** Says why a request was not served: `method-not-allowed` if the address supports other methods, else `route-not-found`. */
  explainUnserved({ url, originalUrl, method }: FastifyRequest): RequestProblem {
    const allowed = this.#list(url)
    const shown = dropQuery(originalUrl).slice(0, 200)
    if (allowed.size === 0 || allowed.has(method)) {
      const hint = deepAddress.test(shown) ? '; in the name of a repository, branch or tag, write / as %2F' : ''
      return new RequestProblem('route-not-found', `There is no route for ${method} ${shown}${hint}`)
    }
    const allow = [...allowed].sort().join(', ')
    return new RequestProblem('method-not-allowed', `${shown} supports ${allow}, not ${method}`, {
      headers: { [responseHeaders.allow.name]: allow },
    })
  }
}
