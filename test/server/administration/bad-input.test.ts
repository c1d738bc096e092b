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

/** A server with one webhook and one chat, and each route's address on it. */
async function start(t: Test) {
  const server = await startAdministration(t)
  const add = async (path: string, members: object) => {
    const body = { url: 'https://127.0.0.1/hook', events: ['NewCommit'], enabled: false, ...members }
    return (await (await server.administer('POST', path, body)).json()).id
  }
  const ids: Record<string, string> = {
    webhooks: await add('repos/weather/webhooks', { alias: 'hook' }),
    chats: await add('repos/weather/chats', { alias: 'chat', service: 'slack' }),
    orgWebhooks: await add('webhooks', { alias: 'hook' }),
    orgChats: await add('chats', { alias: 'chat', service: 'slack' }),
    expectations: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    orgExpectations: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    orgDeliveries: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    deliveries: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    keys: '0123456789abcdef',
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
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, problem: Problem.parse(await response.json()) }
  }
  return { server, send }
}

const bytes = (...values: number[]) => new Uint8Array(values)

const unsupported = { status: 415, type: 'unsupported-media-type' }
const invalid = { status: 400, type: 'invalid-request', pointer: '/body' }

/** Wrong whatever the route; what cannot be read is refused before anybody asks what it is for. */
const unreadable: Record<string, Case> = {
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
  'a prototype': { ...invalid, body: '{"__proto__":{"url":1}}' },
  'deep nesting': { ...invalid, body: '['.repeat(30_000) + ']'.repeat(30_000) },
}

/** Well written, and not what any route expects. */
const meaningless: Record<string, Case> = {
  null: { ...invalid, body: 'null' },
  'a number': { ...invalid, body: '1e999' },
}

/** Not what routes expect whose body the contract describes in full. */
const unexpected: Record<string, Case> = {
  ...meaningless,
  'a list': { ...invalid, body: '[]' },
  // The members of an expectation depend on its kind.
  'an unknown member': { ...invalid, body: '{"kind":"freshness","surprise":1}', pointer: '/body/surprise' },
}

t.test('every change refuses a bad body with a problem that names the place', async (t) => {
  const { send } = await start(t)
  t.ok(changes.length >= 13)
  for (const route of changes) {
    const surprise = { ...invalid, body: '{"surprise":1}' }
    // What object stores send is described only where it is read.
    const wrong = route.id === 'storageEvents.report' ? meaningless : unexpected
    const cases = { ...unreadable, ...(route.takesBody ? wrong : { 'a body where none is taken': surprise }) }
    for (const [what, { status, type, pointer, ...request }] of Object.entries(cases)) {
      const answer = await send(route, request)
      const wanted = { type: `/problems/${type}`, status }
      t.match(answer, { status, problem: wanted }, `${route.id}: ${what}`)
      const pointers = (answer.problem.errors ?? []).map((error) => error.pointer)
      if (pointer !== undefined) t.ok(pointers.includes(pointer), `${route.id}: ${what}: ${pointers.join()}`)
    }
  }
})

const receiver = { url: 'https://127.0.0.1/', alias: 'new', events: ['NewCommit'] }

