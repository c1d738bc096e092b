import { Problem } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import { t, type Test } from 'tap'
import { expectationsPath, sampleBody, startWithExpectations } from './sample-expectations.ts'

async function start(t: Test) {
  const started = await startWithExpectations(t)
  const refuse = async (status: number, body: object, method = 'POST', address = expectationsPath) => {
    const response = await started.server.administer(method, address, body)
    t.equal(response.status, status, JSON.stringify(body).slice(0, 200))
    return Problem.parse(await response.json())
  }
  const places = async (body: object, method?: string, address?: string) =>
    (await refuse(400, body, method, address)).errors?.map(({ pointer }) => pointer)
  return { ...started, refuse, places }
}

t.test('what an expectation must not have is refused with its place', async (t) => {
  const { create, places } = await start(t)
  t.strictSame(await places({ branch: 'main' }), ['/body/kind'])
  t.strictSame(await places({ kind: 'speed', branch: 'main' }), ['/body/kind'])
  for (const kind of expectationKindNames) {
    t.strictSame(await places(sampleBody(kind, { more: 1 })), ['/body/more'])
    t.strictSame(await places(sampleBody(kind, { branch: undefined })), ['/body/branch'])
    t.strictSame(await places(sampleBody(kind, { branch: '' })), ['/body/branch'])
    t.strictSame(await places(sampleBody(kind, { alias: ' ' })), ['/body/alias'])
    t.strictSame(await places(sampleBody(kind, { within: '1s' })), ['/body/within'])
    t.strictSame(await places(sampleBody(kind, { remind: '4 hours' })), ['/body/remind'])
    t.strictSame(await places(sampleBody(kind, { severity: 'fatal' })), ['/body/severity'])
    t.strictSame(await places(sampleBody(kind, { repos: ['**'] })), ['/body/repos'], 'only of an organisation')
    t.strictSame(await places(sampleBody(kind, { repos: [] }), 'POST', 'expectations'), ['/body/repos'])
    const { id } = await create(sampleBody(kind))
    const other = kind === 'freshness' ? 'written' : 'freshness'
    const address = `${expectationsPath}/${id}`
    t.strictSame(await places({ kind: other, alias: null }, 'PATCH', address), ['/body/kind'], 'a kind stays')
    t.strictSame(await places({ alias: null }, 'PATCH', address), ['/body/kind'])
    t.strictSame(await places({ kind, branch: null }, 'PATCH', address), ['/body/branch'])
    t.strictSame(await places({ kind, repos: ['**'] }, 'PATCH', address), ['/body/repos'])
  }
})

t.test('a change cannot leave settings behind that say nothing', async (t) => {
  const { create, places, server } = await start(t)
  const { id } = await create(sampleBody('written', { along: 'time', except_last: 1 }))
  const address = `${expectationsPath}/${id}`
  t.strictSame(await places({ kind: 'written', along: null }, 'PATCH', address), ['/body/except_last'])
  const both = { kind: 'written', along: null, except_last: null }
  t.equal((await server.administer('PATCH', address, both)).status, 200)
  t.strictSame(await places({ kind: 'written', accepted: [] }, 'PATCH', address), ['/body/accepted'])
})

// Proves: `max_age` is at least a minute and at most ten years
t.test('settings have their limits', async (t) => {
  const { places } = await start(t)
  for (const max_age of [undefined, '59s', '3653d', '999999999d', '6 hours', '0h', 21_600])
    t.strictSame(await places(sampleBody('freshness', { max_age })), ['/body/max_age'])
  for (const share of [undefined, 0, -1, 1.01, '1', null])
    t.strictSame(await places(sampleBody('written', { share })), ['/body/share'])
  const wrong: readonly (readonly [settings: object, place: string])[] = [
    [{ along: '' }, 'along'],
    [{ except_last: 1 }, 'except_last'],
    [{ along: null, ignore: [] }, 'ignore'],
    [{ accepted: [] }, 'accepted'],
    [{ along: 'time', except_last: -1 }, 'except_last'],
    [{ along: 'time', ignore: [{ dimension: 'lead', first: 2, last: 1 }] }, 'ignore/0/last'],
    [{ along: 'time', ignore: Array.from({ length: 21 }, () => ({ dimension: 'lead', first: 0, last: 0 })) }, 'ignore'],
    [{ along: 'time', accepted: [{ first: 0, last: 1 }] }, 'accepted/0/note'],
    [{ along: 'time', accepted: Array.from({ length: 101 }, () => ({ first: 0, last: 0, note: 'a' })) }, 'accepted'],
  ]
  for (const [settings, place] of wrong)
    t.strictSame(await places(sampleBody('written', settings)), [`/body/${place}`], place)
  for (const path of ['', ['a']]) t.strictSame(await places(sampleBody('freshness', { path })), ['/body/path'])
})

