// Answers 405 when an address supports only other methods. Fastify itself would answer 404, as for an unknown address.
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dropQuery } from '../observation/drop-query.ts'
import { RequestProblem } from './request-problem.ts'

/** A route pattern by its segments; `:name` stands for any segment, `*` for the rest. */
type Pattern = { readonly url: string; readonly segments: readonly string[]; readonly methods: Set<string> }

/** Knows which methods each address supports. Create it before any route, because it collects routes as `app` adds them. */
export class AllowedMethods {
  readonly #patterns = new Map<string, Pattern>()
  #shadowed: ReadonlySet<string> | undefined

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      // @fastify/cors adds an OPTIONS route for every address, which serves preflights only.
      if (url === '*') return
      const pattern = this.#patterns.get(url) ?? { url, segments: splitPath(url), methods: new Set() }
      for (const one of [method].flat()) pattern.methods.add(one)
      this.#patterns.set(url, pattern)
    })
  }

  /**
   * Whether no route serves a request. A route that matches only by accident does not count: `GET webhooks/test` is not a request
   * for the webhook with the id `test`, because `webhooks/test` is an address of its own.
   */
  isUnserved({ is404, routeOptions, url }: FastifyRequest): boolean {
    if (is404) return true
    this.#shadowed ??= listShadowed([...this.#patterns.values()])
    const route = routeOptions.url
    return route !== undefined && this.#shadowed.has(route) && this.#findPattern(url)?.url !== route
  }

  /** Says why a request was not served: `method-not-allowed` if the address supports other methods, else `route-not-found`. */
  explainUnserved({ url, originalUrl, method }: FastifyRequest): RequestProblem {
    const allowed = [...(this.#findPattern(url)?.methods ?? [])].sort()
    const shown = dropQuery(originalUrl).slice(0, 200)
    if (allowed.length === 0 || allowed.includes(method)) {
      return new RequestProblem('route-not-found', `There is no route for ${method} ${shown}`)
    }
    const allow = allowed.join(', ')
    return new RequestProblem('method-not-allowed', `${shown} supports ${allow}, not ${method}`, {
      headers: { [responseHeaders.allow.name]: allow },
    })
  }

  /** Finds the pattern that matches an address with the fewest parameters. */
  #findPattern(url: string): Pattern | undefined {
    const segments = splitPath(decodePath(dropQuery(url)))
    const matching = [...this.#patterns.values()].filter((pattern) => matches(pattern.segments, segments))
    return matching.sort((a, b) => countParameters(a) - countParameters(b))[0]
  }
}

/** Lists the patterns that also match the address of a more specific pattern and support methods that it does not. */
function listShadowed(patterns: readonly Pattern[]): ReadonlySet<string> {
  const isShadowed = (pattern: Pattern) =>
    patterns.some(
      (other) =>
        countParameters(other) < countParameters(pattern) &&
        matches(pattern.segments, other.segments) &&
        [...pattern.methods].some((method) => !other.methods.has(method)),
    )
  return new Set(patterns.filter(isShadowed).map(({ url }) => url))
}

function countParameters({ segments }: Pattern): number {
  return segments.filter((segment) => segment.startsWith(':') || segment === '*').length
}

/** Splits a path. Routes ignore one slash at the end. */
function splitPath(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

/** Decodes a path, except for encoded slashes. */
function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.indexOf('*')
  if (rest < 0 ? pattern.length !== segments.length : segments.length <= rest) return false
  const named = rest < 0 ? pattern : pattern.slice(0, rest)
  return named.every((name, index) => (name.startsWith(':') ? segments[index] !== '' : name === segments[index]))
}
