// Whether a ref keeps a contract: repositories that official Icechunk wrote, over HTTP.
import { ContractVerdict, Problem } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { basic, startServer } from '../../start-server.ts'

const histories = new URL('../../../fixtures/changes/', import.meta.url).pathname

async function start(t: Test) {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(histories) }] })
  const post = (body: unknown, { path = 'v2/s2', meta = server.meta, headers = {} } = {}) =>
    fetch(`${meta}/compatibility/${path}`, {
      method: 'POST',
      headers: { authorization: basic('acme', server.apiKey), 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { server, post }
}

const units = { version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } }

// Proves: a contract in a POST is judged by the rules of a comparison
t.test('a contract is judged by the rules of a comparison', async (t) => {
  const { server, post } = await start(t)
  const response = await post(units)
  t.equal(response.status, 200)
  t.equal(response.headers.get('cache-control'), 'no-store')
  const verdict = ContractVerdict.parse(await response.json())
  t.equal(response.headers.get('floe-snapshot'), verdict.to_snapshot_id)
  t.match(verdict, {
    verdict: 'breaking',
    datasets: [{ group: 'sea', verdict: 'breaking', notes: [] }],
    counts: { datasets: { breaking: 1, unknown: 0, compatible: 0 }, changes: { breaking: 1 }, not_compared: 0 },
    truncated: false,
  })
  t.equal(verdict.datasets[0]?.changes.length, 1)
  t.match(verdict.datasets[0]?.changes[0], { kind: 'units-changed', variable: 'depth', before: 'm', after: 'fathom' })
  t.match(await (await post(units, { path: 'v2/s1' })).json(), { verdict: 'identical', datasets: [] })
  t.match(await (await post({ version: 1, datasets: { moon: {} } })).json(), {
    verdict: 'breaking',
    datasets: [{ group: 'moon', changes: [{ kind: 'dataset-removed' }] }],
  })
  t.match(await (await fetch(`${server.publicMeta}/compatibility/v2/s2`, { method: 'GET' })).json(), { status: 405 })
})

t.test('a public deployment needs no key, and pages of other origins may ask it', async (t) => {
  const { server } = await start(t)
  const address = `${server.publicMeta}/compatibility/v2/s2`
  const headers = { 'content-type': 'application/json', origin: 'https://stranger.example.org' }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(units) })
  t.equal(response.status, 200)
  t.equal(response.headers.get('access-control-allow-origin'), '*')
  const preflight = await fetch(address, {
    method: 'OPTIONS',
    headers: { origin: headers.origin, 'access-control-request-method': 'POST' },
  })
  t.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
  t.match(preflight.headers.get('access-control-allow-headers'), 'content-type')
})

t.test('who may not read a repository learns nothing by a contract', async (t) => {
  const { server, post } = await start(t)
  t.equal((await post(units, { headers: { authorization: basic('acme', 'nope') } })).status, 401)
  t.equal((await post(units, { headers: { authorization: basic('acme', server.weatherKey) } })).status, 403)
  t.equal((await post(units, { path: 'nope/main' })).status, 404)
  t.equal((await post(units, { path: 'v2/nope' })).status, 404)
})

