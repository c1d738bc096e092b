import { contract, NewCommit, Problem, problemDefinitions, listRoutes } from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import document from '@floe/contract/openapi.json' with { type: 'json' }
import { t, type Test } from 'tap'
import { z } from 'zod'
import { describeDeployment } from '../../../../server/metadata/documentation/openapi/describe-deployment.ts'
import { buildOpenApiDocument } from '../../../../server/metadata/documentation/openapi/openapi-document.ts'
import { writeHeaders } from '../../../../server/notifications/deliver/write-request.ts'
import { signingSecret } from '../../notifications/deliver/sample-claim.ts'

const Media = z.object({
  schema: z.record(z.string(), z.unknown()),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ $ref: z.string() })).optional(),
})
const Content = z.record(z.string(), Media)
const Named = z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() })
const Response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.object({ $ref: z.string() })).optional(),
  content: Content.optional(),
})
const Responses = z.record(z.string(), Response)
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Named),
  requestBody: z.object({ required: z.literal(true), content: Content }).optional(),
  // Every operation refers to the same answer to other methods.
  responses: z.looseObject({ 405: z.object({ $ref: z.string() }).optional() }).transform((all) => {
    const { 405: _, ...own } = all
    return Responses.parse(own)
  }),
})
type Operation = z.infer<typeof Operation>
const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ description: z.string(), license: z.object({ identifier: z.string() }) }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.object({ NewCommit: z.object({ $ref: z.literal('#/components/pathItems/NewCommit') }) }),
  components: z.object({
    pathItems: z.object({ NewCommit: z.object({ post: Operation }) }),
    responses: Responses,
    examples: z.record(z.string(), z.object({ value: Problem })),
  }),
})

const Schema = z.record(z.string(), z.unknown())
const OfGenerators = z.object({
  components: z.object({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.object({ name: z.string(), schema: Schema })) })),
  ),
})

const serverUrl = 'https://floe.example.org'
const generic = Document.parse(buildOpenApiDocument(serverUrl))
const privateOne = Document.parse(
  describeDeployment(document, serverUrl, { name: 'tiles', org: 'acme', public: false, repos: ['**'] }),
)
const publicOne = Document.parse(
  describeDeployment(document, serverUrl, { name: 'open', org: 'acme', public: true, repos: ['**'] }),
)

const listOperations = (document: z.infer<typeof Document>) =>
  Object.values(document.paths).flatMap(Object.values<Operation>)

/** Each route of the contract with its operation in the generic document. */
const described = [...listRoutes(contract)].map(([id, route]) => {
  const path = route.path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
  const operation = generic.paths[path]?.[route.method.toLowerCase()]
  if (!operation) throw new Error(`${id} is not in the document`)
  return { id, route, operation }
})

t.test(
  'every operation has a name that is an identifier and its own, and a summary under a described tag',
  async (t) => {
    const operations = [...listOperations(generic), generic.components.pathItems.NewCommit.post]
    t.equal(operations.length, described.length + 1)
    t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    const tags = new Set(generic.tags.map(({ name }) => name))
    for (const { operationId, summary, tags: own } of operations) {
      t.match(operationId, /^[a-z][A-Za-z]*$/)
      t.ok(summary)
      t.ok(own.length > 0 && own.every((tag) => tags.has(tag)), `${operationId} has known tags`)
    }
  },
)

t.test('no reference is dangling', async (t) => {
  const document = buildOpenApiDocument(serverUrl)
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)
  const seen = new Set([...references].map(([, kind = '', name = '']) => `${kind}/${name}`))
  t.ok(seen.size > 40)
  for (const reference of seen) {
    const [kind = '', name = ''] = reference.split('/')
    t.match(document, { components: { [kind]: { [name]: {} } } })
  }
})

// Proves: `/openapi.json` and its pages list all routes, without the path parameters that the deployment determines
t.test(
  'the document of a deployment has every route, and of the parameters in paths those that are left',
  async (t) => {
    const expected = [...listRoutes(contract)].map(([, { method, path }]) => {
      const shown = path
        .replace(':deployment', 'tiles')
        .replace(':org', 'acme')
        .replace(/(?<=.)\/$/, '')
      return `${method} ${shown.replace(/:(\w+)/g, '{$1}')}`
    })
    const listed = Object.entries(privateOne.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters }]) => {
        const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
        t.strictSame(declared.sort(), (path.match(/\{\w+\}/g) ?? []).sort(), path)
        return `${method.toUpperCase()} ${path}`
      }),
    )
    t.strictSame(listed.sort(), expected.sort())
  },
)

