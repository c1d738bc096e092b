// nginx, configured as the documentation says, in front of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { countReads } from '../../catalog/count-reads.ts'
import { basic, fixtures, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

const nginx = process.env['FLOE_TEST_NGINX'] ?? 'nginx'
const isInstalled = await once(spawn(nginx, ['-v'], { stdio: 'ignore' }), 'close').then(
  ([code]) => code === 0,
  () => false,
)
const skip = !isInstalled && 'no nginx'

const documented = await readFile(new URL('../../../../docs/operating/caching.md', import.meta.url), 'utf8')
const block = /^```nginx\n(.*?)^```/ms.exec(documented)?.[1] ?? ''

const requests = 2_000
const width = 64

/** Starts nginx before a service at an address. Resolves when it listens, and returns the path of its socket. */
async function startNginx(t: Test, origin: string): Promise<string> {
  // Paths of sockets are short.
  const directory = await mkdtemp(join(tmpdir(), 'floe-nginx-'))
  const socket = join(directory, 'socket')
  const server = block
    .replace('/var/cache/nginx/floe', join(directory, 'cache'))
    .replace('127.0.0.1:8080', new URL(origin).host)
    .replace('listen 80;', `listen unix:${socket};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};\n`,
  )
  const process = `daemon off; master_process off; pid ${join(directory, 'pid')};\nevents {}\n`
  await writeFile(join(directory, 'nginx.conf'), `${process}http { access_log off;\n${temporary.join('')}${server}}\n`)
  const child = spawn(nginx, ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  child.stderr.setEncoding('utf8').on('data', (line: string) => t.comment(line.trim()))
  t.teardown(async () => {
    child.kill()
    await ended
    await rm(directory, { recursive: true })
  })
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    return get(socket, '/healthz').then(
      () => true,
      () => false,
    )
  })
  return socket
}

type Answer = {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: width })
t.teardown(() => agent.destroy())

async function get(socketPath: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = request({ socketPath, path, agent, headers: { host: 'floe.test', ...headers } }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

/** A service with a copy of a repository, and nginx before it. */
async function start(t: Test, { repo, refMaxAge }: { readonly repo: string; readonly refMaxAge: number }) {
  const directory = await mkdtemp(join(tmpdir(), 'floe-repository-'))
  t.teardown(() => rm(directory, { recursive: true }))
  await cp(join(fixtures, repo), directory, { recursive: true })
  const { store, reads } = countReads(openLocalStore(directory))
  const server = await startServer(t, { sources: [{ kind: 'repository', name: repo, store }], refMaxAge })
  const history = await (await server.get(`history/${repo}/main`)).json()
  const [newest, older]: string[] = history.commits.map((commit: { snapshot_id: string }) => commit.snapshot_id)
  /** Moves the branch, in format version 1. */
  const moveTo = (id = '') => writeFile(join(directory, 'refs/branch.main/ref.json'), JSON.stringify({ snapshot: id }))
  const socket = await startNginx(t, server.origin)
  let passed = 0
  server.http.on('request', () => passed++)
  const path = (deployment: 'open' | 'tiles', ref: string | undefined, view = 'info') =>
    `/v1/services/${deployment}/acme/_meta/datasets/${repo}/${ref}/forecast/${view}`
  return {
    server,
    newest,
    older,
    moveTo,
    path,
    countPassed: () => passed,
    countSnapshotReads: () => reads.filter((key) => key.startsWith('snapshots/')).length,
    ask: (...question: [path: string, headers?: Record<string, string>]) => get(socket, ...question),
  }
}

t.test(
  '2,000 requests through nginx cause one request to the service, and one read of the snapshot',
  { skip },
  async (t) => {
    const { server, ask, path, newest, countPassed, countSnapshotReads } = await start(t, {
      repo: 'weather',
      refMaxAge: 600_000,
    })
    for (const address of [path('open', newest), path('open', 'main', 'dict')]) {
      // nginx lets others ask too when an answer takes more than five seconds, as the first one may.
      t.equal((await server.get(`${server.origin}${address}`)).status, 200)
      const before = countPassed()
      let left = requests
      const bodies = new Set<string>()
      const caller = async () => {
        while (left-- > 0) {
          const { status, body } = await ask(address)
          bodies.add(`${status} ${body}`)
        }
      }
      await Promise.all(Array.from({ length: width }, caller))
      t.equal(bodies.size, 1)
      t.match([...bodies][0], /^200 /)
      t.equal(countPassed() - before, 1, address)
    }
    t.equal(countSnapshotReads(), 1)
  },
)

t.test(
  'a new commit shows through nginx after the age of a ref in the service, the same in nginx, and once more',
  { skip },
  async (t) => {
    const { ask, path, newest, older, moveTo, countPassed } = await start(t, { repo: 'weather-v1', refMaxAge: 1_000 })
    await moveTo(older)
    const readHead = async () => (await ask(path('open', 'main'))).headers['floe-snapshot']
    await waitUntil(async () => (await readHead()) === older)
    await moveTo(newest)
    const before = countPassed()
    await waitUntil(async () => (await readHead()) === newest)
    const passed = countPassed() - before
    // nginx asks once each second. It counts whole seconds, so the service may hear two questions within its age.
    t.ok(passed <= 4, `nginx asked ${passed} times`)
    t.equal(await readHead(), newest)
  },
)

t.test('nginx keeps each form of an answer, and nothing of private deployments and errors', { skip }, async (t) => {
  const { server, ask, path, newest, countPassed } = await start(t, { repo: 'weather', refMaxAge: 600_000 })
  const credentials = { authorization: basic('acme', server.adminKey) }
  const askTwice = async (address: string, headers: Record<string, string> = {}) => {
    await ask(address, headers)
    const before = countPassed()
    return { ...(await ask(address, headers)), passed: countPassed() - before }
  }
  const json = await askTwice(path('open', newest))
  t.match(json, {
    passed: 0,
    headers: { 'content-type': /json/, 'access-control-allow-origin': '*', 'x-cache': 'HIT' },
  })
  const page = await askTwice(path('open', newest, ''), { accept: 'text/html' })
  t.match(page, { passed: 0, headers: { 'content-type': /html/ } })
  const list = `/v1/services/open/acme/_meta/discovery/weather/main`
  t.match(await askTwice(list), { passed: 0, headers: { 'content-type': /json/ } })
  t.match(await askTwice(list, { accept: 'text/html' }), { passed: 0, headers: { 'content-type': /html/ } })
  const compressed = await askTwice(path('open', newest), { 'accept-encoding': 'gzip' })
  t.match(compressed, { passed: 0, headers: { 'content-encoding': 'gzip' } })
  t.equal((await askTwice(path('open', newest))).headers['content-encoding'], undefined)
  const known = await ask(path('open', newest), { 'if-none-match': String(json.headers['etag']) })
  t.equal(known.status, 304)
  const admitted = await ask(path('open', newest), credentials)
  t.match(admitted, { body: json.body, headers: { 'x-cache': 'HIT' } }, 'shared with callers who have a key')
  t.match(await askTwice(path('tiles', newest), credentials), { status: 200, passed: 1 })
  t.match(await askTwice(path('tiles', newest)), { status: 401, passed: 1 })
  t.match(await askTwice(path('open', newest, 'nowhere/info')), { status: 404, passed: 1 })
})
