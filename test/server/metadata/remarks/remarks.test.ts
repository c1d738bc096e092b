// Remarks of administrators over HTTP, with repositories that official Icechunk wrote.
import { responseHeaders } from '@floe/contract'
import { createApiKey } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { basic, type ServerOptions, startServer } from '../../start-server.ts'
import { refMaxAge, startCaching } from '../cached-answers/start-caching.ts'
import { connectAgent, readNote } from '../agents/connect-agents.ts'
import { follow } from '../events/follow.ts'
import { waitUntil } from '../../wait-until.ts'

const html = { accept: 'text/html' }

/** A result of a search. */
type Found = { readonly repo: string; readonly group: string; readonly remarks: readonly { readonly text: string }[] }

/** A server, and the commits of `weather`, newest first. */
async function start(t: Test, options: ServerOptions = {}) {
  const server = await startServer(t, options)
  const { commits } = await (await server.get('history/weather/main')).json()
  const ids: readonly string[] = commits.map(({ snapshot_id }: { snapshot_id: string }) => snapshot_id)
  const [head = '', parent = ''] = ids
  const post = (body: object, repo = 'weather') => server.administer('POST', `repos/${repo}/remarks`, body)
  const retract = async (about: object = {}) =>
    (await post({ kind: 'retraction', text: 'step 12 is <b>NaN</b>', ...about })).json()
  const list = async (path: string) => (await (await server.get(`remarks/${path}`)).json()).items
  const read = async (path: string) => visibleText(await (await server.get(path, html)).text()).replaceAll(/\s+/g, ' ')
  return { server, ids, head, first: ids.at(-1) ?? '', parent, post, retract, list, read }
}

t.test('a remark that is posted is told, audited and listed, and can be changed and deleted', async (t) => {
  const { server, head, post, list } = await start(t)
  const stream = await follow(
    t,
    `${server.meta}/events?events=NotePosted&events=SnapshotRetracted&after=0`,
    server.apiKey,
  )
  const before = await server.get('remarks/weather/main')
  t.equal(before.headers.get(responseHeaders.snapshot.name), head)
  t.strictSame(await before.json(), { items: [] })
  const successor = { repo: 'weather-v1', ref: 'main' }
  const created = await post({ kind: 'retraction', text: 'all NaN', snapshot: head, superseded_by: successor })
  t.equal(created.status, 201)
  const retraction = await created.json()
  const address = created.headers.get('location') ?? ''
  t.match(address, new RegExp(`/orgs/acme/repos/weather/remarks/${retraction.id}$`))
  const facts = {
    snapshot: head,
    from: null,
    to: null,
    ref: null,
    path: null,
    text: 'all NaN',
    since: null,
    until: null,
  }
  t.match(retraction, { kind: 'retraction', ...facts, superseded_by: { ...successor, link: null } })
  t.strictSame(await list('weather/main'), [retraction])
  const note = await (await post({ kind: 'note', text: 'a note', path: '/forecast/' })).json()
  t.match(note, { kind: 'note', path: 'forecast', snapshot: null })
  t.strictSame(await (await server.administer('GET', 'repos/weather/remarks')).json(), { items: [retraction, note] })
  const one = `repos/weather/remarks/${note.id}`
  t.strictSame(await (await server.administer('GET', one)).json(), note)
  const changed = await (await server.administer('PATCH', one, { text: 'other', superseded_by: null })).json()
  t.match(changed, { ...note, text: 'other', updated_at: String })
  t.strictSame(await list('weather/main'), [retraction, changed], 'retractions come first')
  t.equal((await server.administer('DELETE', one)).status, 204)
  for (const method of ['GET', 'DELETE'])
    t.match(await (await server.administer(method, one)).json(), { type: '/problems/remark-not-found' })
  t.match(await (await server.administer('PATCH', one, {})).json(), { type: '/problems/remark-not-found' })
  t.equal((await server.administer('GET', `repos/weather-v1/remarks/${retraction.id}`)).status, 404)
  await stream.until(({ messages }) => messages.length === 2)
  const repository = { org_name: 'acme', repo_name: 'weather' }
  t.match(
    stream.messages.map(({ data }) => JSON.parse(data)),
    [
      { event: 'SnapshotRetracted', details: { ...repository, remark_id: retraction.id, ...facts } },
      { event: 'NotePosted', details: { ...repository, remark_id: note.id, path: 'forecast', text: 'a note' } },
    ],
  )
  const audit = (await (await server.administer('GET', 'repos/weather/audit')).json()).items
  t.strictSame(
    audit.map(({ action }: { action: string }) => action),
    ['remark.delete', 'remark.update', 'remark.create', 'remark.create'],
  )
})

