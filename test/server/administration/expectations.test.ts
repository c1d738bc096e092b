import { parseNotification } from '@floe/client'
import { Expectation, Notification, RepositorySummary, SentCompletenessEvent, SentFreshnessEvent } from '@floe/contract'
import { applyDeclaredExpectations } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { follow } from '../metadata/events/follow.ts'
import { readHistory } from '../notifications/fixture-histories.ts'
import { basic, type RunningServer, type ServerOptions } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { startAdministration } from './start-administration.ts'

const path = 'repos/weather/expectations'
const stale = { branch: 'main', max_age: '1m' }
const fresh = { branch: 'main', max_age: '3652d', path: 'forecast/**' }

const weather = await readHistory('weather')
const writtenAt = Date.parse(weather.snapshots[weather.head]?.writtenAt ?? '')

/** A server of the samples, a day after the last commit of `weather`. Each look at the clock takes a millisecond. */
function start(t: Test, options: Pick<ServerOptions, 'hasOperator' | 'onError'> = {}) {
  let now = writtenAt + 86_400_000
  return startAdministration(t, { now: () => now++, ...options })
}

async function create(server: RunningServer, body: object): Promise<Expectation> {
  return Expectation.parse(await (await server.administer('POST', path, body)).json())
}

t.test('an expectation is added, judged at once, changed and deleted', async (t) => {
  const server = await start(t)
  const response = await server.administer('POST', path, stale)
  t.equal(response.status, 201)
  const created = Expectation.parse(await response.json())
  t.match(created, { ...stale, path: null, declared: false, stale_since: created.due_at })
  t.ok(created.stale_since !== null, 'the sample is old')
  t.equal(Date.parse(created.last_commit_at ?? ''), Math.floor(writtenAt))
  t.equal(Date.parse(created.due_at ?? ''), Math.floor(writtenAt) + 60_000)
  t.equal(response.headers.get('location'), `/v1/orgs/acme/${path}/${created.id}`)
  t.equal(response.headers.get('etag'), '"1"')
  t.strictSame(await (await server.administer('GET', path)).json(), { items: [created] })
  const patch = (body: object, version: number) =>
    server.administer('PATCH', `${path}/${created.id}`, body, { 'if-match': `"${version}"` })
  const changed = await patch({ max_age: '3652d' }, 1)
  t.equal(changed.headers.get('etag'), '"2"')
  t.match(await changed.json(), { max_age: '3652d', stale_since: null, branch: 'main' })
  t.match(await (await patch({ max_age: '1m' }, 1)).json(), { type: '/problems/precondition-failed' })
  t.match(await (await patch({ branch: 'nowhere' }, 2)).json(), { last_commit_at: null, stale_since: null })
  t.equal((await server.administer('DELETE', `${path}/${created.id}`, undefined, { 'if-match': '"2"' })).status, 412)
  t.equal((await server.administer('DELETE', `${path}/${created.id}`)).status, 204)
  t.match(await (await server.administer('GET', `${path}/${created.id}`)).json(), {
    type: '/problems/expectation-not-found',
  })
  const { items } = await (await server.administer('GET', 'repos/weather/audit')).json()
  t.strictSame(
    items.map(({ action }: { action: string }) => action),
    ['expectation.delete', 'expectation.update', 'expectation.update', 'expectation.create'],
  )
  const events = await server.db.selectFrom('events').select('payload').orderBy('number').execute()
  const names = events.map(({ payload }) => Notification.parse(JSON.parse(payload)).event)
  t.strictSame(names, ['RepositoryStale', 'RepositoryFresh'])
})

