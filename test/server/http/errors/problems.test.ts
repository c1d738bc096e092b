import { cp, truncate, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Problem } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { answerClientError } from '../../../../server/http/errors/client-error.ts'
import { readExpectedAnswers } from '../../expected-answers.ts'
import { listen } from '../../notifications/start-receiver.ts'
import { basic, fixtures, type RunningServer, startServer } from '../../start-server.ts'

const server = await startServer(t)

/** Sends a path exactly as it stands, which `fetch` does not. */
async function getRaw(server: RunningServer, path: string): Promise<{ status: number; type: string; body: string }> {
  const { port } = new URL(server.origin)
  const headers = { authorization: basic('acme', server.apiKey) }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body })
      })
    })
    sent.on('error', reject).end()
  })
}

t.test('every layer refuses with problem+json', async (t) => {
  const meta = '/v1/services/tiles/acme/_meta'
  const cases: Record<string, [path: string, status: number, type: string]> = {
    'an unknown address': ['/nowhere', 404, 'route-not-found'],
    'an unknown address below a deployment': [`${meta}/nowhere`, 404, 'route-not-found'],
    'a bad percent escape': [`${meta}/discovery/%zz`, 400, 'invalid-request'],
    'bytes that are not UTF-8': [`${meta}/discovery/%ff%fe`, 400, 'invalid-request'],
    'a NUL': [`${meta}/discovery/weather%00`, 400, 'invalid-request'],
    'an overlong name': [`${meta}/discovery/${'x'.repeat(300)}`, 400, 'invalid-request'],
    'an overlong segment': [`${meta}/discovery/${'x'.repeat(13_000)}`, 414, 'uri-too-long'],
    'an address that no buffer of the parser holds': [`/${'x'.repeat(20_000)}`, 431, 'headers-too-large'],
    'an unknown repository': [`${meta}/discovery/nope`, 404, 'repository-not-found'],
    'an unknown ref': [`${meta}/discovery/weather/nope`, 404, 'ref-not-found'],
    'a snapshot id that is not there': [`${meta}/discovery/weather/00000000000000000000`, 404, 'ref-not-found'],
    'an unknown group': [`${meta}/datasets/weather/main/nope/info`, 404, 'group-not-found'],
    'an array in place of a group': [`${meta}/datasets/weather/main/forecast/crs/info`, 404, 'group-not-found'],
    'dots for a repository': [`${meta}/discovery/..%2F..%2Fetc`, 404, 'repository-not-found'],
    'dots for a ref': [`${meta}/discovery/weather-v1/..%2F..%2F..%2Fweather%2Frefs`, 404, 'ref-not-found'],
    'dots for a group': [`${meta}/datasets/weather/main/..%2F..%2Finfo`, 404, 'group-not-found'],
    'raw dots': [`${meta}/discovery/../../../../../etc/passwd`, 404, 'route-not-found'],
  }
  for (const [what, [path, status, type]] of Object.entries(cases)) {
    const response = await getRaw(server, path)
    t.equal(response.status, status, what)
    t.match(response.type, 'application/problem+json', what)
    const problem = Problem.parse(JSON.parse(response.body))
    t.match(problem, { type: `/problems/${type}`, code: type, status, instance: /^urn:uuid:/ }, what)
  }
  const { body } = await getRaw(server, `${meta}/discovery/weather%00/main`)
  t.match(JSON.parse(body), { errors: [{ pointer: '/path/repo', message: /control characters/ }] })
})

t.test('an address that cannot be decoded is refused in plain words', async (t) => {
  const meta = '/v1/services/tiles/acme/_meta'
  const group = `${meta}/discovery/weather/main?group=`
  for (const path of [`${meta}/discovery/%ff`, `${meta}/discovery/100%`, '/%zz', `${group}%ff`, `${group}50%`]) {
    const { status, body } = await getRaw(server, path)
    t.equal(status, 400, path)
    t.match(
      JSON.parse(body).detail,
      /^The address cannot be decoded: each % must be followed by two hexadecimal digits/,
      path,
    )
  }
  t.equal((await getRaw(server, `${group}wind%2Fspeed`)).status, 200)
})

