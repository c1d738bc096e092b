import { contract, Problem, listRoutes } from '@floe/contract'
import { t, type Test } from 'tap'
import { basic } from '../start-server.ts'
import { startAdministration } from './start-administration.ts'

type Route = { readonly id: string; readonly method: string; readonly path: string; readonly takesBody: boolean }

/** A request's body, and what is wrong with it. */
type Case = {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
  readonly status: number
  readonly type: string
  readonly pointer?: string
}

const changes: readonly Route[] = [...listRoutes(contract)]
  .filter(([, { method, path }]) => method !== 'GET' && path.startsWith('/v1/orgs/'))
  .map(([id, route]) => {
    const takesBody = 'body' in route && typeof route.body === 'object'
    return { id, method: route.method, path: route.path.replace('/v1/orgs/:org/', ''), takesBody }
  })

/** A server with webhooks, and each route's address on it. */
async function start(t: Test) {
  const server = await startAdministration(t)
  const add = async (path: string, members: object) => {
    const body = { url: 'https://127.0.0.1/hook', events: ['NewCommit'], enabled: false, ...members }
    return (await (await server.administer('POST', path, body)).json()).id
  }
  const ids: Record<string, string> = {
    receivers: await add('repos/weather/receivers', { kind: 'webhook', alias: 'hook' }),
    orgReceivers: await add('receivers', { kind: 'webhook', alias: 'hook' }),
    expectations: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    orgExpectations: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    orgDeliveries: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    deliveries: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    remarks: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    keys: '0123456789abcdef',
    sessions: 'x'.repeat(43),
  }
  const writeAddress = ({ id, path }: Route) => {
    const [resource = ''] = id.split('.')
    return `${server.org}/${path.replace(':repo', 'weather').replace(':id', ids[resource] ?? '')}`
  }
  const send = async (route: Route, { body, headers }: Pick<Case, 'body' | 'headers'>) => {
    const authorization = basic('acme', server.adminKey)
    const response = await fetch(writeAddress(route), {
      method: route.method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(180_000),
    })
    return { status: response.status, problem: Problem.parse(await response.json()) }
  }
  return { server, send }
}

const bytes = (...values: number[]) => new Uint8Array(values)

const unsupported = { status: 415, type: 'unsupported-media-type' }
const invalid = { status: 400, type: 'invalid-request', pointer: '/body' }

