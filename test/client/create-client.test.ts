import { type ClientOptions, createClient } from '@floe/client'
import { t } from 'tap'

const options: ClientOptions = { baseUrl: 'https://floe.example.org/v1', deployment: 'tiles', org: 'acme' }

/** Returns the one request that a client with these options sends. */
async function captureRequest(changes: Partial<ClientOptions>): Promise<Request> {
  const requests: Request[] = []
  const floe = createClient({
    ...options,
    ...changes,
    fetch: async (input, init) => {
      requests.push(new Request(input, init))
      return Response.json([])
    },
  })
  await floe.repositories()
  const [request] = requests
  if (!request || requests.length > 1) throw new Error('not one request')
  return request
}

t.test('the base address may have a path before /v1 and a slash behind it', async (t) => {
  const addresses = {
    'https://floe.example.org/v1': 'https://floe.example.org',
    'https://floe.example.org/v1/': 'https://floe.example.org',
    'http://127.0.0.1:8080/v1': 'http://127.0.0.1:8080',
    'https://example.org/data/floe/v1/': 'https://example.org/data/floe',
  }
  for (const [baseUrl, root] of Object.entries(addresses)) {
    t.equal((await captureRequest({ baseUrl })).url, `${root}/v1/services/tiles/acme/_meta/discovery`)
  }
})

t.test('an invalid base address is refused without repeating it', async (t) => {
  for (const baseUrl of [
    '',
    'floe.example.org/v1',
    '/v1',
    'ftp://floe.example.org/v1',
    'https://floe.example.org',
    'https://floe.example.org/v2',
    'https://floe.example.org/xv1',
    'https://floe.example.org/v1/services',
    'https://floe.example.org/v1?key=secret',
    'https://floe.example.org/v1#secret',
    'https://acme:secret@floe.example.org/v1',
  ]) {
    t.throws(() => createClient({ ...options, baseUrl }), { name: 'TypeError', message: /^baseUrl must be/ }, baseUrl)
    t.throws(() => createClient({ ...options, baseUrl }), { message: /^(?!.*secret)/ })
  }
})

t.test('a token is sent as Bearer, and a function renews it for each request', async (t) => {
  t.equal((await captureRequest({ auth: 'a.b.c' })).headers.get('authorization'), 'Bearer a.b.c')
  const tokens = ['first', 'second']
  const auth = async () => tokens.shift() ?? ''
  t.equal((await captureRequest({ auth })).headers.get('authorization'), 'Bearer first')
  t.equal((await captureRequest({ auth })).headers.get('authorization'), 'Bearer second')
  t.throws(() => createClient({ ...options, apiKey: 'key', auth }), { message: /cannot be used together/ })
})

t.test('other options are checked before anything is sent', async (t) => {
  const wrong = {
    deployment: ['', 'a/b', '..'],
    org: ['', 'a:b'],
    timeoutMs: [0, -1, 1.5, Number.NaN, Infinity, 2 ** 31],
    retries: [-1, 0.5, Infinity],
  }
  for (const [option, values] of Object.entries(wrong)) {
    const refusal = { name: 'TypeError', message: new RegExp(`^${option} `) }
    for (const value of values) t.throws(() => createClient({ ...options, [option]: value }), refusal, `${value}`)
  }
})

t.test('the organisation and the key are sent as Basic credentials in UTF-8', async (t) => {
  const { headers } = await captureRequest({ apiKey: 'schlüssel-🔑' })
  t.equal(headers.get('authorization'), `Basic ${Buffer.from('acme:schlüssel-🔑').toString('base64')}`)
  t.equal(headers.get('accept'), 'application/json')
})

t.test('without a key no credentials and no cookies are sent, and redirects are not followed', async (t) => {
  const { headers, credentials, redirect } = await captureRequest({ apiKey: undefined })
  t.equal(headers.get('authorization'), null)
  t.equal(credentials, 'omit')
  t.equal(redirect, 'manual')
})

t.test('`fetch` is called as a function, because that of browsers refuses to be a method', async (t) => {
  const owners: unknown[] = []
  async function fetch(this: unknown): Promise<Response> {
    owners.push(this)
    return Response.json([])
  }
  const floe = createClient({ ...options, fetch })
  await floe.repositories()
  await t.rejects(floe.events().next(), { name: 'UnexpectedResponseError' })
  t.strictSame(owners, [undefined, undefined])
})

t.test('a global `fetch` that is replaced later, as tests do, is used', async (t) => {
  const floe = createClient(options)
  t.intercept(globalThis, 'fetch', { value: async () => Response.json(['mocked']) })
  t.strictSame(await floe.repositories(), ['mocked'])
})
