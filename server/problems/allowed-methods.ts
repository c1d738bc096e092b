// Tells an address that is unknown from one that takes other methods; Fastify answers both as not found.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestProblem } from './request-problem.ts'

/** The methods of one route pattern, by its segments; `:name` stands for any segment, `*` for the rest. */
type Pattern = { readonly segments: readonly string[]; readonly methods: Set<string> }

/** Which methods each address takes. Reads the routes of `app` as they are added, so it is made before them. */
export class AllowedMethods {
  readonly #patterns = new Map<string, Pattern>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      // @fastify/cors takes OPTIONS at every address, and passes on what is not for it.
      if (url === '*') return
      const pattern = this.#patterns.get(url) ?? { segments: segmentsOf(url), methods: new Set() }
      for (const one of [method].flat()) pattern.methods.add(one)
      this.#patterns.set(url, pattern)
    })
  }

  /** Why a request was not served: `method-not-allowed` where the address takes other methods alone, else `route-not-found`. */
  problemOf({ url, originalUrl, method }: FastifyRequest): RequestProblem {
    const allowed = this.#methodsAt(pathOf(url))
    const shown = pathOf(originalUrl).slice(0, 200)
    if (allowed.length === 0 || allowed.includes(method)) {
      return new RequestProblem('route-not-found', `Nothing answers ${method} ${shown}`)
    }
    const allow = allowed.join(', ')
    return new RequestProblem('method-not-allowed', `${shown} takes ${allow}, not ${method}`, { headers: { allow } })
  }

  #methodsAt(path: string): string[] {
    const segments = segmentsOf(decoded(path))
    const matching = [...this.#patterns.values()].filter((pattern) => matches(pattern.segments, segments))
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** Routes ignore one slash at the end. */
function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

/** Encoded slashes stay encoded. */
function decoded(path: string): string {
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
