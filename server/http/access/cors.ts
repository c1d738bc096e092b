// Decides which pages of other origins may read and embed answers
// (https://fetch.spec.whatwg.org/#http-cors-protocol). Browsers do not add stored credentials to the requests of such
// pages. A page can send only an API key that it has itself, so any page may read public data.
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import { contract, metaPrefix, responseHeaders, writePattern } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import type { Deployment } from '../../deployment.ts'

/** How long a browser may cache the answer to a preflight, in seconds. */
const preflightMaxAge = 600

/** Headers that pages of other origins may read, besides those that CORS always allows. */
const { etag, snapshot, behind, retryAfter } = responseHeaders
const exposedHeaders = [etag.name, snapshot.name, behind.name, retryAfter.name]

const options: FastifyCorsOptions = {
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['authorization', 'if-none-match', 'last-event-id'],
  exposedHeaders,
  maxAge: preflightMaxAge,
  // Answers any OPTIONS request like a preflight, even one without the headers of a preflight.
  strictPreflight: false,
}

/** For the addresses to which pages send something. */
const postOptions: FastifyCorsOptions = {
  ...options,
  methods: ['POST'],
  allowedHeaders: ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
}

/** The addresses of a deployment. */
const deploymentAddress = new RegExp(`^${writePattern(metaPrefix)}(?=[/?#]|$)`)

/** The JSON Schemas, which editors read, and what clients of agents read before they sign in. */
const { notificationSchema, datasetContractSchema, protectedResource } = contract.documents
const { server, register, token, revoke } = contract.authorization
const schemas = [notificationSchema, datasetContractSchema]
const openAddresses = [...schemas, protectedResource, server, register, token, revoke].map(
  ({ path }) => new RegExp(`^${writePattern(path)}(?=[/?#]|$)`),
)

/** Where pages send messages of agents, what clients of these need, and contracts to judge. */
const postAddresses = [contract.mcp.send, contract.compatibility.check, register, token, revoke].map(
  ({ path }) => new RegExp(`^${writePattern(path)}(?=/?(?:\\?|$))`),
)

/** Decides which origins may read the answers of an address: all, those in the configuration, or only its own. */
export class OriginRules {
  readonly #public: ReadonlySet<string>
  readonly #listed: ReadonlySet<string>

  /** @param origins origins that may read private deployments, such as `https://app.example.org` */
  constructor(deployments: readonly Deployment[], origins: readonly string[]) {
    const isPublic = deployments.filter((deployment) => deployment.public)
    this.#public = new Set(isPublic.map(({ name, org }) => `${name}/${org}`))
    this.#listed = new Set(origins)
  }

  /** Finds the value of `Access-Control-Allow-Origin`; false if the header must be absent. */
  findAllowedOrigin(url: string, origin: string | undefined): string | false {
    const readers = this.#findReaders(url)
    if (readers === 'any') return '*'
    return readers === 'listed' && origin !== undefined && this.#listed.has(origin) ? origin : false
  }

  /** Whether the answer depends on the `Origin` of the request. */
  dependsOnOrigin(url: string): boolean {
    return this.#listed.size > 0 && this.#findReaders(url) === 'listed'
  }

  /**
   * Returns the value of `Cross-Origin-Resource-Policy`. Isolated pages (COEP) may embed answers that any origin may
   * read. Other answers cannot be embedded by other origins. The header does not apply to requests with CORS.
   */
  resourcePolicy(url: string): 'cross-origin' | 'same-origin' {
    return this.#findReaders(url) === 'any' ? 'cross-origin' : 'same-origin'
  }

  /** Finds which origins may read an address: any, those that the configuration lists, or only that of the service. */
  #findReaders(url: string): 'any' | 'listed' | 'same' {
    if (openAddresses.some((address) => address.test(url))) return 'any'
    const { deployment, org } = deploymentAddress.exec(url)?.groups ?? {}
    if (deployment === undefined) return 'same'
    // An unknown deployment is treated like a private one, so that callers cannot tell them apart.
    return this.#public.has(`${deployment}/${org}`) ? 'any' : 'listed'
  }
}

/** Adds CORS headers to every answer of `app`, and answers preflights, which carry no credentials. */
export async function allowOrigins(app: FastifyInstance, rules: OriginRules): Promise<void> {
  await app.register(cors, {
    delegator: ({ url, headers }, done) =>
      done(null, {
        ...(postAddresses.some((address) => address.test(url)) ? postOptions : options),
        origin: rules.findAllowedOrigin(url, headers.origin),
      }),
  })
  app.addHook('onRequest', ({ url }, reply, done) => {
    reply.header('cross-origin-resource-policy', rules.resourcePolicy(url))
    // @fastify/cors sets `Vary: Origin` on every answer, so that caches would keep a copy for each origin.
    if (!rules.dependsOnOrigin(url)) reply.removeHeader('vary')
    done()
  })
}

/** Makes the CORS headers of an answer for which no hook runs, because the address cannot be decoded. */
export function makeCorsHeaders(rules: OriginRules, url: string, origin: string | undefined): Record<string, string> {
  const allowed = rules.findAllowedOrigin(url, origin)
  return {
    ...(allowed !== false && {
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': exposedHeaders.join(', '),
    }),
    ...(rules.dependsOnOrigin(url) && { vary: 'Origin' }),
    'cross-origin-resource-policy': rules.resourcePolicy(url),
  }
}
