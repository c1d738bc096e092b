// The HTTP server below Fastify. It answers from the cache before Fastify makes its request and its reply.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import { cleanForwardedFor } from './access/clean-forwarded-for.ts'

// An import would read every export of the module, and so load the library of `fetch`, which a start does not need.
const { createServer } = process.getBuiltinModule('node:http')

/** What cached answers need of a request. Fastify's requests have these members too. */
export type ReceivedRequest = Pick<FastifyRequest, 'raw' | 'method' | 'originalUrl' | 'headers' | 'ip' | 'id'>

/** Sends the cached answer to a request. Returns false, without any effect, if there is none. */
export type AnswerFromCache = (request: ReceivedRequest, response: ServerResponse) => boolean

/** Limits of one connection; times are in milliseconds. */
const connectionLimits = {
  /** Size of the address and the headers of a request together, in bytes. */
  maxHeaderSize: 16_384,
  /** The headers of a request must arrive within this time. */
  headersTimeout: 20_000,
  /** A request, including its body, must arrive within this time. */
  requestTimeout: 60_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 5_000,
  /** An idle connection stays open for this time: longer than in most proxies, because those must close first. */
  keepAliveTimeout: 72_000,
  /** The application checks it, because the answer of Node.js has no body. */
  requireHostHeader: false,
} as const

/** A connection is closed after this many requests, so that a load balancer can choose another process. */
const maxRequestsPerSocket = 10_000

type ServerOptions = {
  /** Undefined if Fastify's hooks have to see every request. */
  readonly answerFromCache: AnswerFromCache | undefined
  /** Networks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  /** Closes a connection on which nothing is sent or received for this long, in milliseconds. */
  readonly idleMs: number
}

/** Opens the server of an application. `handle` answers what the cache cannot. */
export function openServer(handle: RequestListener, { answerFromCache, trustProxy, idleMs }: ServerOptions): Server {
  const isTrusted = trustProxy.length > 0 ? proxyAddress.compile([...trustProxy]) : undefined
  const server = createServer(connectionLimits, (request, response) => {
    if (isTrusted !== undefined) cleanForwardedFor(request.headers)
    if (!server.listening) response.setHeader('connection', 'close')
    if (answerFromCache?.(new EarlyRequest(request, isTrusted), response) !== true) handle(request, response)
  })
  server.maxRequestsPerSocket = maxRequestsPerSocket
  server.setTimeout(idleMs)
  return server
}

/** A request that Fastify has not read yet. Few cached answers need its id or the address of its caller. */
class EarlyRequest implements ReceivedRequest {
  readonly raw: IncomingMessage
  readonly #isTrusted: ReturnType<typeof proxyAddress.compile> | undefined

  constructor(raw: IncomingMessage, isTrusted: ReturnType<typeof proxyAddress.compile> | undefined) {
    this.raw = raw
    this.#isTrusted = isTrusted
  }

  get method(): string {
    return this.raw.method ?? ''
  }

  get originalUrl(): string {
    return this.raw.url ?? ''
  }

  get headers(): IncomingMessage['headers'] {
    return this.raw.headers
  }

  get ip(): string {
    if (this.#isTrusted !== undefined) return proxyAddress(this.raw, this.#isTrusted)
    return this.raw.socket.remoteAddress ?? ''
  }

  get id(): string {
    return randomUUID()
  }
}
