// The Python package, as its wheel installs it in an empty environment.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { packPython } from '../../scripts/packages/pack-python.ts'
import { recordEvent } from '../client/record-event.ts'
import { secretToken, signHeaders, signingSecret } from '../client/receiver/sign-headers.ts'
import { notification } from '../contract/notifications.ts'
import { findPython } from '../find-python.ts'
import { startReceiver, testAuthorityFile } from '../server/notifications/start-receiver.ts'
import { serveFiles } from '../server/serve-files.ts'
import { findSnippet } from '../server/pages/find-snippet.ts'
import { fixtures, startServer } from '../server/start-server.ts'
import { waitUntil } from '../server/wait-until.ts'

t.setTimeout(600_000)

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

type Environment = { readonly python: string; readonly skip: string | false }

/** Installs the wheel in an environment of its own. Only the network can be a reason to skip. */
async function install(t: Test): Promise<Environment> {
  const { command, skip } = findPython('flit_core')
  if (skip) return { python: '', skip }
  const directory = t.testdir()
  const environment = join(directory, 'environment')
  const run = promisify(execFile)
  await run(command, ['-m', 'venv', '--without-pip', environment])
  const python = join(environment, 'bin/python')
  const pip = ['-m', 'pip', '--python', python, '--quiet', '--disable-pip-version-check', 'install']
  const installPackage = (...args: string[]) => run(command, [...pip, ...args])
  const failure = await installPackage('--retries=1', '--timeout=20', 'httpx').catch((error: unknown) => String(error))
  if (typeof failure === 'string') return { python, skip: `httpx could not be installed: ${failure.slice(0, 300)}` }
  // Without the index, installing fails if the package needs anything but httpx.
  await installPackage('--no-index', await packPython(root, directory, command))
  return { python, skip: false }
}

const { python, skip } = await install(t)

async function run(file: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = process.env) {
  const running = promisify(execFile)(python, [here(file), ...args], { env, timeout: 120_000 })
  running.child.stdin?.end(input)
  return (await running).stdout.trim()
}

// Proves: the Python package asks for what the service answers, and raises its problems
t.test('the client returns what the service answers, and raises its problems', { skip }, async (t) => {
  const server = await startServer(t, { hasSearch: true })
  server.notifier.start()
  const search = async () => (await server.get('search?q=wind&facets=units&limit=1')).json()
  await waitUntil(async () => {
    const { index, total } = await search()
    return index.pending === 0 && total > 0
  })
  const { answers, found, commits, operations, verdict, problems, posted } = JSON.parse(
    await run('call_service.py', [`${server.origin}/v1`, server.apiKey, server.adminKey]),
  )
  t.ok(Object.keys(answers).length > 10)
  for (const [path, answer] of Object.entries(answers))
    if (!path.startsWith('ch')) t.strictSame(answer, await (await server.get(path)).json(), path)
  t.ok(found.some(([repo, path]: string[]) => repo === 'weather' && path === 'wind/speed'))
  const history = await (await server.get('history/weather/main')).json()
  t.strictSame(
    commits,
    history.commits.map((commit: { snapshot_id: string }) => commit.snapshot_id),
  )
  t.equal(operations, (await (await server.get('operations/weather?limit=1000')).json()).operations.length)
  t.equal(verdict, 'identical')
  t.strictSame(answers['checks/weather/main'], { items: [] })
  t.strictSame(posted, await (await server.get('checks/weather/main')).json())
  t.match(posted.items, [
    { name: 'opens', text: 'gone' },
    { name: 'quality', figures: { NaN: { value: 0.5 } } },
  ])
  t.match(problems, [
    ['ref-not-found', 404, /did you mean "main"\?/],
    ['group-not-found', 404, /did you mean "wind\/speed"\?/],
    ['repository-not-found', 404, /a b\/ü\?#%2F/],
    ['unauthorized', 401, /./],
    ['ref-not-found', 404, /nothing is expected of good heads/],
    "no address can contain the name '..'",
  ])
})

t.test('the client of administrators changes what the one of TypeScript does', { skip }, async (t) => {
  const port = await startReceiver(t, (_request, response) => void response.end('fine'))
  const server = await startServer(t, {
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: testAuthorityFile },
  })
  const printed = await run('administer.py', [`${server.origin}/v1`, server.adminKey, `https://127.0.0.1:${port}`])
  t.strictSame(printed.split('\n'), [
    '[True]',
    'True',
    'precondition-failed',
    "{'items': []}",
    'True',
    'calibrated twice',
    "['three', 'two', 'one'] True",
    '3 0 []',
    "True False <floe_client.AdminClient of URL org='acme', with a token>",
  ])
})