/** Members that are wrong, by the route that is asked and the pointer that is answered. */
const wrongMembers: readonly (readonly [route: string, pointer: string, members: object])[] = [
  ['webhooks.create', '/body/url', { ...receiver, url: 7 }],
  ['webhooks.create', '/body/url', { ...receiver, url: undefined }],
  ['webhooks.create', '/body/url', { ...receiver, url: '' }],
  ['webhooks.create', '/body/alias', { ...receiver, alias: '   ' }],
  ['webhooks.create', '/body/alias', { ...receiver, alias: 'x'.repeat(101) }],
  ['webhooks.create', '/body/events', { ...receiver, events: [] }],
  ['webhooks.create', '/body/events', { ...receiver, events: ['NewCommit', 'NewCommit'] }],
  ['webhooks.create', '/body/events/0', { ...receiver, events: ['NewTag'] }],
  ['webhooks.create', '/body/events/0', { ...receiver, events: [{}] }],
  ['webhooks.create', '/body/secret_token', { ...receiver, secret_token: '' }],
  ['webhooks.create', '/body/secret_token', { ...receiver, secret_token: 'two words' }],
  ['webhooks.create', '/body/secret_token', { ...receiver, secret_token: 'line\r\nbreak' }],
  ['webhooks.create', '/body/secret_token', { ...receiver, secret_token: 'x'.repeat(257) }],
  ['webhooks.create', '/body/headers', { ...receiver, headers: ['Authorization'] }],
  ['webhooks.create', '/body/headers', { ...receiver, headers: null }],
  [
    'webhooks.create',
    '/body/headers',
    { ...receiver, headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, 'x'])) },
  ],
  ['webhooks.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': '' } }],
  ['webhooks.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': 'line\r\nbreak: x' } }],
  ['webhooks.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': ' x' } }],
  ['webhooks.create', '/body/headers/X-Key', { ...receiver, headers: { 'X-Key': 'x'.repeat(4_097) } }],
  ['webhooks.create', '/body/headers/x-key', { ...receiver, headers: { 'X-Key': 'x', 'x-key': 'x' } }],
  ['webhooks.create', '/body/headers/x_key', { ...receiver, headers: { 'X-Key': 'x', x_key: 'x' } }],
  ['webhooks.create', '/body/headers/two words', { ...receiver, headers: { 'two words': 'x' } }],
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
  ].map((name) => ['webhooks.create', `/body/headers/${name}`, { ...receiver, headers: { [name]: 'x' } }] as const),
  ...['Transfer-Encoding', 'TE', 'Upgrade', 'Proxy-Authorization', 'Keep-Alive', 'Expect', 'Trailer'].map(
    (name) => ['webhooks.update', `/body/headers/${name}`, { headers: { [name]: 'x' } }] as const,
  ),
  ['webhooks.test', '/body/headers/Host', { url: receiver.url, headers: { Host: 'x' } }],
  ['chats.create', '/body/headers', { ...receiver, service: 'slack', headers: { 'X-Key': 'x' } }],
  ['webhooks.create', '/body/enabled', { ...receiver, enabled: 'yes' }],
  ['webhooks.create', '/body/service', { ...receiver, service: 'slack' }],
  ['webhooks.create', '/body/signing_secret', { ...receiver, signing_secret: 'whsec_mine' }],
  ['webhooks.update', '/body/resume', { resume: 'all' }],
  ['webhooks.update', '/body/resume', { resume: 'all', enabled: false }],
  ['webhooks.update', '/body/resume', { resume: 'some', enabled: true }],
  ['webhooks.update', '/body/alias', { alias: null }],
  ['webhooks.update', '/body/id', { id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }],
  ['webhooks.test', '/body/id', { id: 'x' }],
  ['webhooks.test', '/body/url', {}],
  ['webhooks.test', '/body/url', { url: 'http://127.0.0.1/' }],
  ['webhooks.test', '/body/secret_token', { url: receiver.url, secret_token: 'two words' }],
  ['chats.create', '/body/service', { ...receiver, service: 'irc' }],
  ['chats.create', '/body/secret_token', { ...receiver, service: 'slack', secret_token: 'x' }],
  ['chats.update', '/body/service', { service: null }],
  ['chats.test', '/body/service', { url: receiver.url, service: 'irc' }],
  ['webhooks.replay', '/body/since', {}],
  ['webhooks.replay', '/body/since', { since: 'yesterday' }],
  ['webhooks.replay', '/body/since', { since: '2026-11-20' }],
  ['webhooks.replay', '/body/since', { since: 1_795_132_800_000 }],
  ['webhooks.replay', '/body/since', { since: '2026-11-20T00:00:00Z', until: '2026-11-20T00:00:00Z' }],
  ['webhooks.replay', '/body/since', { since: '9999-12-31T00:00:00Z' }],
  ['webhooks.replay', '/body/until', { since: '2026-11-20T00:00:00Z', until: null }],
  ['webhooks.replay', '/body/all', { since: '2026-11-20T00:00:00Z', all: 'yes' }],
  ['orgWebhooks.replay', '/body/failed', { since: '2026-11-20T00:00:00Z', failed: true }],
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
  for (const [path, body] of [
    ['repos/weather/webhooks', whole],
    ['repos/weather/chats', { ...whole, alias: 'third', service: 'slack' }],
  ] as const) {
    for (const name of ['url', 'alias', 'events']) {
      const { [name]: _, ...lacking }: Record<string, unknown> = body
      const response = await server.administer('POST', path, lacking)
      t.equal(response.status, 400, `${path} without ${name}`)
      t.match(await response.json(), { errors: [{ pointer: `/body/${name}` }] })
    }
    t.equal((await server.administer('POST', path, body)).status, 201, path)
  }
})

