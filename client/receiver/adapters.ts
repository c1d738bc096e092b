// Connect a receiver to servers that do not use `Request` and `Response`. Each takes the body as it came, because the signature covers its
// bytes. The types name only what the adapters use, so that the package needs no types of Node.js, Express and Fastify.

/** The function that `createReceiver` creates. */
type Receive = (request: Request) => Promise<Response>

/** What the adapters read of `http.IncomingMessage`. */
type Incoming = AsyncIterable<Uint8Array<ArrayBuffer>> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** What the adapters write of `http.ServerResponse`. */
type Outgoing = {
  statusCode: number
  readonly setHeader: (name: string, value: string) => unknown
  readonly end: (body: string) => unknown
}

/** What the adapter uses of a scope of Fastify. */
type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: (request: unknown, body: unknown) => Promise<unknown>): unknown
  post(
    path: string,
    handler: (
      request: { readonly raw: Incoming },
      reply: { header(name: string, value: string): unknown },
    ) => Promise<Response>,
  ): unknown
}

/**
 * Makes a listener for the servers of `node:http` and `node:https`. An error of the receiver is answered with 500 and passed to
 * `console.error`.
 *
 * @example
 * ```ts
 * createServer(toNodeListener(createReceiver({ signingSecrets, onNewCommit }))).listen(3000)
 * ```
 */
export function toNodeListener(receive: Receive): (incoming: Incoming, outgoing: Outgoing) => void {
  return (incoming, outgoing) => {
    answer(receive, incoming, outgoing).catch((error: unknown) => {
      console.error(error)
      outgoing.statusCode = 500
      outgoing.end('')
    })
  }
}

/**
 * Makes a handler for Express. No parser may read the body before it, except `express.raw`.
 *
 * @example
 * ```ts
 * app.post('/floe', toExpressHandler(createReceiver({ signingSecrets, onNewCommit })))
 * ```
 */
export function toExpressHandler(
  receive: Receive,
): (incoming: Incoming & { readonly body?: unknown }, outgoing: Outgoing, onError: (error: unknown) => void) => void {
  return (incoming, outgoing, onError) => {
    const { body } = incoming
    if (body !== undefined && !isBytes(body)) {
      onError(
        new TypeError(
          'a parser of Express has read the body, but the signature covers its bytes: add the receiver before the parser',
        ),
      )
      return
    }
    answer(receive, incoming, outgoing, body).catch(onError)
  }
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
    scope.addContentTypeParser('*', async (_request, body) => body)
    scope.post('/', async ({ raw }, reply) => {
      const response = await receive(toRequest(raw))
      if (!response.ok) reply.header('connection', 'close')
      return response
    })
  }
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

/** @param read the body, if it was already read */
async function answer(
  receive: Receive,
  incoming: Incoming,
  outgoing: Outgoing,
  read?: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const response = await receive(toRequest(incoming, read))
  outgoing.statusCode = response.status
  response.headers.forEach((value, name) => outgoing.setHeader(name, value))
  // The unread rest of a refused body would block the next request on this connection.
  if (!response.ok) outgoing.setHeader('connection', 'close')
  outgoing.end(await response.text())
}

function toRequest(incoming: Incoming, read?: Uint8Array<ArrayBuffer>): Request {
  const init = {
    headers: Object.entries(incoming.headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
    // A receiver refuses all other methods, some of which a Request cannot have.
    ...(incoming.method === 'POST' && { method: 'POST', body: read ?? streamBody(incoming), duplex: 'half' }),
  }
  return new Request('http://localhost/', init)
}

/** Without `cancel`, which would end the connection before a refusal is sent. */
function streamBody(incoming: Incoming): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
