// What an address answers to methods that it does not take.
import { type IncomingHttpHeaders, request } from 'node:http'
import { contract, Problem, listRoutes } from '@floe/contract'
import { t } from 'tap'
import { exchangeAt } from '../../authorization/start-exchange.ts'
import { registerAt } from '../../sessions/start-sign-in.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

// People can sign in and exchange keys, so that there is every address.
const baseUrl = 'http://127.0.0.1/v1'
const issuer = registerAt('https://id.example.org')
const server = await startServer(t, { baseUrl, issuer, tokens: exchangeAt(baseUrl) })

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** Sends any method, which `fetch` does not. */
function send(server: RunningServer, method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const { port } = new URL(server.origin)
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      const end = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      response.on('end', end)
      // A stream of events does not end.
      if (method !== 'HEAD' && response.headers['content-type']?.startsWith('text/event-stream')) {
        end()
        response.destroy()
      }
    })
    sent.on('error', reject).end(body)
  })
}

const names: Readonly<Record<string, string>> = {
  deployment: 'tiles',
  org: 'acme',
  repo: 'weather',
  ref: 'main',
  group: 'wind/speed',
  id: '00000000-0000-4000-8000-000000000000',
}

/** Every address of the service with the methods that it takes. */
function listAddresses(): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  const add = (path: string, method: string) => {
    const known = methods.get(path) ?? new Set()
    methods.set(path, known.add(method))
    if (method === 'GET') known.add('HEAD')
  }
  for (const [, { path, method }] of listRoutes(contract)) {
    add(
      path.replace(/:(\w+)/g, (_, name: string) => names[name] ?? name),
      method,
    )
  }
  for (const path of ['/', '/healthz', '/readyz', '/problems/internal', '/assets/web/style.css']) add(path, 'GET')
  return methods
}

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL', 'LOCK']

t.test('each address answers 405 with Allow to every method that it does not take', async (t) => {
  const all = listAddresses()
  t.ok(all.size > 35)
  for (const [path, taken] of all) {
    const allow = [...taken].sort().join(', ')
    for (const method of everyMethod.filter((one) => !taken.has(one))) {
      // Browsers ask with OPTIONS before they read from another origin.
      if (
        method === 'OPTIONS' &&
        /^\/(?:v1\/schemas\/|\.well-known\/|v1\/oauth\/(?:register|token|revoke)$)/.test(path)
      )
        continue
      const { status, headers, body } = await send(server, method, path)
      const what = `${method} ${path}`
      t.equal(status, 405, what)
      t.equal(headers.allow, allow, what)
      t.match(headers['content-type'], 'application/problem+json', what)
      if (method === 'HEAD') continue
      t.match(Problem.parse(JSON.parse(body)), { type: '/problems/method-not-allowed', status: 405 }, what)
    }
  }
})

t.test('a trailing slash, a query and a body change nothing about it', async (t) => {
  const discovery = '/v1/services/tiles/acme/_meta/discovery'
  for (const path of [`${discovery}/`, `${discovery}?x=1`, `${discovery}/weather/feature%2Fone`]) {
    t.equal((await send(server, 'POST', path)).status, 405, path)
  }
  for (const [type, body] of [
    ['application/json', '{'],
    ['text/plain', 'hello'],
    ['application/x-nonsense', 'x'.repeat(2_000_000)],
  ] as const) {
    const headers = { 'content-type': type, expect: '100-continue' }
    t.equal((await send(server, 'PUT', discovery, headers, body)).status, 405, type)
    t.equal((await send(server, 'POST', '/nowhere', headers, body)).status, 404, type)
  }
})

t.test('an unknown address stays not found, whatever the method', async (t) => {
  const meta = '/v1/services/tiles/acme/_meta'
  for (const path of [
    '/nowhere',
    '/v1/nowhere',
    `${meta}/nowhere`,
    '/v1/orgs/acme/nowhere',
    '/v1/services',
    '//healthz',
  ]) {
    for (const method of ['GET', 'POST', 'PROPFIND', 'OPTIONS']) {
      t.equal((await send(server, method, path)).status, 404, `${method} ${path}`)
    }
  }
  t.equal((await send(server, 'GET', '/assets/web/nothing.css')).status, 404)
})

t.test('a method tells nothing about what a private deployment or an organisation has', async (t) => {
  const readFacts = async (path: string) => {
    const { headers, body } = await send(server, 'DELETE', path)
    const { instance: _, detail, ...problem } = Problem.parse(JSON.parse(body))
    return { ...problem, allow: headers.allow, detail: detail.replace(/^\S+/, '') }
  }
  const [deployment, repository] = ['/v1/services/tiles/acme/_meta', '/v1/orgs/acme/repos/weather']
  const known = await readFacts(`${deployment}/datasets/weather/main/forecast/info`)
  t.strictSame(await readFacts('/v1/services/nope/nobody/_meta/datasets/nothing/mian/x/info'), known)
  t.strictSame(await readFacts('/v1/orgs/nobody/repos/nothing'), await readFacts(repository))
})

t.test('HEAD answers as GET does, without the body', async (t) => {
  const headers = { authorization: basic('acme', server.adminKey), 'accept-encoding': 'identity' }
  for (const [path, methods] of listAddresses()) {
    if (!methods.has('GET')) continue
    const get = await send(server, 'GET', path, headers)
    const head = await send(server, 'HEAD', path, headers)
    t.equal(head.status, get.status, path)
    t.equal(head.body, '', path)
    for (const name of ['content-type', 'etag', 'floe-snapshot', 'cache-control', 'vary', 'allow'] as const) {
      t.equal(head.headers[name], get.headers[name], `${path}: ${name}`)
    }
  }
})
