// Calls each route of the contract with its method: the client must request the expected address and, against a running
// server, return the same answer as a plain request. administration.test.ts does so with the routes of administrators.
import { contract, listRoutes, type Question, questions, type RouteMetadata } from '@floe/contract'
import { type AdminClient, type CallOptions, type Client, createAdminClient } from '@floe/client'
import { createApiKey } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { z } from 'zod'
import { basic, fixtures, type RunningServer, startServer } from '../server/start-server.ts'
import { createTestClient } from './create-test-client.ts'

type RouteCall = readonly [path: string, call: (floe: Client, call?: CallOptions) => Promise<unknown>, body?: object]

const repo = 'weather'
const main = { repo, ref: 'main' }
const root = { repo: 'satellite', ref: 'main' }
const kept = { version: 1 as const, datasets: { forecast: { variables: { temperature: { units: 'K' } } } } }
const wind = { ...main, group: 'wind/speed' }
const change = { repo, from: 'v1.0', to: 'feature/one' }

/** The question about each snapshot, change or group of a sample, with the address that the contract gives it. */
function* listQuestionCalls(): Generator<readonly [id: string, call: RouteCall]> {
  for (const { router, routes, clientMethod } of Object.values<Question>(questions)) {
    const [method = ''] = clientMethod === undefined ? Object.keys(routes) : [clientMethod]
    for (const [name, { path, query, metadata }] of Object.entries(routes)) {
      if ((metadata as RouteMetadata).isInClient === false) continue
      const hasGroupInQuery = query instanceof z.ZodObject && 'group' in query.shape
      const takesGroup = hasGroupInQuery || path.includes('/:group')
      const names = path.includes('/:from/') ? change : takesGroup ? wind : root
      const filled = path
        .replace(/^.*\/_meta\//, '')
        .replace('/:group', `/${wind.group}`)
        .replace(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(Reflect.get(names, parameter)))
      const asked = takesGroup ? { ...names, group: wind.group } : names
      yield [
        `${router}.${name}`,
        [
          `${filled}${hasGroupInQuery ? '?group=wind%2Fspeed' : ''}`,
          (floe, call) => Reflect.get(floe, method)(asked, call),
        ],
      ]
    }
  }
}

const calls: Readonly<Record<string, RouteCall>> = {
  ...Object.fromEntries(listQuestionCalls()),
  'discovery.repositories': ['discovery', (floe, call) => floe.repositories(call)],
  'discovery.refs': ['discovery/weather', (floe, call) => floe.refs({ repo }, call)],
  'discovery.sources': ['sources', (floe, call) => floe.sourcesPage({}, call)],
  'history.commits': ['history/weather/main', (floe, call) => floe.historyPage(main, call)],
  'history.repository': ['repositories/weather', (floe, call) => floe.repository({ repo }, call)],
  'history.operations': ['operations/weather', (floe, call) => floe.operationsPage({ repo }, call)],
  'checks.list': ['checks/weather/main', (floe, call) => floe.checks(main, call)],
  'datasetRemarks.list': ['remarks/weather/main', (floe, call) => floe.remarks(main, call)],
  'good.get': ['good/weather/main', (floe, call) => floe.good(main, call)],
  'compatibility.check': ['compatibility/weather/main', (floe, call) => floe.checkContract(main, kept, call), kept],
  'search.get': ['search?q=wind', (floe, call) => floe.searchPage({ q: 'wind' }, call)],
  'stac.catalog': ['stac', (floe, call) => floe.stacCatalog(call)],
  'documents.openapi': ['openapi.json', (floe, call) => floe.openapi(call)],
  'documents.notificationSchema': [
    '../../../../schemas/notification.json',
    (floe, call) => floe.notificationSchema(call),
  ],
  'documents.datasetContractSchema': [
    '../../../../schemas/dataset-contract.json',
    (floe, call) => floe.datasetContractSchema(call),
  ],
}

const report = { checks: [{ name: 'quality', state: 'failed' as const, text: 'step 12 is NaN' }] }

const named = { repo, id: '0198c0de-0000-7000-8000-000000000001' }
const expectation = { kind: 'freshness', branch: 'main', max_age: '6h' } as const
const receiver = {
  kind: 'webhook' as const,
  url: 'https://example.org/hook',
  alias: 'tile server',
  events: ['NewCommit' as const],
}

/** Calls every method of an administrator's client. */
function callAll(floe: AdminClient, call: CallOptions): Record<string, Promise<unknown>> {
  const id = { id: named.id }
  return {
    'repositories.list': floe.repositories.list(call),
    'repositories.get': floe.repositories.get({ repo }, call),
    'repositories.refresh': floe.repositories.refresh({ repo }, call),
    'repositories.audit': floe.repositories.auditPage({ repo }, call),
    'storageEvents.report': floe.storageEvents({ Records: [] }, call),
    'receivers.list': floe.receivers.list({ repo }, call),
    'receivers.create': floe.receivers.create({ repo }, receiver, call),
    'receivers.test': floe.receivers.test({ repo }, receiver, call),
    'receivers.get': floe.receivers.get(named, call),
    'receivers.update': floe.receivers.update(named, { kind: 'webhook', enabled: false }, call),
    'receivers.delete': floe.receivers.delete(named, call),
    'receivers.rotateSecret': floe.receivers.rotateSecret(named, call),
    'receivers.replay': floe.receivers.replay(named, { since: '2026-11-20T00:00:00Z' }, call),
    'receivers.getReplay': floe.receivers.getReplay(named, call),
    'receivers.cancelReplay': floe.receivers.cancelReplay(named, call),
    'expectations.list': floe.expectations.list({ repo }, call),
    'expectations.create': floe.expectations.create({ repo }, expectation, call),
    'expectations.get': floe.expectations.get(named, call),
    'expectations.getContract': floe.expectations.getContract(named, call),
    'expectations.update': floe.expectations.update(named, expectation, call),
    'expectations.delete': floe.expectations.delete(named, call),
    'remarks.list': floe.remarks.list({ repo }, call),
    'remarks.create': floe.remarks.create({ repo }, { kind: 'note', text: 'a note' }, call),
    'remarks.get': floe.remarks.get(named, call),
    'remarks.update': floe.remarks.update(named, { text: 'another' }, call),
    'remarks.delete': floe.remarks.delete(named, call),
    'orgExpectations.list': floe.orgExpectations.list(call),
    'orgExpectations.create': floe.orgExpectations.create(expectation, call),
    'orgExpectations.get': floe.orgExpectations.get(id, call),
    'orgExpectations.getContract': floe.orgExpectations.getContract(id, call),
    'orgExpectations.update': floe.orgExpectations.update(id, expectation, call),
    'orgExpectations.delete': floe.orgExpectations.delete(id, call),
    'deliveries.list': floe.deliveries.listPage({ repo }, call),
    'deliveries.rates': floe.deliveries.rates({ repo }, call),
    'deliveries.get': floe.deliveries.get(named, call),
    'deliveries.redeliver': floe.deliveries.redeliver(named, call),
    'orgReceivers.list': floe.orgReceivers.list(call),
    'orgReceivers.create': floe.orgReceivers.create(receiver, call),
    'orgReceivers.test': floe.orgReceivers.test(receiver, call),
    'orgReceivers.get': floe.orgReceivers.get(id, call),
    'orgReceivers.update': floe.orgReceivers.update(id, { kind: 'webhook', enabled: false }, call),
    'orgReceivers.delete': floe.orgReceivers.delete(id, call),
    'orgReceivers.rotateSecret': floe.orgReceivers.rotateSecret(id, call),
    'orgReceivers.replay': floe.orgReceivers.replay(id, { since: '2026-11-20T00:00:00Z' }, call),
    'orgReceivers.getReplay': floe.orgReceivers.getReplay(id, call),
    'orgReceivers.cancelReplay': floe.orgReceivers.cancelReplay(id, call),
    'orgDeliveries.list': floe.orgDeliveries.listPage({}, call),
    'orgDeliveries.rates': floe.orgDeliveries.rates(call),
    'orgDeliveries.get': floe.orgDeliveries.get(id, call),
    'orgDeliveries.redeliver': floe.orgDeliveries.redeliver(id, call),
    'keys.list': floe.keys.listPage({}, call),
    'keys.create': floe.keys.create({ role: 'reader' }, call),
    'keys.revoke': floe.keys.revoke({ id: '0123456789abcdef' }, call),
    'sessions.list': floe.sessions.listPage({}, call),
    'sessions.end': floe.sessions.end({ id: 'x'.repeat(43) }, call),
    'audit.list': floe.auditPage({}, call),
  }
}

function post({ apiKey }: RunningServer, address: string, body: object): Promise<Response> {
  const headers = { authorization: basic('acme', apiKey), 'content-type': 'application/json' }
  return fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
}

t.test('every method calls its route and returns the answer', async (t) => {
  // A reader learns in which files chunks are only where the storage is published.
  const published = { storage: 'http', url: 'https://data.example.org/{name}' } as const
  const sources = [{ kind: 'scan', store: openLocalStore(fixtures), published }] as const
  const server = await startServer(t, { hasSearch: true, sources })
  const requested: string[] = []
  const floe = createTestClient(server, {
    fetch: (input, init) => {
      requested.push(input instanceof Request ? input.url : String(input))
      return fetch(input, init)
    },
  })
  for (const [id, [path, call, body]] of Object.entries(calls)) {
    const address = new URL(path, `${server.meta}/`).href
    const direct = body === undefined ? await server.get(address) : await post(server, address, body)
    t.equal(direct.status, 200, id)
    requested.length = 0
    const answer = await call(floe)
    t.strictSame(requested, [address], id)
    t.strictSame(answer, await direct.json(), id)
  }
})

t.test('a pipeline posts checks with its key', async (t) => {
  const server = await startServer(t)
  const apiKey = await createApiKey(server.db, { org: 'acme', role: 'checker', repos: [repo] }, new Date())
  const floe = createTestClient(server, { apiKey })
  const [head] = (await floe.historyPage(main)).commits
  const ref = head?.snapshot_id ?? ''
  const { items } = await floe.postChecks({ repo, ref }, report)
  t.match(items, report.checks)
  const passed = await floe.postCheck({ repo, ref, name: 'quality' }, { state: 'passed' })
  t.strictSame(await floe.checks(main), { items: [passed] })
})

t.test('a public deployment needs no key, and a key sees what it covers', async (t) => {
  const server = await startServer(t, { hasSearch: true })
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
  const floe = createTestClient(await startServer(t, { hasSearch: true }))
  const all = await floe.datasets(main)
  const below = all.filter((path) => path === 'wind' || path.startsWith('wind/'))
  t.ok(below.length > 0 && below.length < all.length)
  t.strictSame(await floe.datasets({ ...main, group: 'wind' }), below)
  for (const group of ['', '/']) t.strictSame(await floe.datasets({ ...main, group }), all, group)
  for (const group of ['/wind', 'wind/', '/wind/']) t.strictSame(await floe.datasets({ ...main, group }), below, group)
  t.strictSame(await floe.keys({ ...main, group: '/wind/speed/' }), await floe.keys(wind))
  t.strictSame(await floe.keys({ ...root, group: '/' }), await floe.keys(root))
})

t.test('a caller can end a call of any method', async (t) => {
  const floe = createTestClient(await startServer(t, { hasSearch: true }))
  const call = { signal: AbortSignal.abort(new Error('changed my mind')) }
  const admin = createAdminClient({ baseUrl: 'https://floe.example.org/v1', org: 'acme' })
  const routes: Record<string, Promise<unknown>> = {
    ...Object.fromEntries(Object.entries(calls).map(([id, [, callRoute]]) => [id, callRoute(floe, call)])),
    'events.stream': floe.events({}, call).next(),
    'checks.postAll': floe.postChecks(main, report, call),
    'checks.post': floe.postCheck({ ...main, name: 'quality' }, { state: 'passed' }, call),
    ...callAll(admin, call),
  }
  const others = {
    history: floe.history(main, call).next(),
    operations: floe.operations({ repo }, call).next(),
    sources: floe.sources({}, call).next(),
    versioned: floe.versioned.info(main, call),
    'repositories.audit, all': admin.repositories.audit({ repo }, call).next(),
    'deliveries.list, all': admin.deliveries.list({ repo }, call).next(),
    'orgDeliveries.list, all': admin.orgDeliveries.list({}, call).next(),
    'keys.list, all': admin.keys.list({}, call).next(),
    'sessions.list, all': admin.sessions.list({}, call).next(),
    'audit, all': admin.audit({}, call).next(),
  }
  for (const [method, answer] of Object.entries<Promise<unknown>>({ ...routes, ...others })) {
    await t.rejects(answer, { message: 'changed my mind' }, method)
  }
  const expected = [...listRoutes(contract)].filter(
    ([, { metadata }]) => (metadata as RouteMetadata).isInClient ?? true,
  )
  t.strictSame(Object.keys(routes).sort(), expected.map(([id]) => id).sort(), 'every route of the client was called')
})
