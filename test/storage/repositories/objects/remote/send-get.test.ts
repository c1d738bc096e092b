// Tests where redirects may lead. In most tests 127.0.0.1 counts as a public address, and ::1 as an internal one.
import type { RequestListener } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Test, t } from 'tap'
import { makeAddressRules, type ResolveHost } from '../../../../../storage/addresses/index.ts'
import { openStore } from '../../../../../storage/repositories/objects/index.ts'
import { makeSendGet } from '../../../../../storage/repositories/objects/remote/send-get.ts'
import { openHttpStore } from '../../../../../storage/repositories/objects/stores/http-store.ts'
import { startReceiver, testAuthority } from '../../../../server/notifications/start-receiver.ts'
import { answerInTurn, startLoopback } from '../loopback-server.ts'
import { hasty } from '../stores/dialects.ts'

const { signal } = new AbortController()
const options = { maxBytes: 1_000, signal }
const content = new Uint8Array(Buffer.from('0123456789'))

const sendContent: RequestListener = (_request, response) =>
  void response.writeHead(200, { etag: '"1"', 'content-length': 10 }).end('0123456789')

const redirectTo = (location: string, status = 302): RequestListener => {
  return (_request, response) => void response.writeHead(status, { location }).end('moved')
}

/** Opens a store for which 127.0.0.1 is a public address. */
function openPublicStore(
  address: string | URL,
  resolveHost: ResolveHost = async () => ['127.0.0.1'],
  retryOptions = hasty,
  headers: Readonly<Record<string, string>> = {},
) {
  const get = makeSendGet({ rules: makeAddressRules(['127.0.0.1/32']), resolveHost })
  return openHttpStore(new URL(address), { headers }, { retryOptions, get })
}

/** Starts a server at `host` that must not get a request. */
const startForbidden = (t: Test, host?: string) =>
  startLoopback(t, ({ url }, response) => response.end(t.fail(`asked for ${url}`)), host)

t.test('a store at an internal address redirects to its own host and port, and nowhere else', async (t) => {
  const other = await startForbidden(t)
  const { port: otherPort } = new URL(other.origin)
  let target = '/elsewhere'
  const { origin, requests } = await startLoopback(t, (request, response) =>
    (request.url === '/repo' ? redirectTo(target) : sendContent)(request, response),
  )
  const { port } = new URL(origin)
  const address = new URL(origin)
  address.username = address.password = 'hush'
  t.match(await (await openStore(address.href)).read('repo', options), { state: 'found', bytes: content })
  t.match(await (await openStore(`http://localhost:${port}`)).read('repo', options), { bytes: content })
  t.strictSame(
    requests.map(({ url, headers }) => [url, headers.authorization?.slice(0, 5)]),
    [
      ['/repo', 'Basic'],
      ['/elsewhere', 'Basic'],
      ['/repo', undefined],
      ['/elsewhere', undefined],
    ],
  )
  for (target of [
    `${other.origin}/internal`,
    `http://localhost:${otherPort}/`,
    `http://localhost:${port}/`,
    `http://127.0.0.2:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://store.invalid/',
  ]) {
    await t.rejects(
      (await openStore(origin)).read('repo', options),
      {
        name: 'ObjectStoreError',
        status: 302,
        message: `${origin}: repo: the store answered 302; a store at an internal address may redirect only to its own host and port`,
      },
      target,
    )
  }
})

t.test('redirects to public addresses are followed, with credentials for the first origin only', async (t) => {
  const other = await startLoopback(t, sendContent)
  const { port } = new URL(other.origin)
  const { origin, requests } = await startLoopback(
    t,
    answerInTurn(
      redirectTo('/deep/elsewhere', 301),
      redirectTo('again', 308),
      redirectTo(`http://public.test:${port}/repo?sig=y`, 307),
    ),
  )
  const address = new URL(`${origin}?signature=hush`)
  address.username = address.password = 'hush'
  const own = { 'X-Api-Key': 'hush', Cookie: 'session=hush' }
  const store = openPublicStore(address, undefined, undefined, own)
  const part = { ...options, range: { start: 0, end: 10 }, ifNoneMatch: '"0"' }
  t.match(await store.read('repo', part), { state: 'found', bytes: content })
  t.strictSame(
    requests.map(({ url }) => url),
    ['/repo?signature=hush', '/deep/elsewhere', '/deep/again'],
  )
  t.ok(requests.every(({ headers }) => headers.authorization?.startsWith('Basic ')))
  t.ok(requests.every(({ headers }) => headers['x-api-key'] === 'hush' && headers.cookie === 'session=hush'))
  t.equal(other.requests[0]?.url, '/repo?sig=y')
  t.match(other.requests[0]?.headers, { host: `public.test:${port}`, range: 'bytes=0-9', 'if-none-match': '"0"' })
  t.notMatch(JSON.stringify(other.requests[0]?.rawHeaders), /authorization|api-key|cookie|hush/i)
})

