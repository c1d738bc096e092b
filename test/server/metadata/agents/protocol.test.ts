// What the address for agents does with requests that no client of the SDK sends.
import { request } from 'node:http'
import { t } from 'tap'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

const server = await startServer(t)

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** Sends a message as a reader. */
function send(
  { meta, apiKey }: RunningServer,
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Response> {
  return fetch(`${meta}/mcp`, {
    method,
    headers: { authorization: basic('acme', apiKey), 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  })
}

t.test('there are no sessions and no streams: GET and DELETE are answered with 405', async (t) => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await send(server, undefined, { accept: 'text/event-stream' }, method)
    t.equal(response.status, 405, method)
    t.equal(response.headers.get('allow'), 'POST')
    t.match(await response.json(), { type: '/problems/method-not-allowed' })
  }
  const listen = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, ...envelope },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  t.match(await (await send(server, listen, headers)).json(), { error: { code: -32603 } }, 'nothing is streamed')
})

/** What each message of the version of 2026 brings. */
const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

t.test('a message is answered as JSON without a handshake, whatever the caller accepts', async (t) => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream']) {
    const response = await send(server, list, { accept })
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.equal(response.headers.get('mcp-session-id'), null)
    t.match(await response.json(), { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'discovery_repositories' }] } })
  }
  const noticed = await send(server, { jsonrpc: '2.0', method: 'notifications/initialized' })
  t.equal(noticed.status, 202)
  t.equal(await noticed.text(), '')
  t.equal((await send(server, { jsonrpc: '2.0', id: 7, result: {} })).status, 202, 'an answer to nothing')
})

t.test('versions of the protocol that are not known are refused', async (t) => {
  const old = await send(server, list, { 'mcp-protocol-version': '2023-01-01' })
  t.equal(old.status, 400)
  t.match(await old.json(), { jsonrpc: '2.0', error: { message: /Unsupported protocol version/ } })
  t.equal((await send(server, list, { 'mcp-protocol-version': '2025-03-26' })).status, 200)
  const modern = await send(server, { ...list, params: envelope }, { 'mcp-method': 'tools/list' })
  t.equal(modern.status, 400, 'the version of 2026 wants the header, too')
  const unknown = await send(
    server,
    { jsonrpc: '2.0', id: 1, method: 'tools/nope', params: envelope },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/nope' },
  )
  t.equal(unknown.status, 404)
  t.match(await unknown.json(), { error: { code: -32601 } })
})

t.test('a body that is no message is refused with a problem', async (t) => {
  const refused = [
    ['{', 400, 'invalid-request'],
    ['', 400, 'invalid-request'],
    ['null', 400, 'invalid-request'],
    [JSON.stringify([list, { ...list, id: 2 }]), 400, 'invalid-request'],
    ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, 'invalid-request'],
    ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400, 'invalid-request'],
    [JSON.stringify({ ...list, params: { filler: 'x'.repeat(70_000) } }), 413, 'body-too-large'],
  ] as const
  for (const [body, status, code] of refused) {
    const response = await send(server, body)
    t.equal(response.status, status, body.slice(0, 60))
    t.match(await response.json(), { type: `/problems/${code}` }, body.slice(0, 60))
  }
  const typed = await send(server, list, { 'content-type': 'text/plain' })
  t.equal(typed.status, 415)
})

t.test('a message that is nested deep is no fault of the service', async (t) => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const call = (given: string) => `"method":"tools/call","params":{"name":"discovery_refs","arguments":${given}}`
  for (const members of [
    `"id":${deep}`,
    `"id":1,"method":"tools/list","surprise":${deep}`,
    `"id":1,"method":"tools/list","params":{"_meta":{"a":${deep}}}`,
    `"id":1,${call(deep)}`,
    `"id":1,${call(`{"repo":${deep}}`)}`,
    `"id":1,${call(`{"surprise":${deep}}`)}`,
  ]) {
    const response = await send(server, `{"jsonrpc":"2.0",${members}}`)
    t.ok(response.status < 500, `${response.status} ${members.slice(0, 80)}`)
    t.notMatch(await response.text(), '-32603')
  }
})

t.test('pages of other origins are refused, also where a name leads to this address', async (t) => {
  const server = await startServer(t, { corsOrigins: ['https://app.example.org'] })
  const { port } = new URL(server.origin)
  for (const origin of [
    'https://evil.example',
    `http://evil.example:${port}`,
    'http://127.0.0.1:1',
    `https://127.0.0.1:${port}x`,
    'null',
    '',
  ]) {
    const response = await send(server, list, { origin })
    t.equal(response.status, 403, origin)
    t.match(await response.json(), { type: '/problems/cross-site' }, origin)
  }
  for (const origin of [server.origin, 'https://app.example.org']) {
    t.equal((await send(server, list, { origin })).status, 200, origin)
  }
  const preflight = await fetch(`${server.meta}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.org', 'access-control-request-method': 'POST' },
  })
  t.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example.org')
  t.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
  t.match(preflight.headers.get('access-control-allow-headers'), /content-type.*mcp-protocol-version/i)
})

t.test('a page whose name leads to this address is refused', async (t) => {
  const { port } = new URL(server.origin)
  // Its browser takes the service for the page's own server, so host and origin agree.
  const send = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' }
      const path = new URL(`${server.publicMeta}/mcp`).pathname
      request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
        .on('error', reject)
        .end(JSON.stringify(list))
    })
  t.equal(await send(`evil.example:${port}`), 403)
  t.equal(await send(`127.0.0.1.evil.example:${port}`), 403)
  t.equal(await send(`127.0.0.1:${port}`), 200)
  t.equal(await send(`localhost:${port}`), 200)
  t.equal(await send(`[::1]:${port}`), 200)
})

t.test('behind a public address, its origin is the own one', async (t) => {
  const server = await startServer(t, { baseUrl: 'https://floe.example.org/v1' })
  t.equal((await send(server, list, { origin: 'https://floe.example.org' })).status, 200)
  t.equal((await send(server, list, { origin: server.origin })).status, 403)
})
