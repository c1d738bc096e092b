// Calls each route of the contract with its method: the client must request the expected address and, against a running server,
// return the same answer as a plain request.
import { contract, listRoutes, type RouteMetadata } from '@floe/contract'
import { type AdminClient, type CallOptions, type Client, createAdminClient } from '@floe/client'
import { t } from 'tap'
import { readExpectedAnswers } from '../server/expected-answers.ts'
import { startServer } from '../server/start-server.ts'
import { createTestClient } from './create-test-client.ts'

type RouteCall = { readonly path: string; readonly call: (floe: Client, call?: CallOptions) => Promise<unknown> }

const root = { repo: 'satellite', ref: 'main' }
const wind = { repo: 'weather', ref: 'main', group: 'wind/speed' }

const calls: Readonly<Record<string, RouteCall>> = {
  'discovery.repositories': { path: 'discovery', call: (floe, call) => floe.repositories(call) },
  'discovery.refs': { path: 'discovery/weather', call: (floe, call) => floe.refs({ repo: 'weather' }, call) },
  'discovery.datasets': {
    path: 'discovery/weather/main',
    call: (floe, call) => floe.datasets({ repo: 'weather', ref: 'main' }, call),
  },
  'datasets.info': { path: 'datasets/satellite/main/info', call: (floe, call) => floe.info(root, call) },
  'datasets.groupInfo': { path: 'datasets/weather/main/wind/speed/info', call: (floe, call) => floe.info(wind, call) },
  'datasets.keys': { path: 'datasets/satellite/main/keys', call: (floe, call) => floe.keys(root, call) },
  'datasets.groupKeys': { path: 'datasets/weather/main/wind/speed/keys', call: (floe, call) => floe.keys(wind, call) },
  'datasets.dict': { path: 'datasets/satellite/main/dict', call: (floe, call) => floe.dict(root, call) },
  'datasets.groupDict': { path: 'datasets/weather/main/wind/speed/dict', call: (floe, call) => floe.dict(wind, call) },
  'datasets.page': { path: 'datasets/satellite/main', call: (floe, call) => floe.page(root, call) },
  'datasets.groupPage': { path: 'datasets/weather/main/wind/speed/', call: (floe, call) => floe.page(wind, call) },
  'history.commits': {
    path: 'history/weather/main',
    call: (floe, call) => floe.historyPage({ repo: 'weather', ref: 'main' }, call),
  },
  'history.repository': {
    path: 'repositories/weather',
    call: (floe, call) => floe.repository({ repo: 'weather' }, call),
  },
  'history.operations': {
    path: 'operations/weather',
    call: (floe, call) => floe.operations({ repo: 'weather' }, call),
  },
  'diff.get': {
    path: 'diff/weather/v1.0/feature%2Fone',
    call: (floe, call) => floe.diff({ repo: 'weather', from: 'v1.0', to: 'feature/one' }, call),
  },
  'documents.index': { path: '../../../../', call: (floe, call) => floe.index(call) },
  'documents.browse': { path: '', call: (floe, call) => floe.browse({}, call) },
  'documents.openapi': { path: 'openapi.json', call: (floe, call) => floe.openapi(call) },
  'documents.docs': { path: 'docs', call: (floe, call) => floe.docs(call) },
  'documents.redoc': { path: 'redoc', call: (floe, call) => floe.redoc(call) },
  'documents.notificationSchema': {
    path: '../../../../schemas/notification.json',
    call: (floe, call) => floe.notificationSchema(call),
  },
}

type AdminCall = {
  readonly request: string
  readonly call: (floe: AdminClient, call?: CallOptions) => Promise<unknown>
}

const repo = 'a/b'
const id = '0198c0de-0000-7000-8000-000000000001'
const named = { repo, id }
const receiver = { url: 'https://example.org/hook', alias: 'tile server', events: ['NewCommit' as const] }