t.test('notebooks show answers as tables without scripts, and nothing is read from disk', { skip }, async (t) => {
  const server = await startServer(t)
  const printed = await run('show_answers.py', [`${server.origin}/v1`, server.apiKey])
  const [opened, client, info = '', hostile = '', long = ''] = printed.split('\n')
  t.equal(opened, '[]')
  t.equal(client, "False <floe_client.Client of URL deployment='tiles' org='acme', with an API key>")
  t.match(info, '<td><b>dimensions</b></td><td><details><summary>3</summary><table><tr><td><b>time</b></td><td>8</td>')
  t.match(info, '<th><b>type</b></th><th><b>dimensions</b></th><th><b>attributes</b></th>')
  t.match(info, '<td><b>wind_speed</b></td><td>float32</td><td>time, latitude, longitude</td>')
  t.match(hostile, '&lt;b&gt;')
  t.notMatch(hostile, /<b><b>|<script/)
  t.match(long, /98, 99<[^]*and 2 more/)
})

t.test('the programs of the documents print what they say', { skip }, async (t) => {
  const { origin } = await startServer(t)
  const pages = ['README.md', 'docs/using/python.md'].map((page) => readFile(join(root, page), 'utf8'))
  const programs = (await Promise.all(pages))
    .flatMap((page) => [...page.matchAll(/^```python\n(.*?)^```/gms)])
    .flatMap(([, block = '']) => {
      const [, program, printed] = /^(.*)\n# (.*)\n$/s.exec(block) ?? []
      return program === undefined ? [] : [{ program, printed }]
    })
  t.equal(programs.length, 3)
  for (const { program, printed } of programs) {
    const here = program.replace('http://127.0.0.1:8080', origin).replace('"demo"', '"open"')
    const { stdout } = await promisify(execFile)(python, ['-c', here], { timeout: 60_000 })
    t.equal(stdout.trim(), printed)
  }
})

t.test('the code of a page runs as pasted', { skip }, async (t) => {
  const server = await startServer(t)
  const page = await (await server.get('datasets/weather/main/wind%2Fspeed', { accept: 'text/html' })).text()
  const program = `${findSnippet(page, 'Floe client, Python')}\nprint(list(info["dimensions"]))`
  const env = { ...process.env, FLOE_API_KEY: server.apiKey }
  const { stdout } = await promisify(execFile)(python, ['-c', program], { env, timeout: 60_000 })
  t.equal(stdout.trim(), "['time', 'latitude', 'longitude']")
})