// Proves: a public object store may redirect only to public addresses, a private one only to its host and port
t.test('a redirect of a public store to an internal address is refused before anything connects to it', async (t) => {
  const internal = await startForbidden(t, '[::1]')
  const { port } = new URL(internal.origin)
  const cases: Record<string, readonly [location: string, addresses: readonly string[]]> = {
    'a literal': [internal.origin, []],
    'a mapped literal': [`http://[::ffff:127.0.0.1]:${port}/`, []],
    'a disguised literal': [`http://0x7f000002:${port}/`, []],
    'the address of metadata': ['http://169.254.169.254/latest/meta-data/', []],
    'a name': [`http://internal.test:${port}/`, ['::1']],
    'a name with a mapped address': [`http://internal.test:${port}/`, ['::ffff:127.0.0.1']],
    'an internal address after a public one': [`http://internal.test:${port}/`, ['127.0.0.1', '::1']],
    'something that is no address': [`http://internal.test:${port}/`, ['localhost']],
  }
  for (const [name, [location, addresses]] of Object.entries(cases)) {
    const { origin, requests } = await startLoopback(t, redirectTo(location))
    const read = openPublicStore(origin, async () => addresses).read('repo', options)
    const message = /: repo: the store answered 302; the redirect leads to an address that is [^:]+$/
    await t.rejects(read, { name: 'ObjectStoreError', status: 302, message }, name)
    t.equal(requests.length, 1, 'it is not tried again')
  }
})

t.test('every redirect is checked, not only the first', async (t) => {
  const internal = await startForbidden(t, '[::1]')
  const { origin } = await startLoopback(t, answerInTurn(redirectTo('/again'), redirectTo(internal.origin)))
  await t.rejects(openPublicStore(origin).read('repo', options), { message: /address that is loopback \(RFC 4291\)$/ })
})

t.test('the address that was checked is the one that is connected to', async (t) => {
  const other = await startLoopback(t, (request, response) => {
    response.setHeader('connection', 'close')
    sendContent(request, response)
  })
  const { origin } = await startLoopback(t, redirectTo(other.origin.replace('127.0.0.1', 'rebinding.test')))
  let asked = 0
  const store = openPublicStore(origin, async () => [asked++ === 0 ? '127.0.0.1' : '::1'])
  t.match(await store.read('repo', options), { bytes: content })
  t.equal(asked, 1)
  await t.rejects(store.read('repo', options), { message: /address that is loopback/ })
  t.equal(asked, 2)
  t.equal(other.requests.length, 1)
})

t.test("a public store's own host is checked again when it redirects to itself", async (t) => {
  const { origin, requests } = await startLoopback(t, redirectTo('/elsewhere'))
  const store = openPublicStore(origin.replace('127.0.0.1', 'localhost'), async () => ['::1'])
  await t.rejects(store.read('repo', options), { message: /address that is loopback/ })
  t.equal(requests.length, 1)
})

