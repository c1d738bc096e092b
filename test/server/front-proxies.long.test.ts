// The configurations of nginx and Caddy that the recipes show, in front of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { t, type Test } from 'tap'
import { testAuthority } from './notifications/start-receiver.ts'
import { basic, type RunningServer, startServer } from './start-server.ts'
import { waitUntil } from './wait-until.ts'
import { findFreePort } from '../../scripts/free-port.ts'

const recipes = await readFile(new URL('../../docs/using/recipes.md', import.meta.url), 'utf8')
const [nginxRecipe = '', caddyRecipe = ''] = [/^```nginx\n(.*?)^```/ms, /^```\n(floe\.example\.org \{\n.*?)^```/ms].map(
  (block) => block.exec(recipes)?.[1],
)
const [certificate, key] = ['receiver.pem', 'receiver.key.pem'].map((name) =>
  fileURLToPath(new URL(`notifications/certificates/${name}`, import.meta.url)),
)

/**
 * How a proxy is started with its recipe: before a service at an address, listening at a port, with files in a
 * directory.
 */
type Proxy = {
  readonly program: string
  readonly version: string
  readonly configure: (directory: string, service: string, port: number) => string
  readonly listArguments: (file: string) => readonly string[]
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: process.env['FLOE_TEST_NGINX'] ?? 'nginx',
    version: '-v',
    configure: (directory, service, port) => {
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const temporary = kinds.map((kind) => `${kind}_temp_path ${join(directory, kind)};\n`).join('')
      const server = nginxRecipe
        .replace('127.0.0.1:8080', service)
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
        .replace('/etc/ssl/floe.pem', `${certificate}`)
        .replace('/etc/ssl/floe.key', `${key}`)
      const process = `daemon off; master_process off; pid ${join(directory, 'pid')};\nevents {}\n`
      return `${process}http { access_log off;\n${temporary}${server}}\n`
    },
    listArguments: (file) => ['-c', file, '-e', 'stderr'],
  },
  Caddy: {
    program: process.env['FLOE_TEST_CADDY'] ?? 'caddy',
    version: 'version',
    configure: (_, service, port) => {
      const site = caddyRecipe
        .replace('127.0.0.1:8080', service)
        .replace('floe.example.org {', `https://127.0.0.1:${port} {\n  tls ${certificate} ${key}`)
      return `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`
    },
    listArguments: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

for (const [name, proxy] of Object.entries(proxies)) {
  const isInstalled = await once(spawn(proxy.program, [proxy.version], { stdio: 'ignore' }), 'close').then(
    ([code]) => code === 0,
    () => false,
  )
  t.test(
    `${name} passes answers, refusals, changes and streams on`,
    { skip: !isInstalled && `no ${name}` },
    async (t) => {
      const baseUrl = 'https://floe.example.org/v1'
      const server = await startServer(t, { trustProxy: ['127.0.0.0/8'], baseUrl })
      const port = await start(t, proxy, new URL(server.origin).host)
      const paths = [
        'datasets/weather/main/forecast/info',
        'datasets/weather/feature%2Fnew/info',
        'discovery?repo=%2Fx',
      ]
      for (const path of paths) {
        const [through, direct] = [await ask(port, server, `${pathOf(server.meta)}/${path}`), await server.get(path)]
        t.equal(through.statusCode, direct.status, path)
        t.strictSame(omitInstance(await json(through)), omitInstance(await direct.json()), path)
      }

      const webhooks = `${pathOf(server.org)}/repos/weather/receivers`
      const webhook = { kind: 'webhook', url: 'https://example.org/hook', alias: 'one', events: ['NewCommit'] }
      const created = await ask(port, server, webhooks, webhook)
      t.equal(created.statusCode, 201)
      t.match(created.headers.location, '/v1/orgs/acme/repos/weather/receivers/')
      created.resume()

      const stream = await ask(port, server, `${pathOf(server.meta)}/events`)
      const [first] = await once(stream.setEncoding('utf8'), 'data')
      t.match(first, /^retry: /, 'the start of the stream arrives while it goes on')
      t.equal(stream.complete, false)
      stream.destroy()
    },
  )
}

/** Starts a proxy and resolves with its port when it answers. */
async function start(t: Test, { program, configure, listArguments }: Proxy, service: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-proxy-'))
  const port = await findFreePort()
  const file = join(directory, 'proxy.conf')
  await writeFile(file, configure(directory, service, port))
  const child = spawn(program, listArguments(file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  })
  const ended = once(child, 'close')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  t.teardown(async () => {
    child.kill()
    await ended
    await rm(directory, { recursive: true })
  })
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${log}`)
    const answer = await send(port, '/healthz', {}).catch(() => undefined)
    return answer?.resume().statusCode === 200
  })
  return port
}

/** Sends a request of an administrator through a proxy; with a body, a POST. */
function ask(port: number, { adminKey }: RunningServer, path: string, body?: object): Promise<IncomingMessage> {
  return send(port, path, { authorization: basic('acme', adminKey) }, body)
}

async function send(
  port: number,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<IncomingMessage> {
  const method = body === undefined ? 'GET' : 'POST'
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = request({ port, path, method, ca: testAuthority, host: '127.0.0.1', headers: { ...headers, ...type } })
  sent.end(body && JSON.stringify(body))
  const [response] = await once(sent, 'response')
  return response
}

function pathOf(address: string): string {
  return new URL(address).pathname
}

/** Problems name the request by an id of its own. */
function omitInstance(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? { ...body, instance: undefined, request_id: undefined } : body
}