// Proves: the events are `NewCommit`, those of branches and tags, and for organisations notices; others are refused
t.test('an unknown event is named', async (t) => {
  const { server } = await start(t)
  const response = await server.administer('POST', 'repos/weather/webhooks', { ...receiver, events: ['NewTag'] })
  t.match(await response.json(), { errors: [{ pointer: '/body/events/0', message: /NewCommit.*NewTag/ }] })
})

t.test('bad addresses and queries are pointed at', async (t) => {
  const { server } = await start(t)
  const cases: readonly (readonly [path: string, pointer: string])[] = [
    ['repos/weather/webhooks/7', '/path/id'],
    ['repos/weather/chats/..%2F..', '/path/id'],
    ['repos/weather%00/webhooks', '/path/repo'],
    [`repos/${'x'.repeat(256)}/webhooks`, '/path/repo'],
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
  const response = await server.administer('POST', 'repos/weather/webhooks', '')
  t.equal(response.status, 400)
  t.match(await response.json(), { errors: [{ pointer: '/body' }] })
})

t.test('what is wrong with a request is said in plain words', async (t) => {
  const { server } = await start(t)
  const readDetail = async (response: Response) => Problem.parse(await response.json()).detail
  const post = (path: string, body: unknown) => server.administer('POST', path, body)
  const bodies: readonly (readonly [path: string, body: unknown, detail: string])[] = [
    ['repos/weather/webhooks', { url: 'https://127.0.0.1/', alias: 'a' }, 'events: is required'],
    ['repos/weather/webhooks', { ...receiver, url: 7 }, 'url: must be a text'],
    ['repos/weather/webhooks', { ...receiver, enabled: 'yes' }, 'enabled: must be true or false'],
    ['repos/weather/webhooks', { ...receiver, surprise: 1 }, 'surprise: is not known'],
    ['repos/weather/webhooks', [], 'body: must be an object'],
    [
      'repos/weather/chats',
      { ...receiver, service: 'irc' },
      'service: Invalid option: expected one of "slack"|"mattermost"|"discord"|"teams"|"googlechat"|"rocketchat"|' +
        '"dingtalk"|"feishu"|"wecom"',
    ],
    [
      'keys',
      { role: 'owner', repos: [] },
      'role: Invalid option: expected one of "reader"|"admin"; repos: Too small: expected array to have >=1 items',
    ],
  ]
  for (const [path, body, detail] of bodies) t.equal(await readDetail(await post(path, body)), detail)
  const gets: readonly (readonly [path: string, detail: string])[] = [
    ['repos/weather/audit?before=0', 'before: Invalid UUID'],
    ['repos/weather/deliveries?limit=1&limit=2', 'limit: must be a whole number from 1 to 200'],
    ['repos/weather%00/audit', 'repo: must not contain control characters'],
  ]
  for (const [path, detail] of gets) t.equal(await readDetail(await server.administer('GET', path)), detail)
  const address = `repos/weather/webhooks/${'0'.repeat(8)}-0000-4000-8000-000000000000`
  const overlong = await server.administer('DELETE', address, undefined, { 'if-match': 'x'.repeat(1_025) })
  t.equal(await readDetail(overlong), 'if-match: Too big: expected string to have <=1024 characters')
})
