import { t } from 'tap'
import { startServer } from '../start-server.ts'

const explorer = ['docs', 'docs/', 'docs/json', 'docs/static/swagger-ui-bundle.js']

t.test('a private deployment shows nothing of its explorer to strangers', async (t) => {
  const server = await startServer(t)
  for (const path of [...explorer, 'openapi.json']) {
    t.equal((await fetch(`${server.meta}/${path}`)).status, 401, path)
    t.equal((await server.get(path)).status, 200, path)
    t.equal((await fetch(`${server.publicMeta}/${path}`)).status, 200, path)
  }
})

t.test('the document is not written as YAML, which takes the process half a second', async (t) => {
  const server = await startServer(t)
  t.equal((await fetch(`${server.meta}/docs/yaml`)).status, 401)
  t.equal((await fetch(`${server.publicMeta}/docs/yaml`)).status, 404)
})

t.test('strangers are told nothing about which deployments there are, and holders of a key are', async (t) => {
  const server = await startServer(t)
  const unknown = server.meta.replace('/tiles/', '/nowhere/')
  t.equal((await fetch(`${unknown}/docs`)).status, 401)
  t.match(await (await server.get(`${unknown}/docs`)).json(), { type: '/problems/deployment-not-found' })
  for (const path of [...explorer, 'docs/yaml', 'docs/static/nothing.js', 'docs/a/b']) {
    for (const method of ['GET', 'POST']) {
      const [known, other] = await Promise.all(
        [server.meta, unknown].map((meta) => fetch(`${meta}/${path}`, { method })),
      )
      t.equal(other?.status, known?.status, `${method} ${path}`)
      t.equal(known?.status, method === 'GET' ? 401 : 405, `${method} ${path}`)
    }
  }
})

t.test('the document of the explorer is the one at openapi.json, with the address of the service', async (t) => {
  const server = await startServer(t)
  const document = await (await server.get('openapi.json')).json()
  t.strictSame(await (await server.get('docs/json')).json(), document)
  t.strictSame(document.servers, [{ url: server.origin }])
})

t.test('every path for readers that has no parameter is served', async (t) => {
  const server = await startServer(t)
  // Without notifications, the service is not ready.
  await server.notifier.start()
  const { paths } = await (await server.get('openapi.json')).json()
  const addresses = Object.keys(paths)
    .filter((path) => 'get' in paths[path])
    .filter((path) => !path.includes('{') && !path.startsWith('/v1/orgs/') && path !== '/metrics')
  t.ok(addresses.includes('/v1/services/tiles/acme/_meta'))
  for (const address of addresses) t.equal((await server.get(`${server.origin}${address}`)).status, 200, address)
})

t.test(
  'documents and the scripts of their pages are sent compressed, and not again while they are the same',
  async (t) => {
    const server = await startServer(t)
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
        t.equal(
          (await server.get(address, { 'accept-encoding': encoding, 'if-none-match': etag })).status,
          304,
          address,
        )
      }
    }
  },
)
