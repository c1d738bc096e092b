// Expectations of an organisation: for the repositories that match.
import { createApiKey } from '@floe/storage/database'
import { pino } from 'pino'
import { t } from 'tap'
import { nobodyIsTold } from '../../../server/expectations/find-untold.ts'
import { basic } from '../start-server.ts'
import { expectationsPath, sampleBody, startWithExpectations } from './sample-expectations.ts'

const path = 'expectations'
const stale = { kind: 'freshness', branch: 'main', max_age: '1m', repos: ['sat*', 'weather'] }

t.test('an expectation of an organisation is judged in the repositories that match', async (t) => {
  const { server, create, list, listEvents } = await startWithExpectations(t)
  const { id, repos } = await create(stale, path)
  t.strictSame(repos, stale.repos)
  // Checks and judges the repositories, as their next polls do.
  for (const repo of ['satellite', 'weather', 'types'])
    await create({ kind: 'freshness', branch: 'main', max_age: '3652d' }, `repos/${repo}/expectations`)
  const [shown] = await list(path)
  t.equal(shown?.unmet, 2)
  t.same(new Set(shown?.states.map(({ repo }) => repo)), new Set(['satellite', 'weather']))
  const [inRepository, own] = await list()
  t.match(inRepository, { id, unmet: 1, states: [{ repo: 'satellite' }] }, 'a repository shows only its branches')
  t.match(own, { repos: null, unmet: 0 })
  t.strictSame(
    (await list('repos/types/expectations')).map(({ repos }) => repos),
    [null],
  )
  const change = { kind: 'freshness', repos: ['weather'] }
  t.match(await (await server.administer('PATCH', `${path}/${id}`, change)).json(), { repos: ['weather'], unmet: 1 })
  t.match((await listEvents()).at(-1), {
    event: 'ExpectationMet',
    details: { repo_name: 'satellite', reason: 'The expectation no longer covers this branch' },
  })
  t.equal((await server.administer('DELETE', `${path}/${id}`)).status, 204)
  t.strictSame(await list(path), [])
})

t.test('without patterns, it is for all repositories', async (t) => {
  const { create } = await startWithExpectations(t)
  t.match(await create({ kind: 'freshness', branch: 'main', max_age: '1m' }, path), { repos: ['**'] })
})

t.test('a repository can show an expectation of its organisation, but not change it', async (t) => {
  const { server, create } = await startWithExpectations(t)
  const { id } = await create(stale, path)
  const address = `${expectationsPath}/${id}`
  t.equal((await server.administer('GET', address)).status, 200)
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { kind: 'freshness', max_age: '2h' } : undefined
    const refused = await server.administer(method, address, body)
    t.match(await refused.json(), { type: '/problems/forbidden', detail: RegExp(`/v1/orgs/acme/expectations/${id}$`) })
  }
})

t.test('a key for some repositories cannot read or change what all must meet', async (t) => {
  const { server, create } = await startWithExpectations(t)
  const { id } = await create(stale, path)
  const key = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['satellite'] }, new Date())
  const headers = { authorization: basic('acme', key) }
  for (const address of [path, `${path}/${id}`])
    t.equal((await server.administer('GET', address, undefined, headers)).status, 403)
  t.equal((await server.administer('POST', path, stale, headers)).status, 403)
  t.equal((await server.administer('GET', expectationsPath, undefined, headers)).status, 200)
})

t.test('an expectation whose events nobody gets says so, and the log warns of it once', async (t) => {
  const warnings: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) })
  const { server, create, list } = await startWithExpectations(t, { log })
  const listTold = async () => [await list(), await list(path)].map((all) => all.map(({ told }) => told))
  const { id } = await create({ ...sampleBody('freshness'), repos: ['sat*'] }, path)
  t.strictSame(await listTold(), [[false], [false]])
  const untold = warnings.filter((line) => JSON.stringify(line).includes(nobodyIsTold))
  t.match(untold, [{ expectation: id, org: 'acme', level: 40 }])
  t.equal(untold.length, 1)
  const url = 'https://hooks.slack.com/services/hush'
  const chat = { kind: 'chat', url, alias: 'team', events: ['ExpectationUnmet'] }
  await server.administer('POST', 'repos/weather/receivers', chat)
  t.strictSame(await listTold(), [[false], [false]], 'a chat of another repository')
  const other = await (
    await server.administer('POST', 'receivers', { ...chat, repos: ['sat*'], kinds: ['written'] })
  ).json()
  t.strictSame(await listTold(), [[false], [false]], 'other kinds')
  await server.administer('PATCH', `receivers/${other.id}`, { kind: 'chat', kinds: null, severity: 'critical' })
  t.strictSame(await listTold(), [[false], [false]], 'it only wants what is critical')
  await server.administer('PATCH', `receivers/${other.id}`, { kind: 'chat', severity: 'warning' })
  t.strictSame(await listTold(), [[true], [true]])
  t.match(await create({ ...sampleBody('written'), branch: 'dev' }), { told: false }, 'another branch')
  await server.administer('PATCH', `receivers/${other.id}`, { kind: 'chat', enabled: false })
  t.strictSame(await listTold(), [[false, false], [false]], 'it is disabled')
})
