// Answers 405 if an address supports only other methods. Fastify would answer 404.
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { dropQuery } from '../../observation/hide-secrets.ts'
import { RequestProblem } from '../../problems/request-problem.ts'

/** The pattern of the OPTIONS route that @fastify/cors adds for preflights. */
const everyAddress = '*'

/** Matches an address with more segments than most routes have, probably because a name in it has a slash. */
const deepAddress = /\/_meta\/(?:[^/]+\/){3}[^/]/

/** Matches an address below the Zarr documents of a repository, such as of a chunk. */
const zarrAddress = /\/_meta\/zarr\/([^/]+)\/[^/]+\/./

/**
 * The methods that each address supports. Fastify's router matches an address for each method separately; this one
 * matches it once for all methods. So `webhooks/test` is one address for every method, and `GET webhooks/test` does not
 * look for a webhook with the id `test`.
 */
export class AllowedMethods {
  readonly #methods = new Map<string, Set<string>>()
  readonly #router: findMyWay.Instance<findMyWay.HTTPVersion.V1>

  /** Call this before any route is added, because it collects routes as `app` adds them. */
  constructor(app: FastifyInstance, { maxParamLength }: { readonly maxParamLength: number }) {
    this.#router = findMyWay({ ignoreTrailingSlash: true, maxParamLength })
    app.addHook('onRoute', ({ url, method }) => {
      if (url !== everyAddress) for (const name of [method].flat()) this.#findMethods(url).add(name)
    })
  }

  /** Returns the set of methods of a pattern, to which more can be added. */
  #findMethods(pattern: string): Set<string> {
    const added = this.#methods.get(pattern)
    if (added !== undefined) return added
    const methods = new Set<string>()
    this.#methods.set(pattern, methods)
    // In this router, GET stands for all methods.
    this.#router.on('GET', pattern, () => undefined, methods)
    return methods
  }

  /** Lists the methods of an address; none for an unknown address. */
  #list(url: string): ReadonlySet<string> {
    return this.#router.find('GET', dropQuery(url))?.store ?? new Set()
  }

  /** Whether no route serves a request. The route of @fastify/cors matches every address and answers by itself. */
  isUnserved(request: FastifyRequest): boolean {
    const { is404, method, url } = request
    // Last, because Fastify makes `routeOptions` at each read, which takes microseconds.
    return is404 || (!this.#list(url).has(method) && request.routeOptions.url !== everyAddress)
  }

  /**
   * Explains why no route serves a request: `method-not-allowed` if the address has other methods, or
   * `route-not-found`.
   */
  explainUnserved({ url, originalUrl, method }: FastifyRequest): RequestProblem {
    const allowed = this.#list(url)
    if (allowed.size === 0 || allowed.has(method)) return explainNoRoute({ originalUrl, method })
    const shown = showAddress(originalUrl)
    const allow = [...allowed].sort().join(', ')
    return new RequestProblem('method-not-allowed', `${shown} supports ${allow}, not ${method}`, {
      headers: { [responseHeaders.allow.name]: allow },
    })
  }
}

/** Says that nothing is served at the address of a request. */
export function explainNoRoute({
  originalUrl,
  method,
}: Pick<FastifyRequest, 'originalUrl' | 'method'>): RequestProblem {
  const shown = showAddress(originalUrl)
  return new RequestProblem('route-not-found', `There is no route for ${method} ${shown}${explainAddress(shown)}`)
}

function explainAddress(shown: string): string {
  const [, repo] = zarrAddress.exec(shown) ?? []
  if (repo !== undefined) {
    const here = 'only zarr.json of groups and arrays is here, and no chunk'
    return `; ${here}: open the repository for data, with Icechunk, at /open/${repo} of the same deployment`
  }
  return deepAddress.test(shown) ? '; in the name of a repository, branch or tag, write / as %2F' : ''
}

function showAddress(url: string): string {
  return dropQuery(url).slice(0, 200)
}
