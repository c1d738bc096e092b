// What the OpenAPI document says about answers holds on the wire: their headers, their media types, and the examples of
// parameters.
import { responseHeaders } from '@floe/contract'
import { readIndexState } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { waitUntil } from '../../wait-until.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

const Reference = z.object({ $ref: z.string() })
const Answer = z.object({
  headers: z.record(z.string(), Reference).default({}),
  content: z.record(z.string(), z.unknown()).default({}),
})
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(
    // A parameter with several values is repeated; none of the examples has more than one.
    z.object({
      name: z.string(),
      in: z.string(),
      example: z.union([z.string(), z.number().transform(String), z.tuple([z.string()]).transform(([only]) => only)]),
    }),
  ),
  requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown() })) }).optional(),
  responses: z.record(z.string(), z.union([Reference, Answer])),
})
type Operation = z.infer<typeof Operation>
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ responses: z.record(z.string(), Answer) }),
})

/** An operation, and the answers that the document names for it. */
type Documented = Operation & {
  readonly method: string
  readonly path: string
  readonly answers: ReadonlyMap<string, z.infer<typeof Answer>>
}

/** Reads the operations of the served document, and makes the function that finds one by its name. */
async function readOperations(server: RunningServer) {
  const { paths, components } = Document.parse(await (await server.get('openapi.json')).json())
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const answers = Object.entries(operation.responses).map(([status, answer]) => {
        const named = '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer
        return [status, Answer.parse(named)] as const
      })
      return { ...operation, method: method.toUpperCase(), path, answers: new Map(answers) }
    }),
  )
  const find = (id: string): Documented => {
    const operation = operations.find(({ operationId }) => operationId === id)
    if (operation === undefined) throw new TypeError(`${id} is not in the document`)
    return operation
  }
  return { operations, find }
}

/** Sends a request with the examples of the document, as Swagger UI does when nothing is changed. */
function tryOut(server: RunningServer, operation: Documented, init: RequestInit = {}): Promise<Response> {
  const { parameters, path, method, requestBody } = operation
  const ofKind = (kind: string) => parameters.filter((parameter) => parameter.in === kind)
  const url = new URL(server.origin)
  url.pathname = ofKind('path').reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  )
  for (const { name, example } of ofKind('query')) url.searchParams.set(name, example)
  const body = requestBody?.content['application/json']?.example
  const headers = {
    authorization: basic('acme', server.adminKey),
    ...Object.fromEntries(ofKind('header').map(({ name, example }) => [name, example])),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...init,
  })
}

const limits: ReadonlySet<string> = new Set(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])

/** Checks the headers and the media type of an answer against the document, both ways. */
async function checkAnswer(t: Test, { operationId, answers }: Documented, response: Response): Promise<void> {
  const { status, headers, body } = response
  // A stream of events does not end.
  await body?.cancel()
  const what = `${operationId}: ${status}`
  const documented = answers.get(String(status))
  if (documented === undefined) throw new TypeError(`${what} is not documented`)
  const titles = Object.values(responseHeaders).map(({ title }) => title)
  const sent = titles.filter((title) => headers.has(title))
  // Only answers at `main@good` say how far they are behind.
  const named = new Set(Object.keys(documented.headers).filter((title) => title !== 'Floe-Behind'))
  // Limits come with most failures too, where the document leaves them out. Icechunk reads no more of a refusal to open
  // than `Location`.
  const known = sent.filter((title) => named.has(title) || status < 400 || !(limits.has(title) || title === 'Location'))
  t.strictSame(known.toSorted(), [...named].toSorted(), what)
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  const mediaTypes = Object.keys(documented.content)
  t.ok(mediaTypes.length === 0 ? mediaType === '' : mediaTypes.includes(mediaType), `${what} is ${mediaType}`)
}

/** Repositories that `npm start` serves too, with a limit, so that all headers are sent. */
const open = (t: Test) => startServer(t, { metadataPerMinute: 1_000, hasSearch: true, hasOperator: true })

t.test('every reading operation answers the examples of its parameters, with the documented headers', async (t) => {
  const server = await open(t)
  await server.notifier.start()
  // Answers of search change while the index fills.
  await waitUntil(async () => {
    const { repositories, pending } = await readIndexState(server.db, { org: 'acme', repos: null, branches: [] })
    return repositories > 0 && pending === 0
  })
  const { operations } = await readOperations(server)
  const reading = operations.filter(({ method }) => method === 'GET')
  t.ok(reading.length > 30)
  for (const operation of reading) {
    const response = await tryOut(server, operation)
    // A new service has no receivers and no deliveries, whose ids nobody can know in advance.
    const redirected = operation.answers.has('303') ? 303 : 200
    // Nor does it publish where its repositories are stored.
    const opened = operation.answers.has('302') ? 409 : redirected
    // Without issuers, of which the service itself may be one, there is nothing to say about them, and nobody signs in.
    const isMissing = /\{id\}|^\/\.well-known\/|\/oauth\/|^\/v1\/(?:sign-in|account)/.test(operation.path)
    const expected = isMissing ? 404 : opened
    t.equal(response.status, expected, operation.operationId)
    await checkAnswer(t, operation, response)
    const etag = response.headers.get('etag')
    if (!operation.answers.has('304') || etag === null) continue
    const headers = { authorization: basic('acme', server.adminKey), 'if-none-match': etag }
    const known = await tryOut(server, operation, { headers })
    t.equal(known.status, 304, operation.operationId)
    await checkAnswer(t, operation, known)
  }
})

t.test('the examples of bodies set up receivers, and changes have the documented headers', async (t) => {
  const server = await open(t)
  const { find } = await readOperations(server)
  for (const owner of ['receivers', 'orgReceivers']) {
    const create = find(`${owner}Create`)
    const created = await tryOut(server, create)
    t.equal(created.status, 201)
    let etag = created.headers.get('etag') ?? ''
    const id = created.headers.get('location')?.split('/').at(-1) ?? ''
    await checkAnswer(t, create, created)
    for (const name of ['Get', 'Update', 'Delete']) {
      const one = find(`${owner}${name}`)
      const known = new Map([
        ['id', id],
        ['If-Match', etag],
      ])
      const parameters = one.parameters.map((parameter) => ({
        ...parameter,
        example: known.get(parameter.name) ?? parameter.example,
      }))
      const response = await tryOut(server, { ...one, parameters })
      etag = response.headers.get('etag') ?? ''
      t.ok(response.ok, `${one.operationId}: ${response.status}`)
      await checkAnswer(t, one, response)
    }
  }
})

t.test('refusals have the documented headers', async (t) => {
  const server = await startServer(t, { metadataPerMinute: 2, streamLimits: { streams: 0, streamsPerCaller: 1 } })
  const { find } = await readOperations(server)
  const [refs, events, receivers] = [find('discoveryRefs'), find('eventsStream'), find('receiversList')]
  const expect = async (operation: Documented, status: number, init?: RequestInit) => {
    const response = await tryOut(server, operation, init)
    t.equal(response.status, status)
    await checkAnswer(t, operation, response)
  }
  await expect(receivers, 401, { headers: {} })
  await expect(receivers, 405, { method: 'PUT' })
  await expect(events, 503)
  await expect(refs, 200)
  await expect(refs, 429)
})