t.test("a deployment's document has its names in every path and asks for its credentials", async (t) => {
  for (const document of [privateOne, publicOne]) {
    t.notMatch(JSON.stringify(document.paths), '{deployment}')
    t.notMatch(JSON.stringify(document.paths), '"name":"org"')
  }
  t.ok(publicOne.paths['/v1/services/open/acme/_meta/datasets/{repo}/{ref}/{group}/info'])
  const withKey = [{ basic: [] }, { bearer: [] }]
  for (const { id, route, operation } of described) {
    const pick = (document: z.infer<typeof Document>) =>
      listOperations(document).find(({ operationId }) => operationId === operation.operationId)?.security
    const access: unknown = Object(route.metadata).access
    t.strictSame(operation.security, access === 'anyone' ? [] : withKey, id)
    t.strictSame(pick(privateOne), access === 'anyone' ? [] : withKey, id)
    const ofPublic = { anyone: [], reader: [{}, ...withKey], checker: withKey, admin: withKey }[String(access)]
    t.strictSame(pick(publicOne), ofPublic, id)
  }
  t.match(privateOne.info.description, 'This deployment is private')
  t.match(publicOne.info.description, 'This deployment is public')
  t.match(
    generic.info.description,
    /All routes of a private deployment need a key; those of a public deployment need none/,
  )
})

t.test('answers name the headers that come with them, and conditional requests theirs', async (t) => {
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  for (const [operationId, status, expected] of [
    ['datasetsGroupInfo', '200', ['ETag', 'Floe-Snapshot', 'Floe-Behind', ...limits]],
    ['datasetsGroupInfo', '304', ['ETag', 'Floe-Snapshot', 'Floe-Behind', ...limits]],
    ['discoveryRefs', '200', ['ETag', ...limits]],
    ['discoveryDatasets', '200', ['ETag', 'Floe-Snapshot', 'Floe-Behind', ...limits]],
    ['receiversCreate', '201', ['ETag', 'Location', ...limits]],
    ['receiversUpdate', '200', ['ETag', ...limits]],
    ['receiversUpdate', '401', ['WWW-Authenticate']],
    ['receiversUpdate', '429', ['Retry-After', ...limits]],
    ['receiversUpdate', '503', ['Retry-After']],
    ['documentsOpenapi', '200', []],
  ] as const) {
    const { responses } = listOperations(generic).find((operation) => operation.operationId === operationId) ?? {}
    t.strictSame(Object.keys(responses?.[status]?.headers ?? {}), expected, `${operationId}: ${status}`)
  }
  for (const { id, route, operation } of described) {
    const parameters = new Set(operation.parameters.map(({ name }) => name))
    t.equal(parameters.has('If-None-Match'), 304 in route.responses, id)
    t.equal(parameters.has('If-Match'), 412 in route.responses, id)
  }
})

/** One event of a stream, whose data is the JSON of a notification. */
t.test('generators of others understand the schemas', async (t) => {
  const text = JSON.stringify(buildOpenApiDocument(serverUrl))
  t.notMatch(text, '"additionalProperties":{}', 'orval writes invalid TypeScript for a schema of any value')
  t.notMatch(text, /\\w/, "Unicode's letters make the expressions of Rust too large")
  const { components, paths } = OfGenerators.parse(JSON.parse(text))
  const names = Object.keys(components.schemas)
  t.strictSame(
    names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New')),
    [],
    'constructors of Go are called New and the name of the type',
  )
  t.notMatch(text, '"type":"null","description"', 'there is no type for null alone')
  t.notMatch(text, /"type":"(?:boolean|number|integer)","const"/, 'lists of values hold texts')
  const parameters = Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => one.parameters))
  const limits = parameters.filter(({ name }) => ['limit', 'page'].includes(name))
  t.ok(limits.length > 5 && limits.every(({ schema }) => schema['type'] === 'integer'), 'numbers are numbers')
  t.notMatch(JSON.stringify(parameters), '"anyOf"', 'a parameter that can be repeated is a list')
  const enums = Object.values(components.schemas).flatMap((schema) => z.array(z.string()).parse(schema['enum'] ?? []))
  t.equal(new Set(enums).size, enums.length, 'values of named lists are constants of Go')
  t.match(text, '"availability":{"type":"string","description"', 'lists in answers are open')
  t.match(text, /"role":\{[^}]*"enum":\["reader","checker","admin"\]/, 'lists in requests are closed')
})