t.test('a ref that is not there is named with its repository, near names, and where all are listed', async (t) => {
  const listed = (repo: string) => `/v1/services/tiles/acme/_meta/discovery/${repo}`
  const unknown = (repo: string, ref: string) => `${repo} has no branch, tag or snapshot called "${ref}"`
  for (const [path, detail] of [
    ['discovery/weather/mian', `${unknown('weather', 'mian')}; did you mean "main"?`],
    ['history/weather/featur%2Fone', `${unknown('weather', 'featur/one')}; did you mean "feature/one"?`],
    ['diff/weather/main/v1.2', `${unknown('weather', 'v1.2')}; did you mean "v1.0" or "v1.1"?`],
    ['datasets/weather/nothing/info', unknown('weather', 'nothing')],
    // Listing the refs of version 1 costs reads.
    ['datasets/weather-v1/mian/wind/info', unknown('weather-v1', 'mian')],
  ] as const) {
    const problem = Problem.parse(await (await server.get(path)).json())
    t.match(problem, { type: '/problems/ref-not-found', detail, see: listed(path.split('/')[1] ?? '') }, path)
    t.equal(problem.detail, detail)
  }
  t.match(
    await (await server.get('history/weather/mian', { accept: 'text/html' })).text(),
    `<a href="${listed('weather')}">Branches and tags</a>`,
  )
})

t.test('a group that is not there is named with near names', async (t) => {
  for (const [group, hint] of [
    ['wind/sped', '; did you mean "wind/speed"?'],
    ['forcast', '; did you mean "forecast"?'],
    ['nothing', ''],
  ]) {
    const { code, detail } = Problem.parse(await (await server.get(`datasets/weather/main/${group}/info`)).json())
    t.strictSame([code, detail.replace(/^snapshot \w+ /, '')], ['group-not-found', `has no group "${group}"${hint}`])
  }
})

t.test('a caller who may not read a repository learns no names of its branches', async (t) => {
  const headers = { authorization: basic('acme', server.weatherKey) }
  const { detail, see } = Problem.parse(await (await server.get('discovery/satellite/mian', headers)).json())
  t.equal(detail, 'The API key does not cover the repository "satellite"')
  t.equal(see, undefined)
})

t.test('a raw slash in the name of a branch is answered with how to write it', async (t) => {
  for (const path of ['feature/one/info', 'feature/one/wind/speed/keys', 'feature/one', 'feature/one/']) {
    const { detail } = Problem.parse(await (await server.get(`datasets/weather/${path}`)).json())
    t.match(detail, 'called "feature"; did you mean "feature/one", which an address has as feature%2Fone?', path)
  }
  t.notMatch(await (await server.get('datasets/weather/feature/two/info')).json(), { detail: /did you mean/ })
  for (const path of ['discovery/weather/feature/one', 'history/weather/feature/one?limit=1']) {
    const problem = Problem.parse(await (await server.get(path)).json())
    t.match(problem, { type: '/problems/route-not-found', detail: / write \/ as %2F$/ }, path)
  }
  t.notMatch(await (await server.get('discovery/weather/main/')).json(), { detail: /%2F/ })
})

t.test('a caller with a key is told which deployments there are, and others are not', async (t) => {
  const ask = async (deployment: string, headers: Record<string, string> = {}) =>
    Problem.parse(
      await (await fetch(`${server.origin}/v1/services/${deployment}/acme/_meta/discovery`, { headers })).json(),
    )
  const withKey = await ask('tlies', { authorization: basic('acme', server.weatherKey) })
  t.match(withKey, { type: '/problems/deployment-not-found' })
  t.match(withKey.detail, /^acme has no deployment called "tlies"; it has (?=.*\btiles\b)(?=.*\bopen\b)/)
  const [unknown, isPrivate] = [await ask('tlies'), await ask('tiles')]
  t.match(unknown, { type: '/problems/unauthorized', detail: /^No public deployment has this name/ })
  t.equal(unknown.detail, isPrivate.detail)
})

t.test('no problem and no page tells a reader in which directory repositories lie', async (t) => {
  const directory = t.testdir({ hollow: {}, file: 'no directory' })
  const server = await startServer(t, {
    sources: ['hollow', 'file'].map((name) => {
      return { kind: 'repository', name, store: openLocalStore(join(directory, name)) } as const
    }),
  })
  for (const path of ['discovery/hollow', 'discovery/file', 'discovery/hollow/main', '']) {
    t.notMatch(await (await server.get(path, { accept: 'text/html' })).text(), directory, path)
    t.notMatch(await (await server.get(path)).text(), directory, path)
  }
})

t.test('a browser gets a page that says what is wrong', async (t) => {
  const response = await server.get('discovery/<nope>', { accept: 'text/html,*/*;q=0.8' })
  t.equal(response.status, 404)
  t.match(response.headers.get('content-type'), 'text/html')
  const page = await response.text()
  t.match(page, '&lt;nope&gt;')
  t.notMatch(page, '<nope>')
})

t.test("each problem's type leads to a page about it", async (t) => {
  const response = await fetch(`${server.origin}/problems/ref-not-found`)
  t.equal(response.status, 200)
  t.match(await response.text(), 'No such ref')
  t.equal((await fetch(`${server.origin}/problems/toString`)).status, 404)
})

