// Filters by searches, from the repository to the receivers of its organisation.
import { t } from 'tap'
import { startWithWebhooks } from './start-with-webhooks.ts'

// Proves: with `search`, `NewCommit` is sent only if it touched a dataset that the search finds
t.test('a webhook gets the commits that touched datasets which its search finds', async (t) => {
  const { move } = await startWithWebhooks(t, 'receivers', {
    all: {},
    depth: { search: { variable: ['depth'] } },
    everywhere: { search: { q: 'sea ' } },
    none: { search: { q: 'zeppelin ' } },
    path: { search: { variable: ['depth'] }, paths: ['nowhere/**'] },
    time: { search: { q: 'tim' } },
    metres: { search: { units: ['m'] } },
    fathoms: { search: { units: ['fathom'], variable: ['depth'] } },
  })
  const always = ['all', 'everywhere', 'time']
  t.strictSame((await move('main', 's1', 5)).aliases, [...always, 'depth', 'metres'].sort(), 'all datasets are new')
  t.strictSame(
    (await move('main', 's2', 6)).aliases,
    [...always, 'depth', 'metres', 'fathoms'].sort(),
    'metres became fathoms',
  )
  t.strictSame((await move('main', 's3', 3)).aliases, always, 'the time of the root was replaced')
  t.strictSame((await move('main', 's4', 3)).aliases, always, 'chunks of the time were written')
})

// Proves: with `search`, `NewCommit` is sent if it is unknown what it touched
t.test('a move whose changes are unknown is sent to all', async (t) => {
  const { move } = await startWithWebhooks(t, 'receivers', { all: {}, none: { search: { q: 'zeppelin ' } } })
  t.strictSame((await move('main', 's4', 1)).aliases, ['all'])
  t.strictSame((await move('main', 's1', 2)).aliases, ['all', 'none'], 's1 does not follow s4')
})

t.test('a search is saved, shown, changed and removed, and the audit has it', async (t) => {
  const { server } = await startWithWebhooks(t, 'receivers', {})
  const webhook = { kind: 'webhook', url: 'https://127.0.0.1:1/hook', alias: 'hook', events: ['NewCommit'] }
  const search = {
    q: 'sea ice',
    units: ['K', 'degC'],
    licence: ['CC-BY-4.0'],
    bbox: '-25,34,45,72',
    time: '2026-01-01/..',
  }
  const created = await (await server.administer('POST', 'receivers', { ...webhook, search })).json()
  t.strictSame(created.search, search)
  const address = `receivers/${created.id}`
  t.strictSame((await (await server.administer('GET', address)).json()).search, search)
  await server.administer('PATCH', address, { kind: 'webhook', branches: ['**'] })
  t.strictSame((await (await server.administer('GET', address)).json()).search, search)
  await server.administer('PATCH', address, { kind: 'webhook', search: null })
  t.equal((await (await server.administer('GET', address)).json()).search, null)
  const { items } = await (await server.administer('GET', 'audit')).json()
  t.match(items[0], { action: 'webhook.update', before: { search }, after: { search: null } })
  const chat = {
    kind: 'chat',
    url: 'https://127.0.0.1:1/chat',
    alias: 'chat',
    events: ['NewCommit'],
    service: 'slack',
    search,
  }
  t.match(await (await server.administer('POST', 'receivers', chat)).json(), { search })
})

t.test('a search that is wrong is refused, and the problem names the member', async (t) => {
  const { server } = await startWithWebhooks(t, 'receivers', {})
  const webhook = { kind: 'webhook', url: 'https://127.0.0.1:1/hook', alias: 'hook', events: ['NewCommit'] }
  const refused = {
    '/body/search': { search: {} },
    '/body/search/bbox': { search: { bbox: '1,2,3' } },
    '/body/search/time': { search: { q: 'sea', time: '2026-02/2026-01' } },
    '/body/search/units': { search: { units: [] } },
    '/body/search/units/1': { search: { units: ['K', ''] } },
    '/body/search/variable': { search: { variable: 'a' } },
    '/body/search/repo': { search: { q: 'sea', repo: ['a'] } },
    '/body/search/q': { search: { q: 'x'.repeat(1_025) } },
  }
  for (const [pointer, filter] of Object.entries(refused)) {
    const response = await server.administer('POST', 'receivers', { ...webhook, ...filter })
    t.equal(response.status, 400, pointer)
    t.match((await response.json()).errors, [{ pointer }])
  }
  const ofRepository = await server.administer('POST', 'repos/sea/receivers', { ...webhook, search: { q: 'sea' } })
  t.match(await ofRepository.json(), { status: 400, errors: [{ pointer: '/body/search' }] })
})