/** Wrong whatever the route; what cannot be read is refused before anybody asks what it is for. */
const unreadable = {
  'plain text': { ...unsupported, body: '{}', headers: { 'content-type': 'text/plain' } },
  'a form': { ...unsupported, body: 'url=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'no type that is one': { ...unsupported, body: '{}', headers: { 'content-type': 'json' } },
  'a content coding': { ...unsupported, body: bytes(0x1f, 0x8b), headers: { 'content-encoding': 'gzip' } },
  'another charset': {
    ...unsupported,
    body: '{}',
    headers: { 'content-type': 'application/json; charset=iso-8859-1' },
  },
  // Bodies with a contract may have a megabyte.
  'a long text': { status: 413, type: 'body-too-large', body: `"${'x'.repeat(1_100_000)}"` },
  'no JSON': { ...invalid, body: '{"url":' },
  'no UTF-8': { ...invalid, body: bytes(0x22, 0xff, 0x22) },
  'a prototype': { ...invalid, body: '{"__proto__":{"url":1}}' },
  'deep nesting': { ...invalid, body: '['.repeat(30_000) + ']'.repeat(30_000) },
} satisfies Record<string, Case>

/** Well written, and not what any route expects. */
const meaningless: Record<string, Case> = {
  null: { ...invalid, body: 'null' },
  'a number': { ...invalid, body: '1e999' },
}

/** Not what routes expect whose body the contract describes in full. */
const unexpected: Record<string, Case> = { ...meaningless, 'a list': { ...invalid, body: '[]' } }

/** A body with a member that no route knows. The kind of an expectation or a receiver decides what is known. */
function addUnknownMember({ id }: Route): Record<string, Case> {
  const kind = /expectations/i.test(id) ? 'freshness' : 'webhook'
  return { 'an unknown member': { ...invalid, body: JSON.stringify({ kind, surprise: 1 }), pointer: '/body/surprise' } }
}

t.test('every change refuses a bad body with a problem that names the place', async (t) => {
  const { send } = await start(t)
  t.ok(changes.length >= 13)
  for (const route of changes) {
    const surprise = { ...invalid, body: '{"surprise":1}' }
    // What object stores send is described only where it is read.
    const wrong = route.id === 'storageEvents.report' ? meaningless : { ...unexpected, ...addUnknownMember(route) }
    const cases = { ...unreadable, ...(route.takesBody ? wrong : { 'a body where none is taken': surprise }) }
    for (const [what, { status, type, pointer, ...request }] of Object.entries<Case>(cases)) {
      const answer = await send(route, request)
      const wanted = { type: `/problems/${type}`, status }
      t.match(answer, { status, problem: wanted }, `${route.id}: ${what}`)
      const pointers = (answer.problem.errors ?? []).map((error) => error.pointer)
      if (pointer !== undefined) t.ok(pointers.includes(pointer), `${route.id}: ${what}: ${pointers.join()}`)
    }
  }
})

const receiver = { kind: 'webhook', url: 'https://127.0.0.1/', alias: 'new', events: ['NewCommit'] }

/** Members that are wrong, by the route that is asked and the pointer that is answered. */
const wrongMembers: readonly (readonly [route: string, pointer: string, members: object])[] = [
  ['receivers.create', '/body/url', { ...receiver, url: 7 }],
  ['receivers.create', '/body/url', { ...receiver, url: undefined }],
  ['receivers.create', '/body/url', { ...receiver, url: '' }],
  ['receivers.create', '/body/alias', { ...receiver, alias: '   ' }],
  ['receivers.create', '/body/alias', { ...receiver, alias: 'x'.repeat(101) }],
  ['receivers.create', '/body/events', { ...receiver, events: [] }],
  ['receivers.create', '/body/events', { ...receiver, events: ['NewCommit', 'NewCommit'] }],
  ['receivers.create', '/body/events/0', { ...receiver, events: ['NewTag'] }],
  ['receivers.create', '/body/events/0', { ...receiver, events: [{}] }],
  ['receivers.create', '/body/secret_token', { ...receiver, secret_token: '' }],
  ['receivers.create', '/body/secret_token', { ...receiver, secret_token: 'two words' }],
  ['receivers.create', '/body/secret_token', { ...receiver, secret_token: 'line\r\nbreak' }],
  ['receivers.create', '/body/secret_token', { ...receiver, secret_token: 'x'.repeat(257) }],
  ['receivers.create', '/body/headers', { ...receiver, headers: ['Authorization'] }],
  ['receivers.create', '/body/headers', { ...receiver, headers: null }],
  [
    'receivers.create',
    '/body/headers',
    { ...receiver, headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, 'x'])) },
  ],
  ['receivers.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': '' } }],
  ['receivers.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': 'line\r\nbreak: x' } }],
  ['receivers.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': ' x' } }],
  ['receivers.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': 'x'.repeat(4_097) } }],
  ['receivers.create', '/body/headers/x-key', { ...receiver, headers: { 'X-Key': 'x', 'x-key': 'x' } }],
  ['receivers.create', '/body/headers/x_key', { ...receiver, headers: { 'X-Key': 'x', x_key: 'x' } }],
  ['receivers.create', '/body/headers/two words', { ...receiver, headers: { 'two words': 'x' } }],
  ...[
    'Host',
    'content-length',
    'Content-Encoding',
    'Webhook-Id',
    'X-Secret-Token',
    'User-Agent',
    'connection',
    'Content_Length',
    'webhook_signature',
    'X_Secret-Token',
  ].map((name) => ['receivers.create', `/body/headers/${name}`, { ...receiver, headers: { [name]: 'x' } }] as const),
  ...['Transfer-Encoding', 'TE', 'Upgrade', 'Proxy-Authorization', 'Keep-Alive', 'Expect', 'Trailer'].map(
    (name) => ['receivers.update', `/body/headers/${name}`, { kind: 'webhook', headers: { [name]: 'x' } }] as const,
  ),
  ['receivers.test', '/body/headers/Host', { kind: 'webhook', url: receiver.url, headers: { Host: 'x' } }],
  ['receivers.create', '/body/headers', { ...receiver, kind: 'chat', service: 'slack', headers: { 'X-Key': 'x' } }],
  ['receivers.create', '/body/enabled', { ...receiver, enabled: 'yes' }],
  ['receivers.create', '/body/service', { ...receiver, service: 'slack' }],
  ['receivers.create', '/body/signing_secret', { ...receiver, signing_secret: 'whsec_mine' }],
  ['receivers.update', '/body/resume', { kind: 'webhook', resume: 'all' }],
  ['receivers.update', '/body/resume', { kind: 'webhook', resume: 'all', enabled: false }],
  ['receivers.update', '/body/resume', { kind: 'webhook', resume: 'some', enabled: true }],
  ['receivers.update', '/body/alias', { kind: 'webhook', alias: null }],
  ['receivers.update', '/body/id', { kind: 'webhook', id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }],
  ['receivers.test', '/body/id', { kind: 'webhook', id: 'x' }],
  ['receivers.test', '/body/url', { kind: 'webhook' }],
  ['receivers.test', '/body/url', { kind: 'webhook', url: 'http://127.0.0.1/' }],
  ['receivers.test', '/body/secret_token', { kind: 'webhook', url: receiver.url, secret_token: 'two words' }],
  ['receivers.create', '/body/service', { ...receiver, kind: 'chat', service: 'irc' }],
  ['receivers.create', '/body/secret_token', { ...receiver, kind: 'chat', service: 'slack', secret_token: 'x' }],
  ['receivers.update', '/body/service', { kind: 'chat', service: null }],
  ['receivers.test', '/body/service', { kind: 'chat', url: receiver.url, service: 'irc' }],
  ['receivers.replay', '/body/since', {}],
  ['receivers.replay', '/body/since', { since: 'yesterday' }],
  ['receivers.replay', '/body/since', { since: '2026-11-20' }],
  ['receivers.replay', '/body/since', { since: 1_795_132_800_000 }],
  ['receivers.replay', '/body/since', { since: '2026-11-20T00:00:00Z', until: '2026-11-20T00:00:00Z' }],
  ['receivers.replay', '/body/since', { since: '9999-12-31T00:00:00Z' }],
  ['receivers.replay', '/body/until', { since: '2026-11-20T00:00:00Z', until: null }],
  ['receivers.replay', '/body/all', { since: '2026-11-20T00:00:00Z', all: 'yes' }],
  ['orgReceivers.replay', '/body/failed', { since: '2026-11-20T00:00:00Z', failed: true }],
  ['keys.create', '/body/role', { role: 'owner' }],
  ['keys.create', '/body/repos', { role: 'reader', repos: [] }],
  ['keys.create', '/body/expires_at', { role: 'reader', expires_at: 'tomorrow' }],
  ['keys.create', '/body/expires_at', { role: 'reader', expires_at: '2020-01-01T00:00:00Z' }],
  ['keys.create', '/body/expires_at', { role: 'reader', expires_at: '9999-12-31T23:59:59-14:00' }],
]

