// Tells an address that is unknown from one that takes other methods; Fastify answers both as not found.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestProblem } from './request-problem.ts'

/** A route pattern by its segments; `:name` stands for any segment, `*` for the rest. */
type Pattern = { readonly url: string; readonly segments: readonly string[]; readonly methods: Set<string> }

/** Which methods each address takes. Reads the routes of `app` as they are added, so it is made before them. */
export class AllowedMethods {
  readonly #patterns = new Map<string, Pattern>()
  #shadowed: ReadonlySet<string> | undefined

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      // @fastify/cors takes OPTIONS at every address, and passes on what is not for it.
      if (url === '*') return
      const pattern = this.#patterns.get(url) ?? { url, segments: splitPath(url), methods: new Set() }
      for (const one of [method].flat()) pattern.methods.add(one)
      this.#patterns.set(url, pattern)
    })
  }

  /**
   * Whether no route takes a request, or one alone that was not meant: `GET webhooks/test` does not ask for the webhook whose id is
   * `test`.
   */
  isUnserved({ is404, routeOptions, url }: FastifyRequest): boolean {
    if (is404) return true
    this.#shadowed ??= shadowedAmong([...this.#patterns.values()])
    const route = routeOptions.url
    return route !== undefined && this.#shadowed.has(route) && this.#patternOf(url)?.url !== route
  }

  /** Why a request was not served: `method-not-allowed` where the address takes other methods alone, else `route-not-found`. */
  explainUnserved({ url, originalUrl, method }: FastifyRequest): RequestProblem {
    const allowed = [...(this.#patternOf(url)?.methods ?? [])].sort()
    const shown = dropQuery(originalUrl).slice(0, 200)
    if (allowed.length === 0 || allowed.includes(method)) {
      return new RequestProblem('route-not-found', `Nothing answers ${method} ${shown}`)
    }
    const allow = allowed.join(', ')
    return new RequestProblem('method-not-allowed', `${shown} takes ${allow}, not ${method}`, { headers: { allow } })
  }

  /** The pattern of an address that names most of its segments. */
  #patternOf(url: string): Pattern | undefined {
    const segments = splitPath(decodePath(dropQuery(url)))
    const matching = [...this.#patterns.values()].filter((pattern) => matches(pattern.segments, segments))
    return matching.sort((a, b) => parameterCount(a) - parameterCount(b))[0]
  }
}

/** Patterns that also match addresses of a pattern which names more of its segments, and takes fewer methods. */
function shadowedAmong(patterns: readonly Pattern[]): ReadonlySet<string> {
  const isShadowed = (pattern: Pattern) =>
    patterns.some(
      (other) =>
        parameterCount(other) < parameterCount(pattern) &&
        matches(pattern.segments, other.segments) &&
        [...pattern.methods].some((method) => !other.methods.has(method)),
    )
  return new Set(patterns.filter(isShadowed).map(({ url }) => url))
}

function parameterCount({ segments }: Pattern): number {
  return segments.filter((segment) => segment.startsWith(':') || segment === '*').length
}

function dropQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** Routes ignore one slash at the end. */
function splitPath(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

/** Encoded slashes stay encoded. */
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