t.test('a damaged repository answers 422 naming the object, while others keep answering', async (t) => {
  const directory = t.testdir()
  const { branches } = await readExpectedAnswers('weather')
  const head = `snapshots/${branches['main']}`
  const copy = async (name: string) => {
    await cp(join(fixtures, 'weather'), join(directory, name), { recursive: true })
    return (key: string) => join(directory, name, key)
  }
  await copy('healthy')
  await truncate((await copy('truncated-snapshot'))(head), 200)
  await truncate((await copy('empty-repo'))('repo'), 0)
  await writeFile((await copy('not-icechunk'))('repo'), 'something else entirely, and long enough for a header')
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  t.match(await (await server.get('discovery')).json(), ['empty-repo', 'healthy', 'not-icechunk', 'truncated-snapshot'])
  const damaged = {
    'discovery/empty-repo': 'repo',
    'discovery/not-icechunk/main': 'repo',
    'datasets/truncated-snapshot/main/forecast/info': head,
    'datasets/truncated-snapshot/main/forecast': head,
  }
  for (const [path, key] of Object.entries(damaged)) {
    const response = await server.get(path)
    t.equal(response.status, 422, path)
    t.match(await response.json(), { type: '/problems/damaged-repository', detail: key }, path)
  }
  t.equal((await server.get('discovery/truncated-snapshot')).status, 200, 'its refs are intact')
  t.equal((await server.get('datasets/healthy/main/forecast/info')).status, 200)
  const page = await server.get('', { accept: 'text/html' })
  t.equal(page.status, 200)
  t.match(await page.text(), 'truncated-snapshot', 'with its neighbours')
})

t.test('a fault of the service gives an instance and no internals', async (t) => {
  const server = await startServer(t, {
    sources: [
      {
        kind: 'repository',
        name: 'faulty',
        store: {
          location: 'nowhere',
          encodesKeys: true,
          read: () => Promise.reject(new TypeError('secret internals')),
          list: () => Promise.reject(new TypeError('secret internals')),
          below: () => {
            throw new TypeError('secret internals')
          },
        },
      },
    ],
  })
  const response = await server.get('discovery/faulty')
  t.equal(response.status, 500)
  const text = await response.text()
  t.match(Problem.parse(JSON.parse(text)), { type: '/problems/internal' })
  t.notMatch(text, 'secret')
})

t.test('a request that comes too slowly is told so, and a connection without any is closed', async (t) => {
  const server = createServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 })
  server.on('clientError', answerClientError)
  // On a busy machine, the time could be over before the beginning of a request has arrived.
  const late = createTcpServer((socket) => socket.once('readable', () => server.emit('connection', socket)))
  const send = async (to: Server, text: string) => {
    const port = await listen(t, to)
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    return (await socket.setEncoding('utf8').toArray()).join('')
  }
  t.equal(await send(server, ''), '')
  const answer = await send(late, 'POST / HTTP/1.1\r\nHost: x\r\n')
  t.match(answer, /^HTTP\/1\.1 408 /)
  t.match(answer, 'did not arrive in time')
})

/** Sends a text as it is, and returns what comes back. */
function sendText(text: string): Promise<string> {
  const { port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
    socket.on('close', () => resolve(received)).on('error', reject)
  })
}

t.test('no or several Host headers are refused, also by a cached answer', async (t) => {
  const path = '/v1/services/open/acme/_meta/datasets/weather/main/forecast/info'
  const ask = (hosts: string) => sendText(`GET ${path} HTTP/1.1\r\nconnection: close\r\n${hosts}\r\n\r\n`)
  for (let time = 1; time <= 2; time++) t.match(await ask('host: a'), 'HTTP/1.1 200')
  for (const hosts of ['host: a\r\nHost: b', 'accept: */*']) {
    const refused = await ask(hosts)
    t.match(refused, 'HTTP/1.1 400', hosts)
    t.match(refused, /must have one Host header/, hosts)
  }
  t.match(await sendText(`GET ${path} HTTP/1.0\r\n\r\n`), 'HTTP/1.1 200', 'HTTP/1.0 needs none')
})

t.test('headers that are too large are refused as such', async (t) => {
  const answer = await sendText(`GET /healthz HTTP/1.1\r\nhost: a\r\ncookie: ${'x'.repeat(17_000)}\r\n\r\n`)
  t.match(answer, /^HTTP\/1\.1 431 /)
  t.match(answer, '"code":"headers-too-large"')
})

t.test('an unknown expectation is ignored', async (t) => {
  const headers = 'host: a\r\nexpect: wonders\r\nconnection: close'
  t.match(await sendText(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`), /^HTTP\/1\.1 200 /)
})

t.test('what is not HTTP does not hurt', async (t) => {
  t.match(await sendText('GET / NONSENSE\r\n\r\n'), 'HTTP/1.1 400')
  t.equal((await server.get('discovery')).status, 200)
})