t.test('events arrive once and in order, also after the connection was lost', { skip }, async (t) => {
  const server = await startServer(t)
  await recordEvent(server.db, 'weather', 'first')
  const child = spawn(python, [here('follow_events.py'), `${server.origin}/v1`, '3'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const ended = once(child, 'close')
  await waitUntil(() => lines.length === 1)
  server.http.closeAllConnections()
  await recordEvent(server.db, 'weather', 'second, \u2028 and a line', 'dev')
  await recordEvent(server.db, 'weather', 'third')
  server.notifier.signal('deliveries')
  t.strictSame(await ended, [0, null])
  t.strictSame(
    lines.map((line) => JSON.parse(line)),
    [
      ['main', 'first'],
      ['dev', 'second, \u2028 and a line'],
      ['main', 'third'],
    ],
  )
})

t.test('a reason to reconnect is logged, and an address that no service has is refused', { skip }, async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const child = spawn(python, [here('follow_events.py'), `http://127.0.0.1:${port}/v1`, '1'])
  t.teardown(() => child.kill())
  const [line] = await once(createInterface(child.stderr), 'line')
  t.match(line, /^The stream of events is interrupted, and is opened again in \d+\.\d s: \S/)
  for (const address of [
    'floe.example.org/v1',
    'ftp://floe.example.org/v1',
    'https://floe.example.org',
    'https:///v1',
    'https://acme:key@floe.example.org/v1',
    'https://floe.example.org/v1?a=b',
    'https://floe.example.org/v1#top',
  ])
    t.match(await run('follow_events.py', [address, '1']).catch(String), 'ValueError: base_url must be an', address)
})

t.test('a webhook is verified by its signature, time and token', { skip }, async (t) => {
  const body = JSON.stringify(notification)
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`
  const headers = signHeaders(body)
  const late = Math.floor(Date.now() / 1000) - 310
  const structuredBody = JSON.stringify({ specversion: '1.0', data: notification })
  const structured = { ...signHeaders(structuredBody), 'content-type': 'application/cloudevents+json' }
  const cases: readonly (readonly [object, string, readonly string[], string | null, string])[] = [
    [headers, body, [signingSecret], secretToken, 'NewCommit'],
    [headers, body, [other, signingSecret], null, 'NewCommit'],
    [
      { ...headers, 'webhook-signature': `v1,aaaa ${headers['webhook-signature']}` },
      body,
      [signingSecret],
      null,
      'NewCommit',
    ],
    [structured, structuredBody, [signingSecret], null, 'NewCommit'],
    [headers, body, [signingSecret], 'another', 'X-Secret-Token is missing or wrong'],
    [headers, `${body} `, [signingSecret], null, 'webhook-signature is missing or wrong'],
    [headers, body, [other], null, 'webhook-signature is missing or wrong'],
    [{ ...headers, 'webhook-id': 'msg_2' }, body, [signingSecret], null, 'webhook-signature is missing or wrong'],
    [
      signHeaders(body, { timestamp: late }),
      body,
      [signingSecret],
      null,
      'webhook-timestamp is missing, or too far from the clock',
    ],
    [{}, body, [signingSecret], null, 'webhook-timestamp is missing, or too far from the clock'],
    [signHeaders('7'), '7', [signingSecret], null, 'the body names no event'],
    [{ ...headers, 'x-secret-token': '\ud800' }, body, [signingSecret], 'a', 'X-Secret-Token is missing or wrong'],
    [{ ...headers, 'webhook-id': '\ud800' }, body, [signingSecret], null, 'webhook-signature is missing or wrong'],
    [
      { ...headers, 'webhook-signature': '\udc80' },
      body,
      [signingSecret],
      null,
      'webhook-signature is missing or wrong',
    ],
    [{}, body, [signingSecret], '', 'ValueError: the Secret Token is empty'],
    [headers, body, [], null, 'ValueError: there is no signing secret'],
    [headers, body, ['whsec_short'], null, 'ValueError: a signing secret is whsec_ and the base64 of 24 to 64 bytes'],
  ]
  const printed = await run('verify_webhooks.py', [], JSON.stringify(cases.map((row) => row.slice(0, 4))))
  t.strictSame(
    printed.split('\n'),
    cases.map(([, , , , expected]) => expected),
  )
})

t.test('gaps are labelled with coordinates that fit', { skip }, async (t) => {
  t.strictSame((await run('label_gaps.py', [])).split('\n'), [
    "[(0, 0, '0', '3'), (1, 2, '4', '9')]",
    '[]',
    'there are no coordinates of time',
    'time has 8 coordinates, which do not fit 3 chunks of 4: is this another snapshot?',
    'time has 13 coordinates, which do not fit 3 chunks of 4: is this another snapshot?',
    'the chunks along time have different sizes',
  ])
})

const withIcechunk = findPython('icechunk, xarray')

/** Runs a program with a Python that has icechunk and xarray, and the package. */
async function runWithXarray(file: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(python, ['-c', 'import site; print(site.getsitepackages()[0])'])
  const env = { ...process.env, PYTHONPATH: stdout.trim() }
  const ran = await promisify(execFile)(withIcechunk.command, [here(file), ...args], { env, timeout: 120_000 })
  return ran.stdout.trim().split('\n')
}

t.test('gaps are labelled with what xarray opened', { skip: skip || withIcechunk.skip }, async (t) => {
  const days =
    "[(0, 0, '2026-11-10T00:00:00', '2026-11-13T00:00:00'), (1, 2, '2026-11-14T00:00:00', '2026-11-19T00:00:00')]"
  const expected = [days, days, days, days, 'there are no coordinates of time']
  t.strictSame(await runWithXarray('label_gaps.py', ['xarray']), expected)
})

t.test('a dataset opens where the service publishes how', { skip: skip || withIcechunk.skip }, async (t) => {
  const weather = openLocalStore(join(fixtures, 'weather'))
  const server = await startServer(t, {
    sources: [
      { kind: 'repository', name: 'hidden', store: weather },
      {
        kind: 'repository',
        name: 'published',
        store: weather,
        published: { storage: 'http', url: await serveFiles(t, join(fixtures, 'weather')) },
      },
    ],
  })
  t.strictSame(await runWithXarray('open_dataset.py', [`${server.origin}/v1`, server.apiKey]), [
    "{'time': 8, 'latitude': 5, 'longitude': 6} True",
    'True',
    'the service does not publish where hidden is stored',
    "['v1.0', 'v1.1']",
  ])
})

const mypy = findPython('mypy')
t.test('the package and its callers pass mypy in strict mode', { skip: skip || mypy.skip }, async (t) => {
  const settings = ['--config-file', join(root, 'python/pyproject.toml'), '--python-executable', python]
  const sources = [join(root, 'python/floe_client'), fileURLToPath(new URL('.', import.meta.url))]
  // The oldest Python that the package supports.
  const args = ['-m', 'mypy', ...settings, '--python-version', '3.11', ...sources]
  const checked = await promisify(execFile)(mypy.command, args, { cwd: t.testdir() }).catch((error: unknown) => error)
  t.match(checked, { stdout: /^Success/ })
})