t.test('a freshness has an age or a time of the day, and days only with a time', async (t) => {
  const { create, places } = await start(t)
  const body = (settings: object) => ({ kind: 'freshness', branch: 'main', ...settings })
  const wrong = [
    [{}, 'max_age'],
    [{ max_age: '6h', due: '07:30' }, 'due'],
    [{ max_age: '6h', days: ['mon'] }, 'days'],
    [{ due: '7:30' }, 'due'],
    [{ due: '24:00' }, 'due'],
    [{ due: '07:30', days: [] }, 'days'],
    [{ due: '07:30', days: ['monday'] }, 'days/0'],
    [{ due: '07:30', days: ['mon', 'mon'] }, 'days'],
  ] as const
  for (const [settings, place] of wrong) t.strictSame(await places(body(settings)), [`/body/${place}`], place)
  const { id } = await create(body({ due: '07:30', days: ['mon'] }))
  const change = (settings: object) => places({ kind: 'freshness', ...settings }, 'PATCH', `${expectationsPath}/${id}`)
  t.strictSame(await change({ due: null }), ['/body/days', '/body/max_age'])
  t.strictSame(await change({ max_age: '6h' }), ['/body/due'])
})

t.test('a contract has no mistakes, and is not too large', async (t) => {
  const { server, create, refuse, places } = await start(t)
  const body = (contract: unknown) => sampleBody('contract', { contract })
  t.strictSame(await places(body({ version: 2, datasets: {} })), ['/body/contract/version'])
  t.strictSame(await places(body({ version: 1, datasets: {}, more: 1 })), ['/body/contract/more'])
  t.strictSame(await places(body(null)), ['/body/contract'])
  t.strictSame(await places(body(undefined)), ['/body/contract'])
  const dtype = { version: 1, datasets: { 'a/b': { variables: { v: { dtype: 'i4' } } } } }
  t.strictSame(await places(body(dtype)), ['/body/contract/datasets/a~1b/variables/v/dtype'])
  t.strictSame(await places(sampleBody('freshness', { contract: { version: 1, datasets: {} } })), ['/body/contract'])
  const variables = (count: number, variable: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, variable]))
  const many = { version: 1, datasets: { sea: { variables: variables(10_001, {}) } } }
  t.match(await refuse(413, body(many)), { detail: 'The contract has more than 10,000 variables' })
  const long = { version: 1, datasets: { sea: { variables: { depth: { units: 'm'.repeat(1_048_560) } } } } }
  t.match(await refuse(413, body(long)), { detail: 'The contract has more than 1 MiB' })
  t.match(await refuse(413, sampleBody('contract', { filler: 'x'.repeat(1_100_000) })), {
    detail: /longer than 1040 KiB/,
  })
  const { id } = await create(sampleBody('contract'))
  t.match(await places({ kind: 'contract', contract: { version: 3 } }, 'PATCH', `${expectationsPath}/${id}`), [
    '/body/contract/version',
    '/body/contract/datasets',
  ])
  const largest = { version: 1, datasets: { '': { variables: variables(10_000, { units: 'm' }) } } }
  const { id: largestId, ...shown } = await create(body(largest))
  t.match(shown, { states: [{ state: 'unmet', facts: { breaking_changes: 10_000 } }] })
  const read = await server.administer('GET', `${expectationsPath}/${largestId}/contract`)
  t.strictSame(await read.json(), largest)
})
