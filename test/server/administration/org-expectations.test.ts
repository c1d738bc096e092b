// Expectations of an organisation: for the repositories that match.
import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { basic } from '../start-server.ts'
import { expectationsPath, startWithExpectations } from './sample-expectations.ts'

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