t.test('a redirect does not use a connection that another store has opened', async (t) => {
  const internal = await startLoopback(t, sendContent)
  const configured = internal.origin.replace('127.0.0.1', 'localhost')
  t.match(await (await openStore(configured)).read('repo', options), { bytes: content })
  const { origin } = await startLoopback(t, redirectTo(`${configured}/internal`))
  const store = openPublicStore(origin, async () => ['10.0.0.1'])
  await t.rejects(store.read('repo', options), { message: /address that is private \(RFC 1918\)$/ })
  t.equal(internal.requests.length, 1)
})

t.test('connections of redirects are used again', async (t) => {
  const other = await startLoopback(t, sendContent)
  const { origin } = await startLoopback(t, redirectTo(other.origin.replace('127.0.0.1', 'public.test')))
  let asked = 0
  const store = openPublicStore(origin, async () => {
    asked++
    return ['127.0.0.1']
  })
  for (let count = 0; count < 10; count++) await store.read('repo', options)
  t.equal(other.requests.length, 10)
  t.ok(asked < 5)
})

t.test('redirects are limited in number and cannot change the scheme', async (t) => {
  const round = await startLoopback(t, redirectTo('/repo'))
  await t.rejects((await openStore(round.origin)).read('repo', options), {
    name: 'ObjectStoreError',
    message: /answered 302; redirected more than 3 times$/,
  })
  t.equal(round.requests.length, 4)
  const three = answerInTurn(redirectTo('/1'), redirectTo('/2'), redirectTo('/3'), sendContent)
  const { origin } = await startLoopback(t, three)
  t.match(await (await openStore(origin)).read('repo', options), { bytes: content })
  for (const location of [
    'https://127.0.0.1:1/',
    'file:///etc/passwd',
    'data:,x',
    'http://user:hush@127.0.0.1:1/',
    'http://[',
    undefined,
  ]) {
    const headers = location === undefined ? {} : { location }
    const { origin, requests } = await startLoopback(t, (_request, response) => response.writeHead(302, headers).end())
    const failure = {
      name: 'ObjectStoreError',
      status: 302,
      message: /^(?!.*hush).*not lead to an address of the same scheme/,
    }
    await t.rejects((await openStore(origin)).read('repo', options), failure, location ?? 'none')
    t.equal(requests.length, 1)
  }
})

t.test('a read ends if its look-up fails, its signal aborts or its time is over, also after a redirect', async (t) => {
  const { origin } = await startLoopback(t, redirectTo('http://nowhere.test/'))
  const fail = () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }))
  await t.rejects(openPublicStore(origin, fail).read('repo', options), { name: 'ObjectStoreError', code: 'ENOTFOUND' })

  const leave = new AbortController()
  const reason = new Error('enough')
  let lookUp: AbortSignal | undefined
  const hang: ResolveHost = (_host, signal) => {
    lookUp = signal
    setImmediate(() => leave.abort(reason))
    return new Promise(() => {})
  }
  await t.rejects(openPublicStore(origin, hang).read('repo', { ...options, signal: leave.signal }), reason)
  t.equal(lookUp?.aborted, true, 'the look-up is aborted')

  const silent = await startLoopback(t, () => undefined)
  const busy = await startLoopback(t, redirectTo(silent.origin))
  const store = openPublicStore(busy.origin, undefined, { ...hasty, answerWithinMs: 100 })
  await t.rejects(store.read('repo', options), { name: 'ObjectStoreTimeoutError' })
})

t.test('a redirect over TLS is checked, and its certificate is compared with its name', async (t) => {
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, testAuthority])
  t.teardown(() => setDefaultCACertificates(usual))
  const port = await startReceiver(t, sendContent)
  let name = 'receiver.test'
  const first = await startReceiver(t, (request, response) => redirectTo(`https://${name}:${port}/`)(request, response))
  const read = (addresses: readonly string[]) =>
    openPublicStore(`https://localhost:${first}/`, async () => addresses).read('repo', options)
  t.match(await read(['127.0.0.1']), { bytes: content })
  await t.rejects(read(['10.0.0.1']), { message: /address that is private/ })
  name = 'elsewhere.test'
  await t.rejects(read(['127.0.0.1']), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})