t.test('a remark is about what it names, and a note is shown in its time', async (t) => {
  const clock = { ms: Date.parse('2026-11-21T12:00:00Z') }
  const { ids, head, first, parent, post, retract, list } = await start(t, { now: () => clock.ms })
  t.ok(ids.length > 2, 'there is a range')
  const range = await retract({ from: first, to: parent, text: 'range' })
  t.match(range, { snapshot: null, from: first, to: parent })
  for (const id of ids) t.equal((await list(`weather/${id}`)).length, id === head ? 0 : 1)
  const ofRef = await retract({ ref: 'main', path: 'forecast' })
  t.strictSame(await list('weather/main'), [ofRef])
  t.strictSame(await list(`weather/${head}`), [], 'the branch is not the snapshot')
  for (const [group, count] of Object.entries({ forecast: 1, '/forecast/below': 1, '': 1, fore: 0, other: 0 }))
    t.equal((await list(`weather/main?group=${group}`)).length, count, group)
  const [since, until] = ['2026-11-21T12:00:01.000Z', '2026-11-21T12:00:02.000Z']
  t.equal((await post({ kind: 'note', text: 'later', since, until })).status, 201)
  for (const shown of [0, 1, 1, 0].keys()) {
    clock.ms = Date.parse('2026-11-21T12:00:00Z') + shown * 700
    t.equal((await list(`weather/${head}`)).length, [0, 0, 1, 0][shown], `after ${shown * 0.7} s`)
  }
})

t.test('bodies are bounded, and a target must exist', async (t) => {
  const { server, head, first, parent, post, retract } = await start(t)
  const time = '2026-11-21T12:00:00.000Z'
  const bad = [
    { text: '' },
    { text: 'two\nlines' },
    { text: '\ud800' },
    { text: 'a'.repeat(2_001) },
    { kind: 'praise' },
    { snapshot: 'main' },
    { snapshot: head, ref: 'main' },
    { from: first },
    { snapshot: head, from: first, to: head },
    { from: head, to: first },
    { since: time },
    { kind: 'note', since: time, until: time },
    { superseded_by: {} },
    { superseded_by: { ref: 'main' } },
    { superseded_by: { repo: 'a', link: 'https://example.org/' } },
    { superseded_by: { link: 'https://example.org/', ref: 'main' } },
    { superseded_by: { link: 'javascript:alert(1)' } },
    { superseded_by: { link: 'https://acme.example@evil.example/' } },
    { ref: 'a\0b' },
    { path: 'a\0b' },
    { superseded_by: { repo: 'a', ref: '\ud800' } },
    { more: 1 },
  ]
  for (const body of bad)
    t.match(
      await (await post({ kind: 'retraction', text: 'a', ...body })).json(),
      { type: '/problems/invalid-request' },
      { body },
    )
  for (const body of [
    { ref: 'nothing' },
    { ref: head },
    { ref: 'main@2099-01-01' },
    { snapshot: '00000000000000000000' },
  ])
    t.match(await retract(body), { type: '/problems/ref-not-found' })
  const { id } = await retract({ snapshot: parent })
  t.equal((await server.administer('PATCH', `repos/weather/remarks/${id}`, { until: time })).status, 400)
  t.equal((await (await server.administer('GET', 'repos/weather/remarks')).json()).items.length, 1)
})

