// What branches must meet: each kind over HTTP, with repositories that official Icechunk wrote.
import { parseNotification } from '@floe/client'
import { applyDeclaredExpectations, openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { describeExpectation } from '../../../server/expectations/describe-event.ts'
import { follow } from '../metadata/events/follow.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { basic, type ServerOptions } from '../start-server.ts'
import {
  expectationsPath,
  immediateKinds,
  sampleBody,
  sampleKinds,
  startWithExpectations,
} from './sample-expectations.ts'

for (const kind of immediateKinds) {
  const { change, facts, words, line } = sampleKinds[kind]

  t.test(`of the kind ${kind}, one is judged at once, shown, told, changed and deleted`, async (t) => {
    const { server, list, readSummary, readPages, readGauges, listEvents } = await startWithExpectations(t)
    t.strictSame(await readSummary(), [])
    const response = await server.administer('POST', expectationsPath, sampleBody(kind))
    t.equal(response.status, 201)
    t.equal(response.headers.get('etag'), '"1"')
    const { contract: _, ...sent } = { contract: undefined, ...sampleBody(kind) }
    const [created] = await list()
    t.strictSame(await response.json(), created)
    t.match(created, { ...sent, severity: 'warning', within: null, declared: false, repos: null, unmet: 1 })
    t.notOk(created && 'contract' in created, 'lists have no documents')
    t.match(created?.states, [{ repo: 'satellite', branch: 'main', state: 'unmet', since: String, facts }])
    const address = `${expectationsPath}/${created?.id}`
    t.equal(response.headers.get('location'), `/v1/orgs/acme/${address}`)
    t.match(await readSummary(), [{ ...sent, branch: 'main', state: 'unmet', since: String, facts }])
    for (const page of await readPages()) t.match(page, words)
    const series = `floe_expectation_unmet{kind="${kind}",severity="warning",org="acme",repo="satellite",branch="main",expectation="tile server"}`
    t.strictSame(await readGauges(), [`${series} 1`])

    const patch = (body: object, version: number) =>
      server.administer('PATCH', address, { kind, ...body }, { 'if-match': `"${version}"` })
    const changed = await patch(change, 1)
    t.equal(changed.headers.get('etag'), '"2"')
    t.match(await changed.json(), { unmet: 0, states: [{ state: 'met', since: null }] })
    t.match(await (await patch({ alias: 'maps' }, 1)).json(), { type: '/problems/precondition-failed' })
    t.strictSame(await readGauges(), [`${series} 0`])
    const [first, second, ...others] = await listEvents()
    t.strictSame(others, [])
    const since = created?.states[0]?.since
    t.match(first, {
      event: 'ExpectationUnmet',
      sequence: 1,
      line,
      details: { expectation_id: created?.id, since, facts },
    })
    t.match(second, {
      event: 'ExpectationMet',
      sequence: 2,
      details: { kind, expectation_alias: 'tile server', since },
    })

    t.equal((await server.administer('DELETE', address, undefined, { 'if-match': '"1"' })).status, 412)
    t.equal((await server.administer('DELETE', address)).status, 204)
    t.match(await (await server.administer('GET', address)).json(), { type: '/problems/expectation-not-found' })
    t.strictSame(await readSummary(), [])
    t.equal((await listEvents()).length, 2, 'one that was met tells nothing when it is deleted')
    const audit = (await (await server.administer('GET', 'repos/satellite/audit')).json()).items
    t.strictSame(
      audit.map(({ action }: { action: string }) => action),
      ['expectation.delete', 'expectation.update', 'expectation.create'],
    )
  })

  t.test(`of the kind ${kind}, one that was unmet ends with its event when it is deleted`, async (t) => {
    const { server, create, listEvents } = await startWithExpectations(t)
    const { id } = await create(sampleBody(kind))
    t.equal((await server.administer('DELETE', `${expectationsPath}/${id}`)).status, 204)
    const [, second] = await listEvents()
    t.match(second, { event: 'ExpectationMet', details: { reason: 'The expectation was deleted' } })
  })

  t.test(`of the kind ${kind}, one is unmet only after its grace`, async (t) => {
    const { server, create, listEvents, passTime } = await startWithExpectations(t)
    const { id, ...shown } = await create(sampleBody(kind, { within: '3652d' }))
    t.match(shown, { within: '3652d', unmet: 0, states: [{ state: 'unknown', since: null, due_at: String }] })
    t.strictSame(await listEvents(), [])
    passTime(3_652 * 86_400_000)
    t.equal((await server.administer('POST', 'repos/satellite/refresh')).status, 200)
    t.match(await (await server.administer('GET', `${expectationsPath}/${id}`)).json(), { unmet: 1 })
    t.equal((await listEvents()).length, 1)
  })
}

t.test('a document is read where it is, and there is none of another kind', async (t) => {
  const { server, create } = await startWithExpectations(t)
  const read = (id: string) => server.administer('GET', `${expectationsPath}/${id}/contract`)
  const { id } = await create(sampleBody('contract'))
  const document = await read(id)
  t.equal(document.headers.get('etag'), '"1"')
  t.strictSame({ contract: await document.json() }, sampleKinds.contract.unmet)
  const other = await create(sampleBody('freshness'))
  t.match(await (await read(other.id)).json(), { type: '/problems/contract-not-found' })
})

/** A server of a repository whose `main`, at `s1` first, a test moves among the commits `s1` to `s4`. */
async function startMoving(t: Test, options?: ServerOptions, moving?: Awaited<ReturnType<typeof openMovableRefs>>) {
  const refs = moving ?? (await openMovableRefs(t))
  if (moving === undefined) await refs.point('branch.main', 's1')
  const started = await startWithExpectations(t, { sources: [refs.source], ...options })
  const move = async (branch: string, to: string) => {
    await refs.point(`branch.${branch}`, to)
    t.equal((await started.server.administer('POST', 'repos/sea/refresh')).status, 200)
  }
  return { ...started, refs, move }
}

const sea = 'repos/sea/expectations'

/** What `s1` keeps: `s2` changes the units of `depth`. */
const units = {
  kind: 'contract',
  branch: 'main',
  alias: 'tile server',
  contract: { version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } },
}