const Event = z.object({
  id: z.string(),
  event: z.literal('NewCommit'),
  data: z.string().transform((text) => NewCommit.parse(JSON.parse(text))),
})

t.test('every body has an example that its own schema accepts', async (t) => {
  for (const { id, route, operation } of described) {
    if ('body' in route && route.body instanceof z.ZodType) {
      const [content] = Object.values(operation.requestBody?.content ?? {})
      checkExample(t, `${id}: request`, route.body, content?.example)
    }
    for (const [status, response] of Object.entries(route.responses)) {
      if (Number(status) >= 400) continue
      for (const [type, { example }] of Object.entries(operation.responses[status]?.content ?? {})) {
        const schema =
          { 'text/html': z.string(), 'application/atom+xml': z.string(), 'text/event-stream': Event }[type] ??
          readBody(response)
        checkExample(t, `${id}: ${status} ${type}`, schema, example)
      }
    }
  }
  const { requestBody } = generic.components.pathItems.NewCommit.post
  checkExample(t, 'the notification', NewCommit, requestBody?.content['application/json']?.example)
})

t.test('every problem is listed by its code, with an example of it', async (t) => {
  const listed = new Set<string>()
  for (const { id, route, operation } of described) {
    for (const [status, response] of Object.entries(route.responses).filter(([status]) => Number(status) >= 400)) {
      const { description = '', content } = operation.responses[status] ?? {}
      const { schema, examples = {} } = content?.['application/problem+json'] ?? {}
      t.strictSame(schema, { $ref: '#/components/schemas/Problem' }, id)
      for (const code of listCodes(readBody(response))) {
        listed.add(code)
        t.match(description, `/problems/${code}`)
        t.strictSame(examples[code], { $ref: `#/components/examples/${code}` })
        t.match(generic.components.examples[code]?.value, { status: Number(status), instance: /^urn:uuid:/ })
      }
    }
  }
  t.match(generic.components.responses['MethodNotAllowed'], {
    description: /method-not-allowed/,
    headers: { Allow: {} },
  })
  listed.add('method-not-allowed')
  const inOrder = Object.keys(problemDefinitions).filter((code) => listed.has(code))
  t.strictSame(Object.keys(generic.components.examples), inOrder)
})

t.test('the webhook lists the headers that are sent, and which of them are always', async (t) => {
  const { parameters, security } = generic.components.pathItems.NewCommit.post
  t.strictSame(security, [{ secretToken: [] }, {}])
  const event = { payload: '{}', line: 'line', sequence: 2 }
  const writeSent = (isTest: boolean, secretToken: string | null) => {
    const way = { kind: 'webhook', url: 'https://example.org/', service: null, filter: defaultFilter } as const
    const receiver = { ...way, secretToken, headers: {} }
    const message = { deliveryId: 'msg_1', attempt: 1, replayOf: isTest ? 'msg_0' : null, isTest, event }
    const headers = writeHeaders(message, { ...receiver, signingSecrets: [signingSecret] }, '{}', '1.0.0', 0)
    // The body's own description says this one.
    return Object.keys(headers).filter((name) => name !== 'content-type')
  }
  t.strictSame(parameters.map(({ name }) => name).sort(), writeSent(true, 'token').sort())
  t.strictSame(
    parameters
      .filter(({ required }) => required)
      .map(({ name }) => name)
      .sort(),
    writeSent(false, null).sort(),
  )
})

/** The schema of an answer's body, which stands alone or beside a content type. */
function readBody(response: unknown): z.ZodType {
  const body: unknown = response instanceof z.ZodType ? response : Object(response).body
  if (!(body instanceof z.ZodType)) throw new TypeError('this answer has no body')
  return body
}

function listCodes(problem: z.ZodType): string[] {
  if (!(problem instanceof z.ZodObject) || !(problem.shape['type'] instanceof z.ZodEnum))
    throw new TypeError('no problem')
  return problem.shape['type'].options.map((type) => String(type).replace('/problems/', ''))
}

function checkExample(t: Test, what: string, schema: z.ZodType, example: unknown): void {
  t.not(example, undefined, `${what} has an example`)
  t.strictSame(schema.safeParse(example).error?.issues ?? [], [], `${what} accepts it`)
}