t.test('every page and document about a retracted dataset says so, as text', async (t) => {
  const { server, head, parent, retract, read } = await start(t)
  const superseded_by = { link: 'https://example.org/v2?a="b"' }
  await retract({ snapshot: head, path: 'forecast', superseded_by })
  const said = /Retracted ?forecast ?: step 12 is <b>NaN<\/b> Use https:/
  for (const path of [
    'datasets/weather/main/forecast',
    `datasets/weather/${head}/`,
    'discovery/weather/main',
    'discovery/weather',
    'history/weather/main',
    `diff/weather/${parent}/main`,
  ]) {
    const page = await (await server.get(path, html)).text()
    t.match(page, 'step 12 is &lt;b&gt;NaN&lt;/b&gt;', path)
    t.match(page, 'href="https://example.org/v2?a=&quot;b&quot;" rel="nofollow noopener"', path)
    t.match(visibleText(page).replaceAll(/\s+/g, ' '), said, path)
  }
  t.notMatch(await read(`datasets/weather/${parent}/forecast`), 'step 12')
  const json = async (path: string) => (await server.get(path)).json()
  const collection = await json('stac/datasets/weather/main/forecast')
  t.match(collection, { deprecated: true, description: /^Retracted \(forecast\): step 12 is <b>/ })
  t.match(
    collection.links.find(({ rel }: { rel: string }) => rel === 'successor-version'),
    { href: superseded_by.link },
  )
  t.match(await json('croissant/weather/main/forecast'), {
    creativeWorkStatus: 'Retracted',
    correction: superseded_by.link,
    citeAs: /, retracted/,
  })
  const datasets = (await json('dcat/weather'))['dcat:dataset']
  t.match(
    datasets.find((dataset: { '@id': string }) => dataset['@id'].endsWith('forecast')),
    { 'adms:status': { '@id': /Deprecated$/ }, 'dct:isReplacedBy': { '@id': superseded_by.link } },
  )
  const cited = await json('cite/weather/main?group=forecast')
  t.match(cited, { retraction: /^step 12/, text: /, retracted\. http/, bibtex: /, retracted}/ })
  const other = await json(`cite/weather/${parent}?group=forecast`)
  t.match(other, { retraction: null })
  t.notMatch(other.text, 'retracted')
  t.notOk('deprecated' in (await json(`stac/datasets/weather/${parent}/forecast`)))
})

t.test('a retracted head is not good, and is good again when the retraction is deleted', async (t) => {
  const { server, head, retract } = await start(t)
  const stream = await follow(t, `${server.meta}/events?events=GoodMoved&after=0`, server.apiKey)
  const asked = { kind: 'good', branch: 'main', expectations: [] }
  t.equal((await server.administer('POST', 'repos/weather/expectations', asked)).status, 201)
  const { id } = await retract({ snapshot: head })
  t.equal((await server.get('datasets/weather/main@good/info')).status, 404)
  t.equal((await server.administer('DELETE', `repos/weather/remarks/${id}`)).status, 204)
  await stream.until(({ messages }) => messages.length === 3)
  const moves = stream.messages.map(({ data }) => JSON.parse(data).details.snapshot_id)
  t.strictSame(moves, [head, null, head])
})

t.test('JSON about a dataset stays the same, and is still immutable', async (t) => {
  const { server, head, retract } = await start(t)
  const ask = async (view: string) => {
    const response = await fetch(`${server.publicMeta}/datasets/weather/${head}/forecast/${view}`)
    return [await response.text(), response.headers.get('etag'), response.headers.get('cache-control')]
  }
  const before = await Promise.all(['info', 'keys', 'dict'].map(ask))
  await retract({ snapshot: head })
  t.strictSame(await Promise.all(['info', 'keys', 'dict'].map(ask)), before)
})

