// Tests every way in which a request can fail. Plain servers fail on purpose.
import type { RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { type Client, type ClientOptions, ContractViolationError, FloeError, ProblemResponseError } from '@floe/client'
import { t, type Test } from 'tap'
import { createTestClient } from '../create-test-client.ts'
import { startPlainServer } from '../start-plain-server.ts'

const apiKey = 'floe_sécret-key'
const credentials = `Basic ${Buffer.from(`acme:${apiKey}`).toString('base64')}`

type Failing = { readonly floe: Client; readonly origin: string; readonly requests: readonly string[] }

/** Starts a server that answers the n-th request with the n-th listener, and all further ones with the last. */
async function listen(
  t: Test,
  listeners: readonly RequestListener[],
  options: Partial<ClientOptions> = {},
): Promise<Failing> {
  const requests: string[] = []
  const origin = await startPlainServer(t, (request, response) => {
    const listener = listeners[Math.min(requests.length, listeners.length - 1)]
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    listener?.(request, response)
  })
  return { floe: createTestClient({ origin, apiKey }, options), origin, requests }
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = status < 300 ? 'application/json' : 'application/problem+json'
  return (_, response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}

function problem(code: string, status: number, headers?: Record<string, string>): RequestListener {
  const body = {
    type: `/problems/${code}`,
    code,
    title: 'A title',
    status,
    detail: 'what happened',
    instance: 'urn:uuid:1',
  }
  return answer(status, body, headers)
}

/** Makes a `fetch` that keeps the requests. A server may hear of one only after the client has given it up. */
function recordFetch(fetch = globalThis.fetch) {
  const made: Request[] = []
  const record: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    made.push(request)
    return fetch(request)
  }
  return { made, fetch: record }
}

const html: RequestListener = (_, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway</h1>${'x'.repeat(10_000)}`)
const good = answer(200, ['weather'])
const hang: RequestListener = () => {}
const hangInBody: RequestListener = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('["weat')
const breakOff: RequestListener = ({ socket }) => void socket.destroy()
const breakOffInBody: RequestListener = ({ socket }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('["weat', () => socket.destroy())
}

t.test('a temporary failure is tried again', async (t) => {
  const passing = {
    408: answer(408, ''),
    429: problem('too-many-requests', 429, { 'retry-after': '0' }),
    502: html,
    503: problem('unavailable', 503, { 'retry-after': new Date(0).toUTCString() }),
    504: problem('store-timeout', 504),
    'a closed connection': breakOff,
    'an answer that breaks off': breakOffInBody,
  }
  for (const [why, listener] of Object.entries(passing)) {
    const { floe, requests } = await listen(t, [listener, good])
    t.strictSame(await floe.repositories(), ['weather'], why)
    t.strictSame(requests, Array(2).fill(`GET /v1/services/tiles/acme/_meta/discovery ${credentials}`), why)
  }
})

t.test('a request is repeated twice by default, and never with `retries: 0`', async (t) => {
  const refused = problem('unavailable', 503, { 'retry-after': '0' })
  for (const [options, tries] of [
    [{}, 3],
    [{ retries: 1 }, 2],
    [{ retries: 0 }, 1],
  ] as const) {
    const { floe, requests } = await listen(t, [refused], options)
    await t.rejects(floe.repositories(), { name: 'ProblemResponseError', status: 503, retryAfterMs: 0 })
    t.equal(requests.length, tries)
  }
})

t.test('other failures are not repeated', async (t) => {
  for (const [code, status] of [
    ['invalid-request', 400],
    ['unauthorized', 401],
    ['group-not-found', 404],
    ['damaged-repository', 422],
    ['internal', 500],
  ] as const) {
    const { floe, requests } = await listen(t, [problem(code, status), good])
    const error = await floe.repositories().catch((reason: unknown) => reason)
    t.match(error, { name: 'ProblemResponseError', status, retryAfterMs: undefined, message: 'A title: what happened' })
    t.ok(error instanceof ProblemResponseError && error.is(code) && error.code === code)
    t.equal(requests.length, 1)
  }
})

t.test('the next try waits as long as `Retry-After` says', async (t) => {
  const answers = [408, 429, 502, 503, 504].map((status) => answer(status, '', { 'retry-after': '1' }))
  await Promise.all(
    answers.map(async (listener) => {
      const { floe } = await listen(t, [listener, good])
      const start = performance.now()
      t.strictSame(await floe.repositories(), ['weather'])
      // Timers of Node may be early by a millisecond.
      t.ok(performance.now() - start >= 999)
    }),
  )
})

t.test('a wait longer than the time limit is left to the caller', async (t) => {
  const late = problem('too-many-requests', 429, { 'retry-after': '31' })
  const { floe, requests } = await listen(t, [late, good])
  await t.rejects(floe.repositories(), { name: 'ProblemResponseError', retryAfterMs: 31_000 })
  t.equal(requests.length, 1)
})

t.test('other headers about rate limits make no wait longer than the time limit', async (t) => {
  const answers = [
    new Response('', { status: 429, headers: { 'ratelimit-reset': '3600' } }),
    Response.json(['weather']),
  ]
  // Without a server, which could take longer than the time limit.
  const fetch = async () => answers.shift() ?? Response.error()
  const floe = createTestClient({ origin: 'https://floe.example.org' }, { timeoutMs: 1_000, fetch })
  t.strictSame(await floe.repositories(), ['weather'])
  t.equal(answers.length, 0)
})

t.test('an attempt ends at the time limit, before and during its answer', async (t) => {
  for (const listener of [hang, hangInBody]) {
    const { made, fetch } = recordFetch()
    const { floe, origin } = await listen(t, [listener], { timeoutMs: 50, retries: 1, fetch })
    const url = `${origin}/v1/services/tiles/acme/_meta/discovery`
    await t.rejects(floe.repositories(), { name: 'TimeoutError', timeoutMs: 50, url })
    t.equal(made.length, 2, 'the retry has the same limit')
  }
})

t.test('a request that got no answer is tried again, however the runtime words its error', async (t) => {
  const reasons = [
    new TypeError('fetch failed'), // Node
    new Error('Unable to connect. Is the computer able to access the url?'), // Bun
    new TypeError('error reading a body from connection'), // Deno
    new TypeError('Error in input stream'), // Firefox
  ]
  for (const cause of reasons) {
    const { made, fetch } = recordFetch(() => Promise.reject(cause))
    const floe = createTestClient({ origin: 'https://floe.example.org' }, { retries: 1, fetch })
    await t.rejects(floe.repositories(), { name: 'NetworkError', cause })
    t.equal(made.length, 2, cause.message)
  }
})

t.test('an aborted call rejects with the reason of its signal, whatever it waits for', async (t) => {
  const waiting = [hang, hangInBody, problem('unavailable', 503, { 'retry-after': '10' })]
  for (const listener of waiting) {
    const reason = new Error('the tab was closed')
    const controller = new AbortController()
    const { floe } = await listen(t, [
      (request, response) => {
        listener(request, response)
        setTimeout(() => controller.abort(reason), 20)
      },
    ])
    t.equal(await floe.repositories({ signal: controller.signal }).catch((error: unknown) => error), reason)
  }
})

t.test('a missing answer is a network error with its cause', async (t) => {
  const { floe, requests } = await listen(t, [breakOff], { retries: 1 })
  await t.rejects(floe.repositories(), { name: 'NetworkError', cause: { name: 'TypeError', message: 'fetch failed' } })
  t.equal(requests.length, 2)
  const cause = new Error('no such transport')
  const broken = await listen(t, [good], { retries: 0, fetch: () => Promise.reject(cause) })
  await t.rejects(broken.floe.repositories(), { name: 'NetworkError', cause, message: /: no such transport$/ })
})

t.test('answers that do not come from the service are a separate error', async (t) => {
  const cases = [
    { listener: html, status: 502, message: /not a problem/, excerpt: /^<h1>Bad gateway<\/h1>x{180}$/ },
    { listener: answer(404, { type: 'about:blank', title: 'x' }), status: 404, excerpt: /about:blank/ },
    { listener: answer(404, ''), status: 404, excerpt: /^$/ },
    { listener: answer(500, '{broken'), status: 500, excerpt: /^$/ },
    { listener: answer(200, '<html>', { 'content-type': 'text/html' }), status: 200, message: /text\/html instead of/ },
    { listener: answer(200, '["weat'), status: 200, message: /not JSON/, excerpt: /^\["weat$/ },
    { listener: answer(206, '[]'), status: 206 },
    { listener: answer(204, ''), status: 204 },
  ]
  for (const { listener, ...facts } of cases) {
    const { floe } = await listen(t, [listener], { retries: 0 })
    await t.rejects(floe.repositories(), { name: 'UnexpectedResponseError', ...facts })
  }
})

t.test('redirects are not followed', async (t) => {
  const elsewhere = await listen(t, [good])
  for (const location of [`${elsewhere.origin}/v1/services/tiles/acme/_meta/discovery`, '/elsewhere']) {
    const { floe, requests } = await listen(t, [answer(307, '', { location }), good])
    await t.rejects(floe.repositories(), { name: 'UnexpectedResponseError', status: 307, message: location })
    t.equal(requests.length, 1)
  }
  t.strictSame(elsewhere.requests, [])
})

t.test('a body that breaks the contract is refused with its wrong places', async (t) => {
  const names = { repo: 'weather', ref: 'main' }
  const variable = { type: 'int16', dimensions: ['x'], attributes: {} }
  const body = { dimensions: { x: -1 }, variables: { 'a/b~': { ...variable, type: 7 } }, global_attributes: {} }
  const { floe } = await listen(t, [answer(200, body)])
  await t.rejects(floe.info(names), {
    name: 'ContractViolationError',
    issues: [{ pointer: '/dimensions/x' }, { pointer: '/variables/a~1b~0/type' }],
    message: /\/dimensions\/x: .*; \/variables\/a~1b~0\/type: /,
  })
  await t.rejects(floe.keys(names), { name: 'ContractViolationError', issues: [{ pointer: '' }] })
})

t.test('of a body that is wrong in very many places, the error lists the first hundred', async (t) => {
  const { floe } = await listen(t, [answer(200, Array(10_000).fill(7))])
  const error = await floe.repositories().catch((reason: unknown) => reason)
  if (!(error instanceof ContractViolationError)) throw error
  t.strictSame([error.issues.length, error.issues.at(-1)?.pointer], [100, '/99'])
})

t.test('attributes and members that the contract does not know are returned unchanged', async (t) => {
  const text =
    '{"dimensions":{"x":9007199254740993},"variables":{},"future":[1],' +
    '"global_attributes":{"__proto__":{"a":1},"constructor":null,"deep":[[{"":-0.0}]],"\\ud800":1e300}}'
  const { floe } = await listen(t, [answer(200, text)])
  t.equal(JSON.stringify(await floe.info({ repo: 'weather', ref: 'main' })), JSON.stringify(JSON.parse(text)))
})

t.test('the key is in the header and nowhere else', async (t) => {
  const bad = [problem('unauthorized', 401), answer(200, '{}'), answer(200, '{'), answer(204, '')]
  for (const listener of [hang, breakOff, html, ...bad]) {
    const { made, fetch } = recordFetch()
    const { floe } = await listen(t, [listener], { retries: 0, timeoutMs: 200, fetch })
    const error = await floe.repositories().catch((reason: unknown) => reason)
    t.ok(error instanceof FloeError)
    t.equal(made[0]?.headers.get('authorization'), credentials)
    const everything = inspect(error, { depth: Infinity, showHidden: true, getters: true })
    t.notMatch(everything, apiKey)
    t.notMatch(everything, credentials.slice('Basic '.length))
    t.notMatch(inspect(floe, { depth: Infinity, showHidden: true }), apiKey)
  }
})