// Proves: each change of the state of an expectation is told once
t.test('a branch that fails an expectation and meets it again is told once each', async (t) => {
  const { create, move, list, listEvents, readSummary } = await startMoving(t)
  const { states } = await create(units, sea)
  t.match(states, [{ state: 'met', since: null, facts: { breaks: [] } }])
  t.strictSame(await listEvents(), [], 'one that is met from the beginning tells nothing')
  await move('main', 's2')
  const [unmet] = await list(sea)
  await move('main', 's3')
  const [first, ...others] = await listEvents()
  t.strictSame(others, [], 'it is still unmet')
  t.match(first, { event: 'ExpectationUnmet', details: { snapshot_id: unmet?.states[0]?.snapshot_id } })
  await move('main', 's1')
  const [, second, ...more] = await listEvents()
  t.strictSame(more, [])
  t.match(second, { event: 'ExpectationMet', sequence: 2, details: { since: unmet?.states[0]?.since, reason: null } })
  t.match(await readSummary('sea'), [{ state: 'met', since: null }])
})

t.test('a protected branch that was reset is unmet until the expectation is changed', async (t) => {
  const { server, create, move, list, listEvents } = await startMoving(t)
  const { change, facts, words } = sampleKinds.protected
  const { id } = await create({ kind: 'protected', branch: 'main' }, sea)
  await move('main', 's2')
  t.match(await list(sea), [{ unmet: 0 }])
  await move('main', 's0')
  t.match(await list(sea), [{ unmet: 1, states: [{ state: 'unmet', facts, summary: words }] }])
  const changed = await server.administer('PATCH', `${sea}/${id}`, { kind: 'protected', ...change })
  t.match(await changed.json(), { unmet: 0, states: [{ state: 'met', facts: { violations: [] } }] })
  t.match(await listEvents(), [{ event: 'ExpectationUnmet' }, { event: 'ExpectationMet' }])
})

// Proves: a service that was down tells once what is unmet when it is back
t.test('after a pause of the service, an unmet expectation is told once', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const refs = await openMovableRefs(t)
  await refs.point('branch.main', 's1')
  await t.test('it is met', async (t) => {
    const { create } = await startMoving(t, { db }, refs)
    t.match(await create(units, sea), { unmet: 0, states: [{ state: 'met' }] })
  })
  await refs.point('branch.main', 's2')
  for (const when of ['when it is back', 'and not again later'])
    await t.test(when, async (t) => {
      const { create, list, listEvents } = await startMoving(t, { db }, refs)
      // Checks and judges the repository, as the first poll does.
      await create({ kind: 'freshness', branch: 'main', max_age: '3652d' }, sea)
      const contract = (await list(sea)).find(({ kind }) => kind === 'contract')
      t.match(contract, { unmet: 1 })
      t.equal((await listEvents()).length, 1)
    })
})

