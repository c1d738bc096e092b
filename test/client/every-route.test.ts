// Each route of the contract through its method, against a running server: the address is the one a caller would write by
// hand, and the answer is the one that comes without the client.
import { contract, routesOf } from '@floe/contract'
import type { Client } from '@floe/client'
import t from 'tap'
import { startServer } from '../server/start-server.ts'
import { clientOf } from './client-of.ts'

type RouteCall = { readonly path: string; readonly call: (floe: Client) => Promise<unknown> }

const root = { repo: 'satellite', ref: 'main' }
const wind = { repo: 'weather', ref: 'main', group: 'wind/speed' }

const calls: Readonly<Record<string, RouteCall>> = {
  'discovery.repositories': { path: 'discovery', call: (floe) => floe.repositories() },
  'discovery.refs': { path: 'discovery/weather', call: (floe) => floe.refs({ repo: 'weather' }) },
  'discovery.datasets': {
    path: 'discovery/weather/main',
    call: (floe) => floe.datasets({ repo: 'weather', ref: 'main' }),
  },
  'datasets.info': { path: 'datasets/satellite/main/info', call: (floe) => floe.info(root) },
  'datasets.groupInfo': { path: 'datasets/weather/main/wind/speed/info', call: (floe) => floe.info(wind) },
  'datasets.keys': { path: 'datasets/satellite/main/keys', call: (floe) => floe.keys(root) },
  'datasets.groupKeys': { path: 'datasets/weather/main/wind/speed/keys', call: (floe) => floe.keys(wind) },
  'datasets.dict': { path: 'datasets/satellite/main/dict', call: (floe) => floe.dict(root) },
  'datasets.groupDict': { path: 'datasets/weather/main/wind/speed/dict', call: (floe) => floe.dict(wind) },
  'datasets.page': { path: 'datasets/satellite/main', call: (floe) => floe.page(root) },
  'datasets.groupPage': { path: 'datasets/weather/main/wind/speed/', call: (floe) => floe.page(wind) },
  'documents.browse': { path: '', call: (floe) => floe.browse() },
  'documents.openapi': { path: 'openapi.json', call: (floe) => floe.openapi() },
  'documents.docs': { path: 'docs', call: (floe) => floe.docs() },
  'documents.redoc': { path: 'redoc', call: (floe) => floe.redoc() },
  'documents.notificationSchema': {
    path: '../../../../schemas/notification.json',
    call: (floe) => floe.notificationSchema(),
  },
}

t.test('every route of the contract has a method', async (t) => {
  t.strictSame(Object.keys(calls).sort(), [...routesOf(contract)].map(([id]) => id).sort())
})

t.test('every method gets its route and gives what it answers', async (t) => {
  const server = await startServer(t)
  const requested: string[] = []
  const floe = clientOf(server, {
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

t.test('a public deployment needs no key, and a key sees what it covers', async (t) => {
  const server = await startServer(t)
  const everything = await clientOf(server).repositories()
  t.ok(everything.length > 1)
  t.strictSame(await clientOf(server, { deployment: 'open', apiKey: undefined }).repositories(), everything)
  t.strictSame(await clientOf(server, { apiKey: server.weatherKey }).repositories(), ['weather'])
  await t.rejects(clientOf(server, { apiKey: undefined }).repositories(), {
    name: 'ProblemResponseError',
    status: 401,
    problem: { type: '/problems/unauthorized' },
  })
})

t.test('the group of a list restricts it, and an empty one does not', async (t) => {
  const server = await startServer(t)
  const floe = clientOf(server)
  const weather = { repo: 'weather', ref: 'main' }
  const all = await floe.datasets(weather)
  const below = all.filter((path) => path === 'wind' || path.startsWith('wind/'))
  t.ok(below.length > 0 && below.length < all.length)
  t.strictSame(await floe.datasets({ ...weather, group: 'wind' }), below)
  t.strictSame(await floe.datasets({ ...weather, group: '' }), all)
})

t.test('a caller can end a call of any method', async (t) => {
  const server = await startServer(t)
  const floe = clientOf(server)
  const call = { signal: AbortSignal.abort(new Error('changed my mind')) }
  const names = { repo: 'weather', ref: 'main' }
  const ended: Record<keyof Client, Promise<unknown>> = {
    repositories: floe.repositories(call),
    refs: floe.refs(names, call),
    datasets: floe.datasets(names, call),
    info: floe.info(names, call),
    keys: floe.keys(names, call),
    dict: floe.dict(names, call),
    page: floe.page(names, call),
    browse: floe.browse(call),
    openapi: floe.openapi(call),
    docs: floe.docs(call),
    redoc: floe.redoc(call),
    notificationSchema: floe.notificationSchema(call),
  }
  t.strictSame(Object.keys(ended).sort(), Object.keys(floe).sort())
  for (const [method, answer] of Object.entries(ended)) await t.rejects(answer, { message: 'changed my mind' }, method)
})