/** Requests by their address below `/v1/orgs/acme/`. */
const adminCalls: Readonly<Record<string, AdminCall>> = {
  'repositories.list': { request: 'GET repos', call: (floe, call) => floe.repositories.list(call) },
  'repositories.get': { request: 'GET repos/a%2Fb', call: (floe, call) => floe.repositories.get({ repo }, call) },
  'repositories.refresh': {
    request: 'POST repos/a%2Fb/refresh',
    call: (floe, call) => floe.repositories.refresh({ repo }, call),
  },
  'repositories.audit': {
    request: 'GET repos/a%2Fb/audit',
    call: (floe, call) => floe.repositories.audit({ repo }, call),
  },
  'storageEvents.report': {
    request: 'POST storage-events',
    call: (floe, call) => floe.storageEvents({ Records: [] }, call),
  },
  ...buildReceiverCalls('webhooks'),
  'webhooks.rotateSecret': {
    request: `POST repos/a%2Fb/webhooks/${id}/rotate-secret`,
    call: (floe, call) => floe.webhooks.rotateSecret(named, call),
  },
  ...buildReceiverCalls('chats'),
  'deliveries.list': {
    request: 'GET repos/a%2Fb/deliveries',
    call: (floe, call) => floe.deliveries.list({ repo }, call),
  },
  'deliveries.get': {
    request: `GET repos/a%2Fb/deliveries/${id}`,
    call: (floe, call) => floe.deliveries.get(named, call),
  },
  'deliveries.redeliver': {
    request: `POST repos/a%2Fb/deliveries/${id}/redeliver`,
    call: (floe, call) => floe.deliveries.redeliver(named, call),
  },
  'keys.list': { request: 'GET keys', call: (floe, call) => floe.keys.list(call) },
  'keys.create': { request: 'POST keys', call: (floe, call) => floe.keys.create({ role: 'reader' }, call) },
  'keys.revoke': {
    request: 'DELETE keys/0123456789abcdef',
    call: (floe, call) => floe.keys.revoke({ id: '0123456789abcdef' }, call),
  },
  'audit.list': { request: 'GET audit', call: (floe, call) => floe.audit({}, call) },
  'settings.page': { request: 'GET repos/a%2Fb/settings', call: (floe, call) => floe.settingsPage({ repo }, call) },
}

/** Builds the calls that webhooks and chats have in common. */
function buildReceiverCalls(kind: 'webhooks' | 'chats'): Record<string, AdminCall> {
  const all = `repos/a%2Fb/${kind}`
  return {
    [`${kind}.list`]: { request: `GET ${all}`, call: (floe, call) => floe[kind].list({ repo }, call) },
    [`${kind}.create`]: { request: `POST ${all}`, call: (floe, call) => floe[kind].create({ repo }, receiver, call) },
    [`${kind}.test`]: { request: `POST ${all}/test`, call: (floe, call) => floe[kind].test({ repo }, { id }, call) },
    [`${kind}.get`]: { request: `GET ${all}/${id}`, call: (floe, call) => floe[kind].get(named, call) },
    [`${kind}.update`]: {
      request: `PATCH ${all}/${id}`,
      call: (floe, call) => floe[kind].update(named, { enabled: false }, call),
    },
    [`${kind}.delete`]: { request: `DELETE ${all}/${id}`, call: (floe, call) => floe[kind].delete(named, call) },
  }
}

t.test('every route that programs of users call is called here', async (t) => {
  // test/client/events.test.ts follows events.
  const { events: _, ...others } = contract
  const routes = [...listRoutes(others)].filter(([, { metadata }]) => (metadata as RouteMetadata).isInClient ?? true)
  t.strictSame(Object.keys({ ...calls, ...adminCalls }).sort(), routes.map(([id]) => id).sort())
})

