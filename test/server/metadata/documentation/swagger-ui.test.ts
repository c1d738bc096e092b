import { createContext, runInContext } from 'node:vm'
import { t, type Test } from 'tap'
import { type RunningServer, startServer } from '../../start-server.ts'

const server = await startServer(t)

const served = ['docs', 'docs/', 'docs/static/swagger-ui-bundle.js', 'docs/static/swagger-initializer.js']

/** Routes of @fastify/swagger-ui that the contract does not have. */
const unserved = ['docs/json', 'docs/yaml', 'docs/static/index.html']

t.test('a private deployment shows nothing of Swagger UI to strangers', async (t) => {
  for (const path of [...served, 'openapi.json']) {
    t.equal((await fetch(`${server.meta}/${path}`)).status, 401, path)
    t.equal((await server.get(path)).status, 200, path)
    t.equal((await fetch(`${server.publicMeta}/${path}`)).status, 200, path)
  }
})

t.test('the page of Swagger UI is as wide as a phone', async (t) => {
  const page = await (await server.get('docs')).text()
  t.match(page, /<head>\s*<meta name="viewport" content="width=device-width, initial-scale=1">/)
})

t.test('pages that scripts build lead readers without script to the OpenAPI document', async (t) => {
  for (const path of ['docs', 'docs/', 'redoc', 'redoc/']) {
    const page = await (await server.get(path)).text()
    const [, link = ''] = /<noscript>.*<a href="([^"]+)".*<\/noscript>/s.exec(page) ?? []
    t.match(await (await server.get(new URL(link, server.origin).href)).json(), { openapi: '3.1.0' }, path)
  }
})

t.test('nothing but files is served below the page', async (t) => {
  for (const path of [...unserved, 'docs/a', 'docs/static', 'docs/static/', 'docs/static/..%2fpackage.json']) {
    t.equal((await fetch(`${server.meta}/${path}`)).status, 401, path)
    t.equal((await fetch(`${server.publicMeta}/${path}`)).status, 404, path)
    t.match(await (await server.get(path)).json(), { type: '/problems/route-not-found' }, path)
  }
})

t.test('only callers with a key learn which deployments there are', async (t) => {
  const unknown = server.meta.replace('/tiles/', '/nowhere/')
  t.equal((await fetch(`${unknown}/docs`)).status, 401)
  t.match(await (await server.get(`${unknown}/docs`)).json(), { type: '/problems/deployment-not-found' })
  for (const path of [...served, ...unserved, 'docs/static/nothing.js', 'docs/a/b']) {
    for (const method of ['GET', 'POST']) {
      const [known, other] = await Promise.all(
        [server.meta, unknown].map((meta) => fetch(`${meta}/${path}`, { method })),
      )
      t.equal(other?.status, known?.status, `${method} ${path}`)
      t.equal(known?.status, method === 'GET' ? 401 : 405, `${method} ${path}`)
    }
  }
})

t.test('the page names its deployment, and its files by addresses that hold below a path of a proxy', async (t) => {
  const server = await startServer(t, { baseUrl: 'https://example.org/floe/v1' })
  const listFiles = (page: string) =>
    [...page.matchAll(/<(?:link|script)\b[^>]* (?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
  for (const [path, files] of [
    ['docs', '/floe/v1/services/tiles/acme/_meta/docs/static/'],
    ['docs?x=1', '/floe/v1/services/tiles/acme/_meta/docs/static/'],
    ['docs/', './static/'],
  ] as const) {
    const answer = await server.get(path)
    const page = await answer.text()
    t.match(page, '<title>acme/tiles API</title>', path)
    t.ok(listFiles(page).length > 3, path)
    t.strictSame(
      listFiles(page).filter((file) => !file.startsWith(files)),
      [],
      path,
    )
    t.notMatch(page, /<script(?! src)/, 'no script stands in the page')
    t.match(answer.headers.get('content-security-policy'), "script-src 'self';")
    const head = await fetch(`${server.publicMeta}/${path}`, { method: 'HEAD' })
    t.equal(head.status, 200, path)
  }
})

t.test(
  'Swagger UI reads the OpenAPI document of the deployment, and sends requests to the host of the page',
  async (t) => {
    for (const path of ['docs', 'docs/', 'docs?x=1', 'docs/#/discovery']) {
      const { spec } = await configurePage(t, server, new URL(`${server.meta}/${path}`))
      for (const action of ['updateUrl', 'download'] as const) {
        t.equal(spec[action]((url) => url)('ignored'), `${server.meta}/openapi.json`, path)
      }
      const document = { openapi: '3.1.0', servers: [{ url: 'https://example.org/floe' }] }
      const shown = spec.updateJsonSpec((description) => description)(document)
      t.match(shown, { openapi: '3.1.0', servers: [{ url: `${server.origin}/floe` }] })
    }
  },
)

type Wrap<Value> = (action: (value: Value) => Value) => (value: Value) => Value

/** Runs the script that starts Swagger UI as the page does, and returns what it makes of Swagger UI's actions. */
async function configurePage(t: Test, server: RunningServer, { origin, pathname, href }: URL) {
  const location = { origin, pathname, href }
  const started: unknown[] = []
  const SwaggerUIBundle = Object.assign(
    (config: { plugins: (() => { statePlugins: { spec: { wrapActions: unknown } } })[] }) => {
      started.push(...config.plugins.map((plugin) => plugin().statePlugins.spec.wrapActions))
      return { initOAuth: () => {} }
    },
    { presets: {}, plugins: {} },
  )
  const page = createContext({
    window: { location },
    location,
    document: { createElement: () => ({}) },
    SwaggerUIBundle,
    SwaggerUIStandalonePreset: {},
    URL,
  })
  runInContext(await (await server.get('docs/static/swagger-initializer.js')).text(), page)
  runInContext('window.onload()', page)
  t.equal(started.length, 1)
  // The shape of the plugin's actions, which the calls in the test show.
  return { spec: started[0] as { updateUrl: Wrap<string>; download: Wrap<string>; updateJsonSpec: Wrap<object> } }
}

t.test(
  'documents and the scripts of their pages are sent compressed, and not again while they are the same',
  async (t) => {
    const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js']
    const addresses = [
      `${server.meta}/openapi.json`,
      ...assets.map((name) => `${server.meta}/docs/static/${name}`),
      `${server.origin}/assets/redoc/redoc.standalone.js`,
      `${server.origin}/assets/web/style.css`,
    ]
    for (const address of addresses) {
      const plain = await server.get(address, { 'accept-encoding': 'identity' })
      t.equal(plain.headers.get('content-encoding'), null)
      const bytes = Buffer.from(await plain.arrayBuffer())
      for (const encoding of ['br', 'gzip']) {
        const response = await server.get(address, { 'accept-encoding': encoding })
        t.equal(response.headers.get('content-encoding'), encoding, address)
        t.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), address)
        const etag = response.headers.get('etag')
        if (etag === null) continue
        // By itself, `fetch` asks for an answer that is not from a cache.
        const again = { 'accept-encoding': encoding, 'if-none-match': etag, 'cache-control': 'max-age=0' }
        t.equal((await server.get(address, again)).status, 304, address)
      }
    }
  },
)
