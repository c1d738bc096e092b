// A deployment serves the repositories that it names. For its callers, the others do not exist.
import { createClient } from '@floe/client'
import { contract, listRoutes } from '@floe/contract'
import { t } from 'tap'
import { reachableEngines } from '../../storage/records/database/engines.ts'
import { basic, startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { connectAgent, readJson } from './agents/connect-agents.ts'
import { follow, moveHeads, requestStream } from './events/follow.ts'

const deployments = [
  { name: 'weather', repos: ['weather*'], public: true },
  { name: 'both', repos: ['satellite', 'weather'], public: false },
]

const served = ['weather', 'weather-v1']

/** The address of a route. */
type Address = { readonly method: string; readonly path: string }

// Proves: repositories that a deployment does not serve do not exist for its callers
t.test(
  'what is not served is answered as if it did not exist, even while other deployments have it cached',
  async (t) => {
    const server = await startServer(t, { deployments, hasSearch: true, refMaxAge: 60_000 })
    const names = { ref: 'main', from: 'main', to: 'main', group: 'forecast', org: 'acme', name: 'quality' }
    const writeBody = ({ method, path }: Address) => {
      if (method === 'POST') return { version: 1, datasets: {} }
      return path.endsWith(':name') ? { state: 'passed' } : { checks: [{ name: 'quality', state: 'passed' }] }
    }
    const ask = async (route: Address, deployment: string, repo: string, accept: string) => {
      const { method, path } = route
      const ref = method === 'PUT' ? '1CECHNKREP0F1RSTCMT0' : names.ref
      const values = { ...names, ref, deployment, repo }
      const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(Reflect.get(values, name)))
      const isPosting = method === 'POST' || method === 'PUT'
      const headers = { accept, 'content-type': 'application/json', authorization: basic('acme', server.adminKey) }
      const sent = isPosting ? { method, body: JSON.stringify(writeBody(route)), headers } : { headers: { accept } }
      const response = await fetch(`${server.origin}${address}`, { ...sent, redirect: 'manual' })
      const text = (await response.text()).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(repo, 'NAME')
      return { status: response.status, text: text.replaceAll(deployment, 'DEPLOYMENT') }
    }
    const routes = [...listRoutes(contract)].filter(([, { path }]) => path.includes('/_meta') && path.includes(':repo'))
    t.ok(routes.length >= 15)
    for (const [id, route] of routes) {
      for (const accept of ['application/json', 'text/html']) {
        const { status } = await ask(route, 'open', 'weather', accept)
        await ask(route, 'open', 'satellite', accept)
        await ask(route, 'open', 'satellite', accept)
        const refused = await ask(route, 'weather', 'satellite', accept)
        t.equal(refused.status, id.endsWith('.choose') ? 400 : 404, id)
        t.strictSame(refused, await ask(route, 'weather', 'satellitf', accept), `${id}: as an unknown one`)
        t.equal((await ask(route, 'weather', 'weather', accept)).status, status, `${id}: a served one`)
      }
    }
  },
)

t.test('lists and pages show what is served, to keys that see less still less', async (t) => {
  const server = await startServer(t, { deployments })
  const meta = (deployment: string) => `${server.origin}/v1/services/${deployment}/acme/_meta`
  const list = async (address: string, key?: string) =>
    (await fetch(address, { headers: key === undefined ? {} : { authorization: basic('acme', key) } })).json()
  for (let times = 0; times < 2; times++) {
    t.strictSame(await list(`${meta('weather')}/discovery`), served)
    t.strictSame(await list(`${meta('both')}/discovery`, server.apiKey), ['satellite', 'weather'])
    t.strictSame(await list(`${meta('both')}/discovery`, server.weatherKey), ['weather'])
    t.ok((await list(`${server.publicMeta}/discovery`)).length > 5)
  }
  for (const address of [`${meta('weather')}/`, `${meta('weather')}/discovery`]) {
    const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text()
    t.match(page, 'weather-v1')
    t.notMatch(page, 'satellite')
  }
  const outside = await fetch(`${meta('both')}/discovery/satellite`, {
    headers: { authorization: basic('acme', server.weatherKey) },
  })
  t.equal(outside.status, 403, 'a key that does not cover it learns nothing')
})

