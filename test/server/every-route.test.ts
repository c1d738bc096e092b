// The server has the routes of the contract, and no others: what Fastify is told is compared with it, both ways.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { contract, listRoutes } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import { t, type Test } from 'tap'
import { exchangeAt } from './authorization/start-exchange.ts'
import { registerAt } from './sessions/start-sign-in.ts'
import { startServer } from './start-server.ts'

/**
 * Files that pages load, what @fastify/swagger-ui adds below its page, the way from `/` to the page of the deployments,
 * and the preflights that @fastify/cors answers everywhere.
 */
const isBeside = (url: string) =>
  url.startsWith('/assets/') || url.startsWith('/help') || /\/_meta\/docs\/./.test(url) || url === '/' || url === '*'

t.test("Fastify's routes are those of the contract", async (t) => {
  const routes = listenForRoutes(t)
  const baseUrl = 'https://floe.example.org/v1'
  const issuer = registerAt('https://id.example.org')
  await startServer(t, { baseUrl, issuer, tokens: exchangeAt(baseUrl) })
  const served = new Set(routes.filter(({ url }) => !isBeside(url)).map(({ method, url }) => `${method} ${url}`))
  const described = [...listRoutes(contract)].map(
    ([, { method, path }]) => `${method} ${path.replace(/(?<=.)\/$/, '')}`,
  )
  t.strictSame([...served].sort(), described.sort())
})

// Proves: all addresses are below `{base_url}/services/{deployment}/{org}/_meta` and answer `GET`
t.test('every address of the specification answers with its kind of content', async (t) => {
  const server = await startServer(t)
  const json = 'application/json; charset=utf-8'
  const html = 'text/html; charset=utf-8'
  const addresses = {
    discovery: json,
    'discovery/weather': json,
    'discovery/weather/main': json,
    'discovery/weather/main?group=wind': json,
    'datasets/weather/main/info': json,
    'datasets/weather/main/wind/speed/info': json,
    'datasets/weather/main/keys': json,
    'datasets/weather/main/wind/speed/keys': json,
    'datasets/weather/main/dict': json,
    'datasets/weather/main/wind/speed/dict': json,
    'datasets/weather/main': html,
    'datasets/weather/main/wind/speed': html,
    docs: html,
    redoc: html,
    'openapi.json': json,
  }
  for (const [address, contentType] of Object.entries(addresses)) {
    const response = await server.get(`${server.origin}/v1/services/tiles/acme/_meta/${address}`)
    t.equal(response.status, 200, address)
    t.equal(response.headers.get('content-type'), contentType, address)
    await response.body?.cancel()
  }
})

/** Every route that a server adds from now on, in the way that Fastify announces new servers. */
function listenForRoutes(t: Test): readonly { readonly method: string; readonly url: string }[] {
  const routes: { method: string; url: string }[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance } // as its documentation says
    fastify.addHook('onRoute', ({ method, url }) => {
      // Fastify adds HEAD to every GET.
      for (const one of [method].flat().filter((one) => one !== 'HEAD')) {
        routes.push({ method: one, url: url.replace(/(?<=.)\/$/, '') })
      }
    })
  }
  subscribe('fastify.initialization', watch)
  t.teardown(() => unsubscribe('fastify.initialization', watch))
  return routes
}