t.test('a pattern watches and judges all branches that match, and streams carry the events of theirs', async (t) => {
  const { server, create, move, list } = await startMoving(t)
  const query = 'events=ExpectationUnmet&events=ExpectationMet'
  const dev = await follow(t, `${server.meta}/events?${query}&branches=dev*`, server.apiKey)
  const main = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  t.match(await create({ ...units, branch: 'dev*' }, sea), { unmet: 0, states: [] })
  await move('dev1', 's1')
  await move('dev2', 's2')
  const [{ unmet, states } = { unmet: 0, states: [] }] = await list(sea)
  t.equal(unmet, 1)
  t.match(states, [
    { branch: 'dev2', state: 'unmet' },
    { branch: 'dev1', state: 'met' },
  ])
  await dev.until(({ messages }) => messages.length >= 1)
  t.match(parseNotification(dev.messages[0]?.data ?? ''), { event: 'ExpectationUnmet', details: { branch: 'dev2' } })
  t.strictSame(main.messages, [])
})

t.test('a stream carries the events of the kinds of expectations that it selects', async (t) => {
  const { server, create } = await startWithExpectations(t)
  const query = 'events=ExpectationUnmet&kinds=written&kinds=contract'
  const stream = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  for (const kind of immediateKinds) await create(sampleBody(kind))
  await stream.until(({ messages }) => messages.length >= 2)
  t.strictSame(
    stream.messages.map(({ data }) => JSON.parse(data).details.kind),
    ['written', 'contract'],
  )
  const unknown = await server.get('events?kinds=nothing')
  t.equal(unknown.status, 400)
  await unknown.text()
})

t.test('a 51st expectation is refused, and so is a change of one that the file declares', async (t) => {
  const { server, create, list } = await startWithExpectations(t)
  const other = { kind: 'freshness', branch: 'main', max_age: '3652d' } as const
  const settings = { max_age: '6h', due: null, days: null, path: null }
  const times = { within: null, withinMs: null, remind: null, remindMs: null }
  const common = { alias: null, severity: 'warning' as const, ...times, document: null }
  const declared = { ...common, org: 'acme', repos: ['sat*'], kind: other.kind, branch: 'main', settings }
  await applyDeclaredExpectations(server.db, [declared], describeExpectation, new Date())
  const [found] = await list()
  t.match(found, { max_age: '6h', declared: true, repos: ['sat*'] })
  t.match(await list('expectations'), [{ id: found?.id }])
  for (const address of [`${expectationsPath}/${found?.id}`, `expectations/${found?.id}`])
    for (const method of ['PATCH', 'DELETE']) {
      const response = await server.administer(method, address, method === 'PATCH' ? other : undefined)
      t.match(await response.json(), { status: 409, type: '/problems/declared-in-file' })
    }
  for (let count = 1; count < 50; count++) await create(other)
  t.match(await (await server.administer('POST', expectationsPath, other)).json(), {
    status: 409,
    type: '/problems/too-many-expectations',
    detail: 'The repository has 50 expectations, which is the maximum',
  })
  t.strictSame(await list('repos/weather/expectations'), [], 'others do not count')
})

t.test('administrators who are no operators see no gauges of expectations', async (t) => {
  const { server, create, readGauges } = await startWithExpectations(t, { hasOperator: false })
  await create(sampleBody('freshness'))
  t.strictSame(await readGauges(), [])
  const authorization = basic('acme', server.adminKey)
  const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
  t.match(text, /^floe_repositories \d+$/m)
  t.notMatch(text, /satellite/)
})

t.test('while the database does not answer, what is unmet stays so in its gauge', async (t) => {
  const { server, create, readGauges } = await startWithExpectations(t, { onError: () => {} })
  await create(sampleBody('freshness'))
  const [before] = await readGauges()
  t.match(before, / 1$/)
  await server.db.schema.dropTable('expectation_states').execute()
  t.strictSame(await readGauges(), [before])
})