t.test('a wrong member is pointed at', async (t) => {
  const { send } = await start(t)
  for (const [id, pointer, members] of wrongMembers) {
    const route = changes.find((one) => one.id === id)
    if (route === undefined) throw new Error(`there is no route ${id}`)
    const body = JSON.stringify(members)
    const { status, problem } = await send(route, { body })
    t.equal(status, 400, `${id} ${body}`)
    const pointers = (problem.errors ?? []).map((error) => error.pointer)
    t.ok(pointers.includes(pointer), `${id} ${body}: ${pointers.join()}`)
  }
})

// Proves: Webhook URL, Alias and Events are required, Secret Token is not
t.test('a URL, an alias and events are required, and a secret token is not', async (t) => {
  const { server } = await start(t)
  const whole = { url: 'https://127.0.0.1/other', alias: 'other', events: ['NewCommit'] }
  const path = 'repos/weather/receivers'
  for (const body of [
    { ...whole, kind: 'webhook' },
    { ...whole, kind: 'chat', alias: 'third', service: 'slack' },
  ] as const) {
    for (const name of ['url', 'alias', 'events']) {
      const { [name]: _, ...lacking }: Record<string, unknown> = body
      const response = await server.administer('POST', path, lacking)
      t.equal(response.status, 400, `a ${body.kind} without ${name}`)
      t.match(await response.json(), { errors: [{ pointer: `/body/${name}` }] })
    }
    t.equal((await server.administer('POST', path, body)).status, 201, body.kind)
  }
})

// Proves: the events are `NewCommit`, those of branches and tags, and for organisations notices; others are refused
t.test('an unknown event is named', async (t) => {
  const { server } = await start(t)
  const response = await server.administer('POST', 'repos/weather/receivers', { ...receiver, events: ['NewTag'] })
  t.match(await response.json(), { errors: [{ pointer: '/body/events/0', message: /NewCommit.*NewTag/ }] })
})