// Proves: a page shows a remark that was posted after it was cached, at the latest when its ref is read again
t.test('a cached page is not older than a ref', async (t) => {
  const { server, clock, ask, askAgain } = await startCaching(t)
  const { commits } = await (await server.get('history/weather/main')).json()
  const path = `datasets/weather/${commits[0].snapshot_id}/forecast`
  const before = await askAgain(path, server.apiKey, html)
  const stac = await askAgain('stac/datasets/weather/main/forecast')
  await server.administer('POST', 'repos/weather/remarks', { kind: 'note', text: 'one to read' })
  clock.ms += refMaxAge
  const after = await ask(path, server.apiKey, html)
  t.match(after.body, 'one to read')
  t.not(after.headers['etag'], before.headers['etag'])
  t.not((await ask('stac/datasets/weather/main/forecast')).body, stac.body)
})

t.test('a retracted dataset comes last in a search, and says so', async (t) => {
  const { server, post, retract, read } = await start(t, { hasSearch: true })
  await server.notifier.start()
  const search = async (query = '') => (await server.get(`search?repo=weather&${query}`)).json()
  await waitUntil(async () => {
    const { results } = await search()
    return results.filter(({ repo }: Found) => repo === 'weather').length > 1
  })
  const show = ({ repo, group, remarks }: Found) => `${repo}/${group}: ${remarks.map(({ text }) => text).join(', ')}`
  const find = async (query?: string): Promise<string[]> =>
    (await search(query)).results.filter(({ repo }: Found) => repo === 'weather').map(show)
  const before = await find()
  const [first = ''] = before
  const group = first.slice('weather/'.length, -2)
  await retract({ ref: 'main', path: group, text: 'bad' })
  await retract({ snapshot: '00000000000000000000' })
  await post({ kind: 'note', text: 'good', path: group })
  const expected = [...before.slice(1), `${first}bad, good`]
  t.strictSame(await find(), expected)
  t.strictSame((await find('sort=changed')).at(-1), expected.at(-1))
  const pages: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page = await search(`limit=1&before=${next}`)
    pages.push(...page.results.map(show))
    next = page.next
  }
  t.strictSame(pages, expected, 'pages have each dataset once')
  t.match(await read('search?repo=weather'), /Retracted .* bad Note .* good/)
  await retract({ text: 'all' })
  t.ok((await find()).every((one) => one.includes('all')))
})

t.test('an agent reads what is said of a dataset before all other notes', async (t) => {
  const { server, head, parent, retract } = await start(t)
  await retract({ snapshot: head, superseded_by: { repo: 'weather-v1' } })
  const agent = await connectAgent['versions of 2025'](t, {
    url: `${server.meta}/mcp`,
    headers: { authorization: basic('acme', server.apiKey) },
  })
  const said = 'Retracted: step 12 is <b>NaN</b> (use weather-v1)'
  const ask = async (name: string, given: Record<string, string>) =>
    readNote(await agent.call(name, { repo: 'weather', ...given }))
  for (const ref of ['main', head]) t.ok((await ask('datasets_info', { ref, group: 'forecast' })).startsWith(said), ref)
  t.match(await ask('diff', { from: parent, to: 'main' }), said)
  t.notMatch(await ask('datasets_info', { ref: parent, group: 'forecast' }), said)
})

t.test('callers who may not read a repository are told nothing of its remarks', async (t) => {
  const { server, retract } = await start(t)
  await retract()
  const key = await createApiKey(
    server.db,
    { org: 'acme', role: 'reader', repos: ['satellite'], name: 'a' },
    new Date(),
  )
  const login = { authorization: basic('acme', key) }
  const [existing, missing] = await Promise.all(
    ['weather', 'nothing-of-this-name'].map(async (repo) => {
      const { instance: _, ...problem } = await (await server.get(`remarks/${repo}/main`, login)).json()
      return JSON.stringify(problem).replaceAll(repo, 'REPO')
    }),
  )
  t.equal(existing, missing)
  t.match(existing, 'forbidden')
  t.equal((await server.administer('GET', 'repos/weather/remarks', undefined, login)).status, 403)
})
