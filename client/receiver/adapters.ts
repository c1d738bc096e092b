// Adapters that connect a receiver to servers that do not use `Request` and `Response`. Each passes the body on
// unchanged, because the signature covers its bytes. The types name only what the adapters use, so that the package
// needs no types of Node.js, Express and Fastify.

/** A receiver, as `createReceiver` creates it. */
type Receive = (request: Request) => Promise<Response>

/** Bytes in memory that is not shared. `Uint8Array` takes a type argument only from TypeScript 5.7 on. */
type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>

/** What the adapters read of `http.IncomingMessage`, and what parsers of bodies add to it. */
type Incoming = AsyncIterable<Bytes> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly readableDidRead?: boolean | undefined
  readonly body?: unknown
  readonly rawBody?: unknown
}

/** Parts of a request besides its body. */
type Head = Pick<Incoming, 'method' | 'headers'>

type Body = Bytes | ReadableStream<Bytes>

/** What the adapters write of `http.ServerResponse`. */
type Outgoing = {
  statusCode: number
  readonly setHeader: (name: string, value: string) => unknown
  readonly end: (body: string) => unknown
}

/** What the adapter uses of a scope of Fastify. */
type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: 'buffer' },
    parser: (request: unknown, body: Bytes) => Promise<unknown>,
  ): unknown
  post(path: string, handler: (request: { readonly raw: Head; readonly body?: unknown }) => Promise<Response>): unknown
}

/**
 * Makes a listener for the servers of `node:http` and `node:https`, for Google Cloud Functions, and for the `req` and
 * `res` of Koa. If a parser has read the body before, its bytes must be in `rawBody` or `body`. An error of the
 * receiver is passed to the third argument; without one, it is answered with 500 and passed to `console.error`.
 *
 * @example
 * ```ts
 * createServer(toNodeListener(createReceiver({ signingSecrets, onNewCommit }))).listen(3000)
 * ```
 */
export function toNodeListener(
  receive: Receive,
): (incoming: Incoming, outgoing: Outgoing, onError?: (error: unknown) => void) => void {
  return (incoming, outgoing, onError) => {
    answer(receive, incoming, outgoing).catch((error: unknown) => {
      if (onError) return onError(error)
      console.error(error)
      outgoing.statusCode = 500
      outgoing.end('')
    })
  }
}

/**
 * Makes a handler for Express, which is the listener of `toNodeListener`: Express passes `next` as its third argument.
 *
 * @example
 * ```ts
 * app.post('/floe', toExpressHandler(createReceiver({ signingSecrets, onNewCommit })))
 * ```
 */
export function toExpressHandler(receive: Receive): ReturnType<typeof toNodeListener> {
  return toNodeListener(receive)
}

/**
 * Makes a plugin for Fastify. Its parser of bodies replaces those of the application for its route only.
 *
 * @example
 * ```ts
 * app.register(toFastifyPlugin(createReceiver({ signingSecrets, onNewCommit })), { prefix: '/floe' })
 * ```
 */
export function toFastifyPlugin(receive: Receive): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
    scope.post('/', ({ raw, body }) => receive(toRequest(raw, isBytes(body) ? body : new Uint8Array())))
  }
}

function isBytes(body: unknown): body is Bytes {
  return ArrayBuffer.isView(body)
}

async function answer(receive: Receive, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const response = await receive(toRequest(incoming, readBody(incoming)))
  outgoing.statusCode = response.status
  response.headers.forEach((value, name) => outgoing.setHeader(name, value))
  // The unread rest of a rejected body would block the next request on this connection.
  if (!response.ok) outgoing.setHeader('connection', 'close')
  outgoing.end(await response.text())
}

function toRequest({ method, headers }: Head, body: Body): Request {
  const init = {
    headers: Object.entries(headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
    // A receiver answers 405 to all other methods. GET stands for them here, because a Request cannot have some of
    // them.
    ...(method === 'POST' && { method, body, duplex: 'half' }),
  }
  return new Request('http://localhost/', init)
}

/** The stream has no `cancel`, which would close the connection before the answer to a rejected request is sent. */
function readBody(incoming: Incoming): Body {
  const { rawBody, body, readableDidRead } = incoming
  if (isBytes(rawBody)) return rawBody
  if (isBytes(body)) return body
  if (readableDidRead) {
    throw new TypeError(
      'the body was already read by a parser of the framework, but the signature covers its bytes: add the receiver ' +
        'before the parser, or pass its raw bytes as `rawBody` of the request',
    )
  }
  const chunks = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