t.test("every method of an administrator's client requests its route", async (t) => {
  const requested: string[] = []
  const floe = createAdminClient({
    baseUrl: 'https://floe.example.org/v1',
    org: 'acme',
    fetch: async (input, init) => {
      const { method, url } = new Request(input, init)
      requested.push(`${method} ${url.replace('https://floe.example.org/v1/orgs/acme/', '')}`)
      return new Response(null, { status: 404 })
    },
  })
  for (const [route, { request, call }] of Object.entries(adminCalls)) {
    requested.length = 0
    await t.rejects(call(floe), { name: 'UnexpectedResponseError', status: 404 }, route)
    t.strictSame(requested, [request], route)
    const ended = { signal: AbortSignal.abort(new Error('changed my mind')) }
    await t.rejects(call(floe, ended), { message: 'changed my mind' }, route)
  }
})

t.test('every method calls its route and returns the answer', async (t) => {
  const server = await startServer(t)
  const requested: string[] = []
  const floe = createTestClient(server, {
    fetch: (input, init) => {
      requested.push(new Request(input).url)
      return fetch(input, init)
    },
  })
  for (const [id, { path, call }] of Object.entries(calls)) {
    const address = new URL(path, `${server.meta}/`).href
    const direct = await server.get(address)
    t.equal(direct.status, 200, id)
    const isPage = direct.headers.get('content-type')?.startsWith('text/html')
    requested.length = 0
    const answer = await call(floe)
    t.strictSame(requested, [address], id)
    t.strictSame(answer, isPage ? await direct.text() : await direct.json(), id)
  }
})

t.test('every versioned view calls the same route and returns the value with its snapshot id and ETag', async (t) => {
  const server = await startServer(t)
  const floe = createTestClient(server)
  for (const names of [root, wind]) {
    const { branches } = await readExpectedAnswers(names.repo)
    for (const view of ['info', 'keys', 'dict', 'page'] as const) {
      const { etag, ...answer } = await floe.versioned[view](names)
      t.strictSame(answer, { isModified: true, value: await floe[view](names), snapshotId: branches['main'] }, view)
      t.match(etag, /^"[^"]+"$/, view)
    }
  }
})

t.test('a public deployment needs no key, and a key sees what it covers', async (t) => {
  const server = await startServer(t)
  const everything = await createTestClient(server).repositories()
  t.ok(everything.length > 1)
  t.strictSame(await createTestClient(server, { deployment: 'open', apiKey: undefined }).repositories(), everything)
  t.strictSame(await createTestClient(server, { apiKey: server.weatherKey }).repositories(), ['weather'])
  await t.rejects(createTestClient(server, { apiKey: undefined }).repositories(), {
    name: 'ProblemResponseError',
    status: 401,
    problem: { type: '/problems/unauthorized' },
  })
})

t.test('the group of a list restricts it, and an empty one does not', async (t) => {
  const server = await startServer(t)
  const floe = createTestClient(server)
  const weather = { repo: 'weather', ref: 'main' }
  const all = await floe.datasets(weather)
  const below = all.filter((path) => path === 'wind' || path.startsWith('wind/'))
  t.ok(below.length > 0 && below.length < all.length)
  t.strictSame(await floe.datasets({ ...weather, group: 'wind' }), below)
  t.strictSame(await floe.datasets({ ...weather, group: '' }), all)
})

t.test('a caller can end a call of any method', async (t) => {
  const floe = createTestClient(await startServer(t))
  const call = { signal: AbortSignal.abort(new Error('changed my mind')) }
  const names = { repo: 'weather', ref: 'main' }
  const ended: Record<string, Promise<unknown>> = {
    ...Object.fromEntries(Object.entries(calls).map(([id, { call: callRoute }]) => [id, callRoute(floe, call)])),
    history: floe.history(names, call).next(),
    events: floe.events(call).next(),
    versioned: floe.versioned.info(names, call),
  }
  for (const [method, answer] of Object.entries(ended)) await t.rejects(answer, { message: 'changed my mind' }, method)
})