// Proves: a mistake in a contract is refused with its place
t.test('a mistake is refused with its place', async (t) => {
  const { post } = await start(t)
  const place = async (body: unknown) => {
    const response = await post(body)
    t.equal(response.status, 400)
    return Problem.parse(await response.json()).errors?.map(({ pointer }) => pointer)
  }
  t.strictSame(await place({ ...units, version: 2 }), ['/body/version'])
  t.strictSame(await place({ datasets: {} }), ['/body/version'])
  t.strictSame(await place({ version: 1 }), ['/body/datasets'])
  t.strictSame(await place({ ...units, more: 1 }), ['/body/more'])
  t.strictSame(await place({ version: 1, datasets: { '/a': {} } }), ['/body/datasets/~1a'])
  t.strictSame(await place({ version: 1, datasets: { 'a/b': { variables: { v: { dtype: 'i4' } } } } }), [
    '/body/datasets/a~1b/variables/v/dtype',
  ])
  t.strictSame(await place({ version: 1, datasets: { a: { dimensions: { x: { size: 0.5 } } } } }), [
    '/body/datasets/a/dimensions/x/size',
  ])
  for (const wrong of [null, [], 1, { version: 1, datasets: [] }, { version: 1, datasets: { a: { variables: [] } } }])
    t.ok((await place(wrong))?.[0]?.startsWith('/body'), JSON.stringify(wrong))
  t.strictSame(await place('{"version":1,"datasets":{"a":{"variables":{"__proto__":{}}}}}'), ['/body'])
  t.equal((await post('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status, 415)
})

const makeVariables = (count: number, variable: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, variable]))

// Proves: a contract that is too large is refused with the limit
t.test('a contract that is too large is refused with the limit', async (t) => {
  const { post } = await start(t)
  const refused: readonly (readonly [unknown, string])[] = [
    [{ ...units, filler: 'x'.repeat(1_048_576) }, 'The body is longer than 1024 KiB'],
    [{ version: 1, datasets: { a: { variables: makeVariables(10_001, {}) } } }, 'has more than 10,000 variables'],
    [{ version: 1, datasets: { a: { dimensions: makeVariables(10_001, {}) } } }, 'has more than 10,000 dimensions'],
    [{ version: 1, datasets: makeVariables(10_001, {}) }, 'has more than 10,000 datasets'],
    [
      { version: 1, datasets: { a: { variables: { v: { dimensions: Array.from({ length: 65 }, () => 'x') } } } } },
      'has a variable of more than 64 dimensions',
    ],
  ]
  for (const [body, detail] of refused) {
    const response = await post(body)
    t.equal(response.status, 413, detail)
    t.match(await response.json(), { type: '/problems/body-too-large', detail: new RegExp(detail) })
  }
  const largest = await post({ version: 1, datasets: { sea: { variables: makeVariables(10_000, {}) } } })
  t.equal(largest.status, 200)
  t.match(await largest.json(), { counts: { changes: { breaking: 10_000 } } })
})

t.test('a contract of nothing but mistakes gets a short answer', async (t) => {
  const { post } = await start(t)
  const many = Array.from({ length: 60 }, () => 1)
  for (const variables of [
    makeVariables(7_000, { dimensions: many }),
    { v: makeVariables(90_000, 1) },
    makeVariables(10_000, { type: 1, role: 2, units: 3 }),
  ]) {
    const response = await post({ version: 1, datasets: { a: { variables } } })
    t.equal(response.status, 400)
    const text = await response.text()
    t.ok(text.length < 200_000, `${text.length} characters`)
  }
})

t.test('a contract of many unknown members is refused before it is checked', async (t) => {
  const { post } = await start(t)
  const many = makeVariables(60_000, 1)
  const few = makeVariables(51, 1)
  for (const contract of [
    { ...many, version: 1, datasets: {} },
    { version: 1, datasets: { a: many } },
    { version: 1, datasets: { a: { variables: { v: few }, dimensions: { d: few } } } },
  ]) {
    const response = await post(contract)
    t.equal(response.status, 400)
    t.match(await response.json(), { errors: [{ pointer: '/body', message: 'has more than 100 unknown members' }] })
  }
  const typo = await post({ version: 1, datasets: { a: { variables: { v: { unit: 'K' } } } } })
  const message = 'is not known; did you mean units?'
  t.match(await typo.json(), { errors: [{ pointer: '/body/datasets/a/variables/v/unit', message }] })
  const list = await post({ version: 1, datasets: { a: Array.from({ length: 200 }, () => 1) } })
  t.match(await list.json(), { errors: [{ pointer: '/body/datasets/a', message: 'must be an object' }] })
})