t.test('the settings page links to a deployment that serves the repository', async (t) => {
  const [first, second] = [{ name: 'a', repos: ['weather'], public: true }, deployments[1]]
  const server = await startServer(t, { deployments: [first, second].flatMap((one) => one ?? []) })
  const page = await (await server.administer('GET', 'repos/satellite/settings')).text()
  t.notMatch(page, 'services/a/')
  t.equal((await server.administer('GET', 'repos/satellite/receivers')).status, 200, 'administration is not limited')
})

t.test('agents find what is served', async (t) => {
  const server = await startServer(t, { deployments })
  const url = `${server.origin}/v1/services/weather/acme/_meta/mcp`
  const agent = await connectAgent['versions of 2025'](t, { url, headers: {} })
  t.strictSame(readJson(await agent.call('discovery_repositories')), served)
  const refused = await agent.call('discovery_refs', { repo: 'satellite' })
  t.match(refused, { isError: true, content: [{ text: /acme has no repository called "satellite"/ }] })
  t.notOk((await agent.call('discovery_refs', { repo: 'weather' })).isError)
})

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: searches find, count and group what is served`, async (t) => {
    const { db } = await engine.fresh(t)
    const server = await startServer(t, { db, deployments, hasSearch: true })
    await server.notifier.start()
    const open = (deployment: string) =>
      createClient({ baseUrl: `${server.origin}/v1`, deployment, org: 'acme', apiKey: server.apiKey })
    const whole = open('open')
    await waitUntil(async () => {
      const { index } = await whole.searchPage({})
      const found = await Promise.all(['satellite', ...served].map((repo) => whole.searchPage({ repo })))
      return index.pending === 0 && found.every(({ total }) => total > 0)
    })
    const query = { limit: 100, facets: ['dimension', 'variable'] } as const
    const expected = await whole.searchPage({ ...query, repo: served })
    const { results, facets, total, index } = await open('weather').searchPage(query)
    t.strictSame(
      results.map(({ repo, group }) => `${repo} ${group}`),
      expected.results.map(({ repo, group }) => `${repo} ${group}`),
    )
    t.strictSame({ facets, total }, { facets: expected.facets, total: expected.total })
    t.ok(total > 0 && total < (await whole.searchPage({})).total)
    t.equal(index.repositories, served.length)
    t.match(await open('weather').searchPage({ repo: 'satellite' }), { total: 0, results: [] })
    t.ok((await open('both').searchPage({ repo: 'satellite' })).total > 0)
    const everywhere = { bbox: [-180, -90, 180, 90] } as const
    const { without_extent } = await open('weather').searchPage(everywhere)
    t.equal(without_extent, (await whole.searchPage({ ...everywhere, repo: served })).without_extent)
  })

  t.test(`${engine.name}: streams carry what is served, and do not reveal how much else happens`, async (t) => {
    const { db } = await engine.fresh(t)
    const server = await startServer(t, { db, deployments })
    const meta = (deployment: string) => `${server.origin}/v1/services/${deployment}/acme/_meta`
    await moveHeads(db, 'satellite', ['A'])
    await moveHeads(db, 'weather', ['B'])
    const whole = await follow(t, `${meta('open')}/events?after=0`, null)
    const some = await follow(t, `${meta('weather')}/events?after=0`, null)
    await moveHeads(db, 'satellite', ['C'])
    await moveHeads(db, 'weather-v1', ['D'])
    server.notifier.signal('deliveries')
    await whole.until(({ messages }) => messages.length >= 4)
    await some.until(({ messages }) => messages.length >= 2)
    t.strictSame(some.heads, ['B', 'D'])
    t.ok(some.ids.every((id) => id.startsWith('sealed:')))
    const resumed = await follow(t, `${meta('weather')}/events?after=${some.messages[0]?.id}`, null)
    await resumed.until(({ messages }) => messages.length >= 1)
    t.strictSame(resumed.heads, ['D'])
    const statuses = await Promise.all(
      ['?repo=satellite', '?repo=nope', '?after=3'].map(async (query) => {
        const { statusCode } = await requestStream(t, `${meta('weather')}/events${query}`)
        return statusCode
      }),
    )
    t.strictSame(statuses, [404, 404, 410])
  })
}