t.test('a 51st expectation is refused, and so is a change of one that the file declares', async (t) => {
  const server = await start(t)
  const declared = {
    org: 'acme',
    repos: 'wea*',
    branch: 'main',
    path: null,
    maxAge: '6h',
    maxAgeMs: 21_600_000,
    written: null,
  }
  await applyDeclaredExpectations(server.db, [declared], new Date())
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [{ max_age: '6h', declared: true }])
  const address = `${path}/${items[0].id}`
  for (const method of ['PATCH', 'DELETE']) {
    const response = await server.administer(method, address, method === 'PATCH' ? { max_age: '7h' } : undefined)
    t.match(await response.json(), { status: 409, type: '/problems/declared-in-file' })
  }
  for (let count = 1; count < 50; count++) t.equal((await server.administer('POST', path, fresh)).status, 201)
  t.match(await (await server.administer('POST', path, fresh)).json(), {
    status: 409,
    type: '/problems/too-many-expectations',
    detail: 'The repository has 50 expectations, which is the maximum',
  })
  t.equal((await server.administer('GET', `repos/satellite/expectations`)).status, 200, 'others do not count')
})

t.test('readers see what is expected of a repository, and what is late', async (t) => {
  const server = await start(t)
  const readSummary = async () => {
    const answer = await server.get('repositories/weather')
    return RepositorySummary.parse(await answer.json()).expectations
  }
  const readPage = async (address: string) => (await server.get(address, { accept: 'text/html' })).text()
  t.strictSame(await readSummary(), [])
  t.notMatch(await readPage(`${server.meta}/`), /expected every/)
  await create(server, fresh)
  const { last_commit_at, due_at } = await create(server, stale)
  const [first, second] = (await readSummary()) ?? []
  t.match(first, { ...stale, path: null, written: null, last_commit_at, due_at, stale_since: due_at })
  t.match(second, { ...fresh, stale_since: null })
  for (const address of [`${server.meta}/`, `${server.meta}/discovery/weather`]) {
    const page = (await readPage(address)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
    t.match(page, /updated 1 d ago, expected every 1 min: late/, address)
    t.match(page, /forecast\/\*\* updated \d d ago, expected every 3652 d/, address)
  }
})

t.test('written chunks are expected, judged at once, and shown', async (t) => {
  const store = openLocalStore(new URL('../../fixtures/completeness/', import.meta.url).pathname)
  const server = await startAdministration(t, { sources: [{ kind: 'scan', store }] })
  const list = 'repos/v2/expectations'
  const stream = await follow(t, `${server.meta}/events?events=DatasetIncomplete&events=DatasetComplete`, server.apiKey)
  const answer = await server.administer('POST', list, { branch: 'main', path: 'x y3', written: 0.99 })
  const created = Expectation.parse(await answer.json())
  const arrays = [{ path: 'x y3', chunks: { written: 3, total: 25 } }]
  const found = { arrays, incomplete_arrays: 1, unknown_reason: null }
  t.match(created, { max_age: null, written: 0.99, due_at: null, stale_since: null, ...found })
  t.type(created.incomplete_since, 'string')
  t.match(RepositorySummary.parse(await (await server.get('repositories/v2')).json()).expectations, [found])
  for (const address of [`${server.meta}/`, `${server.meta}/discovery/v2`]) {
    const page = await (await server.get(address, { accept: 'text/html' })).text()
    const text = page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
    t.match(text, /x y3 99% of the chunks expected: fewer written since .*, x y3 3 of 25/, address)
  }
  const patch = async (body: object) =>
    Expectation.parse(await (await server.administer('PATCH', `${list}/${created.id}`, body)).json())
  t.match(await patch({ written: 0.1 }), { written: 0.1, incomplete_since: null, arrays: [] })
  t.match(await patch({ written: 1 }), { written: 1, ...found })
  t.match(await patch({ path: 'a7' }), { incomplete_since: null, unknown_reason: /^a7: there may be chunks outside/ })
  t.match(await patch({ max_age: '3652d' }), { max_age: '3652d', written: null, due_at: String, unknown_reason: null })
  await stream.until(({ messages }) => messages.length === 3)
  const told = stream.messages.map(({ data }) => SentCompletenessEvent.parse(JSON.parse(data)))
  t.match(told, [
    { event: 'DatasetIncomplete', details: { expectation_id: created.id, branch: 'main', written: 0.99, arrays } },
    { event: 'DatasetComplete', details: { written: 0.1, arrays: [], incomplete_since: created.incomplete_since } },
    { event: 'DatasetIncomplete', details: { written: 1, path: 'x y3', incomplete_arrays: 1 } },
  ])
})

t.test('an expectation has one demand', async (t) => {
  const server = await start(t)
  const refuse = async (body: object, method = 'POST', address = path) => {
    const answer = await (await server.administer(method, address, body)).json()
    t.match(answer, { status: 400, errors: [{ pointer: /^\/body\/(?:max_age|written)$/ }] }, JSON.stringify(body))
  }
  await refuse({ branch: 'main' })
  await refuse({ ...stale, written: 0.5 })
  for (const written of [0, -1, 1.01, '1', null]) await refuse({ branch: 'main', written })
  const { id } = await create(server, stale)
  await refuse({ max_age: '2h', written: 0.5 }, 'PATCH', `${path}/${id}`)
})

t.test('administrators who are no operators see no gauges of expectations', async (t) => {
  const server = await start(t)
  await create(server, stale)
  const authorization = basic('acme', server.adminKey)
  const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
  t.match(text, /^floe_repositories \d+$/m)
  t.notMatch(text, /floe_repository_|weather/)
})

t.test('each expectation has its own gauges, and there are none without', async (t) => {
  const server = await start(t, { hasOperator: true })
  const readGauges = async () => {
    const authorization = basic('acme', server.adminKey)
    const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
    return text.split('\n').filter((line) => line.startsWith('floe_repository_'))
  }
  t.strictSame(await readGauges(), [])
  const { id } = await create(server, stale)
  const labels = '{org="acme",repo="weather",branch="main",path="",max_age="1m"}'
  const [age, maxAge, isStale, ...others] = await readGauges()
  t.match(age, /^floe_repository_age_seconds\{.*\} \d+(\.\d+)?$/)
  t.equal(maxAge, `floe_repository_max_age_seconds${labels} 60`)
  t.equal(isStale, `floe_repository_stale${labels} 1`)
  t.strictSame(others, [])
  await create(server, { branch: 'main', written: 0.99 })
  await waitUntil(async () => (await readGauges()).length === 4)
  const [, , , isIncomplete] = await readGauges()
  t.match(
    isIncomplete,
    /^floe_repository_incomplete\{org="acme",repo="weather",branch="main",path="",written="0.99"\} [01]$/,
  )
  await server.administer('DELETE', `${path}/${id}`)
  t.strictSame((await readGauges()).length, 1)
})

t.test('while the database does not answer, a stale branch stays stale in its gauges', async (t) => {
  const server = await start(t, { hasOperator: true, onError: () => {} })
  await create(server, stale)
  const authorization = basic('acme', server.adminKey)
  const scrape = async () => (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
  const isStale = /^floe_repository_stale\{org="acme",repo="weather",.*\} 1$/m
  t.match(await scrape(), isStale)
  await server.db.schema.dropTable('expectation_findings').execute()
  await server.db.schema.dropTable('undelivered').execute()
  const text = await scrape()
  t.match(text, /^floe_database_up 0$/m)
  t.match(text, isStale)
})

t.test('a stream carries the events that it selects, in the form of the contract', async (t) => {
  const server = await start(t)
  const query = 'events=RepositoryStale&events=RepositoryFresh'
  const both = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  const others = await follow(t, `${server.meta}/events?${query}&branches=dev`, server.apiKey)
  const { id } = await create(server, stale)
  await server.administer('PATCH', `${path}/${id}`, { max_age: '3652d' })
  await both.until(({ messages }) => messages.length === 2)
  t.strictSame(
    both.messages.map(({ data }) => parseNotification(data).event),
    ['RepositoryStale', 'RepositoryFresh'],
  )
  const [first, second] = both.messages.map(({ data }) => SentFreshnessEvent.parse(JSON.parse(data)).details)
  t.match(first, { expectation_id: id, branch: 'main', path: null, max_age: '1m' })
  t.strictSame(second, { ...first, max_age: '3652d' }, 'it ends the same time')
  t.strictSame(others.messages, [])
})