t.test('bad addresses and queries are pointed at', async (t) => {
  const { server } = await start(t)
  const cases: readonly (readonly [path: string, pointer: string])[] = [
    ['repos/weather/receivers/7', '/path/id'],
    ['repos/weather/receivers/..%2F..', '/path/id'],
    ['repos/weather%00/receivers', '/path/repo'],
    [`repos/${'x'.repeat(256)}/receivers`, '/path/repo'],
    ['repos/weather/deliveries?limit=0', '/query/limit'],
    ['repos/weather/deliveries?limit=201', '/query/limit'],
    ['repos/weather/deliveries?limit=1&limit=2', '/query/limit'],
    ['repos/weather/deliveries?state=lost', '/query/state'],
    ['repos/weather/deliveries?before=yesterday', '/query/before'],
    ['repos/weather/deliveries?receiver=hook', '/query/receiver'],
    ['repos/weather/audit?before=0', '/query/before'],
  ]
  for (const [path, pointer] of cases) {
    const response = await server.administer('GET', path)
    t.equal(response.status, 400, path)
    t.match(Problem.parse(await response.json()), { type: '/problems/invalid-request', errors: [{ pointer }] }, path)
  }
})

t.test('an empty body is no body', async (t) => {
  const { server } = await start(t)
  t.equal((await server.administer('POST', 'repos/weather/refresh', '')).status, 200)
  const response = await server.administer('POST', 'repos/weather/receivers', '')
  t.equal(response.status, 400)
  t.match(await response.json(), { errors: [{ pointer: '/body' }] })
})

t.test('what is wrong with a request is said in plain words', async (t) => {
  const { server, send } = await start(t)
  const readDetail = async (response: Response) => Problem.parse(await response.json()).detail
  const post = (path: string, body: unknown) => server.administer('POST', path, body)
  const bodies: readonly (readonly [path: string, body: unknown, detail: string])[] = [
    ['repos/weather/receivers', { kind: 'webhook', url: 'https://127.0.0.1/', alias: 'a' }, 'events: is required'],
    ['repos/weather/receivers', { ...receiver, url: 7 }, 'url: must be a text'],
    ['repos/weather/receivers', { ...receiver, enabled: 'yes' }, 'enabled: must be true or false'],
    ['repos/weather/receivers', { ...receiver, surprise: 1 }, 'surprise: is not known'],
    [
      'repos/weather/receivers',
      { ...receiver, secretToken: 'a', signingSecret: 'b' },
      'secretToken: is not known; did you mean secret_token?; signingSecret: is not known; did you mean signing_secret?',
    ],
    ['repos/weather/receivers', [], 'body: must be an object'],
    [
      'repos/weather/receivers',
      { ...receiver, kind: 'chat', service: 'irc' },
      'service: must be "slack", "mattermost", "discord", "teams", "googlechat", "rocketchat", "dingtalk", "feishu" or ' +
        '"wecom"',
    ],
    ['keys', { role: 'owner', repos: [] }, 'role: must be "reader", "checker" or "admin"; repos: must not be empty'],
  ]
  for (const [path, body, detail] of bodies) t.equal(await readDetail(await post(path, body)), detail)
  const gets: readonly (readonly [path: string, detail: string])[] = [
    ['repos/weather/audit?before=0', 'before: Invalid UUID'],
    ['repos/weather/deliveries?limit=1&limit=2', 'limit: must be a whole number from 1 to 200'],
    ['repos/weather%00/audit', 'repo: must not contain control characters'],
  ]
  for (const [path, detail] of gets) t.equal(await readDetail(await server.administer('GET', path)), detail)
  const route = { id: 'receivers.create', method: 'POST', path: 'repos/weather/receivers', takesBody: true }
  for (const name of ['plain text', 'a form'] as const) {
    const { problem } = await send(route, unreadable[name])
    t.equal(problem.detail, 'The body must be sent as application/json', 'curl -d sends a form')
  }
  t.equal((await send(route, unreadable['no UTF-8'])).problem.detail, 'body: must be in UTF-8')
  const address = `repos/weather/receivers/${'0'.repeat(8)}-0000-4000-8000-000000000000`
  const overlong = await server.administer('DELETE', address, undefined, { 'if-match': 'x'.repeat(1_025) })
  t.equal(await readDetail(overlong), 'if-match: must have at most 1024 characters')
})
