// Checks of snapshots over HTTP, with repositories that official Icechunk wrote.
import { responseHeaders } from '@floe/contract'
import type { Role } from '@floe/contract/lists'
import { createApiKey } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { basic, startServer } from '../../start-server.ts'
import { follow } from '../events/follow.ts'

const failed = {
  state: 'failed',
  text: 'step 12 is <b>NaN</b>',
  link: 'https://ci.example.org/runs/17?a="b"&c',
  figures: { 'NaN share': { value: 98.2, unit: '%' }, steps: { value: 12 } },
}

/** A server with a checker's key for `weather`, whose head is recorded. */
async function start(t: Test) {
  const server = await startServer(t)
  const makeKey = (role: Role, repos: readonly string[] | null) =>
    createApiKey(server.db, { org: 'acme', role, repos, name: 'pipeline' }, new Date())
  const checker = await makeKey('checker', ['weather'])
  t.equal((await server.administer('POST', 'repos/weather/refresh')).status, 200)
  const { commits } = await (await server.get('history/weather/main')).json()
  const ids: readonly string[] = commits.map(({ snapshot_id }: { snapshot_id: string }) => snapshot_id)
  const [head = '', parent = ''] = ids
  const put = (path: string, body: unknown, key = checker, headers: Record<string, string> = {}) =>
    fetch(`${server.meta}/checks/${path}`, {
      method: 'PUT',
      headers: { authorization: basic('acme', key), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const list = async (ref = 'main') => (await (await server.get(`checks/weather/${ref}`)).json()).items
  return { server, makeKey, checker, head, parent, put, list }
}

t.test('a check that is posted is listed, audited and told, and the next post replaces it', async (t) => {
  const { server, head, put, list } = await start(t)
  const stream = await follow(t, `${server.meta}/events?events=CheckPosted&after=0`, server.apiKey)
  const before = await server.get('checks/weather/main')
  t.equal(before.headers.get(responseHeaders.snapshot.name), head)
  t.strictSame(await before.json(), { items: [] })
  const response = await put(`weather/${head}/quality`, failed)
  t.equal(response.status, 200)
  t.equal(response.headers.get('cache-control'), 'no-store')
  const posted = await response.json()
  t.match(posted, { name: 'quality', ...failed, posted_at: String })
  const after = await server.get('checks/weather/main')
  t.not(after.headers.get('etag'), before.headers.get('etag'))
  t.strictSame(await after.json(), { items: [posted] })
  const etag = after.headers.get('etag') ?? ''
  t.equal((await server.get('checks/weather/main', { 'if-none-match': etag })).status, 304)
  t.strictSame(await (await fetch(`${server.publicMeta}/checks/weather/${head}`)).json(), { items: [posted] })
  t.strictSame(await (await put(`weather/${head}/quality`, failed)).json(), posted, 'the same again changes nothing')
  await put(`weather/${head}/quality`, { state: 'passed' })
  t.match(await list(), [{ name: 'quality', state: 'passed', text: null, link: null, figures: {} }])
  await stream.until(({ messages }) => messages.length === 2)
  const details = { org_name: 'acme', repo_name: 'weather', branch: 'main', snapshot_id: head, check: 'quality' }
  t.match(
    stream.messages.map(({ data }) => JSON.parse(data)),
    [
      { event: 'CheckPosted', details: { ...details, ...failed, previous_state: null } },
      { event: 'CheckPosted', details: { ...details, state: 'passed', previous_state: 'failed', text: null } },
    ],
  )
  const audit = (await (await server.administer('GET', 'repos/weather/audit')).json()).items
  const named = { name: 'quality', snapshot_id: head }
  t.match(audit, [
    { action: 'check.post', key_name: 'pipeline', before: { state: 'failed' }, after: { state: 'passed' } },
    { action: 'check.post', subject_id: `${head}/quality`, before: null, after: { state: 'failed' } },
  ])
  t.match(audit, [{ before: named, after: named }, { after: named }])
  t.equal(audit.length, 2)
})

t.test('receivers and streams select checks by name and state', async (t) => {
  const { server, head, put } = await start(t)
  const chat = { kind: 'chat', alias: 'failures', url: 'https://hooks.slack.com/services/T/B/X' }
  const created = await server.administer('POST', 'repos/weather/receivers', {
    ...chat,
    events: ['CheckPosted'],
    checks: ['quality'],
    states: ['failed'],
  })
  const { id, ...receiver } = await created.json()
  t.match(receiver, { checks: ['quality'], states: ['failed'] })
  const query = 'events=CheckPosted&after=0&checks=quality&states=failed&states=error'
  const stream = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  await put(`weather/${head}/opens`, { state: 'failed' })
  await put(`weather/${head}/quality`, { state: 'passed' })
  await put(`weather/${head}/quality`, { state: 'failed' })
  await stream.until(({ messages }) => messages.length === 1)
  t.match(JSON.parse(stream.messages[0]?.data ?? ''), { details: { check: 'quality', state: 'failed' } })
  const page = await (await server.get(`events/page?${query}`)).json()
  t.match(page.events, [{ notification: { details: { check: 'quality', previous_state: 'passed' } } }])
  t.equal(page.events.length, 1)
  const { items } = await (await server.administer('GET', `repos/weather/deliveries?receiver=${id}`)).json()
  t.equal(items.length, 1, 'the chat gets the same')
  const twice = { ...chat, alias: 'twice', events: ['CheckPosted'], states: ['failed', 'failed'] }
  t.equal((await server.administer('POST', 'repos/weather/receivers', twice)).status, 400)
})

t.test('a check that decides which head is good moves it at once', async (t) => {
  const { server, head, put } = await start(t)
  const stream = await follow(t, `${server.meta}/events?events=GoodMoved&kinds=good&after=0`, server.apiKey)
  const asked = { kind: 'good', branch: 'main', checks: ['quality'] }
  t.equal((await server.administer('POST', 'repos/weather/expectations', asked)).status, 201)
  for (const body of [failed, { state: 'passed' }]) t.equal((await put(`weather/${head}/quality`, body)).status, 200)
  await stream.until(({ messages }) => messages.length === 1)
  const details = { branch: 'main', snapshot_id: head, previous_snapshot_id: null, behind: 0, reason: null }
  t.match(JSON.parse(stream.messages[0]?.data ?? ''), { event: 'GoodMoved', details })
})

t.test('a report is posted whole, or refused whole', async (t) => {
  const { parent, put, list } = await start(t)
  const report = {
    checks: [
      { name: 'quality', ...failed },
      { name: 'cf-1.11', state: 'passed' },
    ],
  }
  const response = await put(`weather/${parent}`, report)
  t.equal(response.status, 200)
  t.strictSame((await response.json()).items, await list(parent))
  t.match(await list(parent), [{ name: 'cf-1.11' }, { name: 'quality' }])
  t.strictSame(await list(), [], 'the head has others')
  const wrong = {
    checks: [
      { name: 'new', state: 'passed' },
      { name: 'other', state: 'bad' },
    ],
  }
  t.equal((await put(`weather/${parent}`, wrong)).status, 400)
  const many = { checks: Array.from({ length: 49 }, (_, number) => ({ name: `check-${number}`, state: 'passed' })) }
  t.match(await (await put(`weather/${parent}`, many)).json(), { status: 409, type: '/problems/too-many-checks' })
  t.equal((await list(parent)).length, 2)
})

// Proves: the link of a check is an https URL without credentials
t.test('bodies are bounded, and links lead only where a browser shows', async (t) => {
  const { head, put, list } = await start(t)
  const figure = { value: 1 }
  const figures = Object.fromEntries(Array.from({ length: 21 }, (_, number) => [`figure ${number}`, figure]))
  for (const body of [
    {},
    { state: 'green' },
    { state: 'passed', more: 1 },
    { state: 'passed', text: '' },
    { state: 'passed', text: 'a'.repeat(501) },
    { state: 'passed', text: 'two\nlines' },
    { state: 'passed', text: '\ud800' },
    { state: 'passed', link: 'http://ci.example.org/' },
    { state: 'passed', link: 'javascript:alert(1)' },
    { state: 'passed', link: 'https://' },
    { state: 'passed', link: 'https://acme.example@evil.example/' },
    { state: 'passed', link: `https://ci.example.org/${'a'.repeat(2_048)}` },
    { state: 'passed', figures },
    { state: 'passed', figures: { share: 1 } },
    { state: 'passed', figures: { share: { value: '1' } } },
    { state: 'passed', figures: { '': figure } },
    { state: 'passed', figures: { ['a'.repeat(65)]: figure } },
  ])
    t.match(await (await put(`weather/${head}/quality`, body)).json(), { type: '/problems/invalid-request' }, { body })
  for (const name of ['a b', '-', 'ü', 'a'.repeat(64)])
    t.equal((await put(`weather/${head}/${encodeURIComponent(name)}`, { state: 'passed' })).status, 400, name)
  t.equal((await put(`weather/${head}/quality`, { state: 'passed', text: 'a'.repeat(70_000) })).status, 413)
  t.strictSame(await list(), [])
})

// Proves: only keys of checkers and administrators post checks, and only to the repositories that they cover
t.test('a checker posts only to its repositories, and sees and changes nothing else', async (t) => {
  const { server, makeKey, checker, head, put, list } = await start(t)
  const passed = { state: 'passed' }
  const path = `weather/${head}/quality`
  t.match(await (await put(path, passed, server.apiKey)).json(), { status: 403, detail: /role checker or admin/ })
  t.equal((await put(path, passed, await makeKey('checker', ['satellite']))).status, 403)
  t.equal((await put(path, passed, `${checker}x`)).status, 401)
  const anonymous = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(passed) }
  t.equal((await fetch(`${server.publicMeta}/checks/${path}`, anonymous)).status, 401)
  t.equal((await put(path, passed, checker, { origin: 'https://evil.example' })).status, 403)
  const [existing, missing] = await Promise.all(
    ['satellite', 'nothing-of-this-name'].map(async (repo) => {
      const { instance: _, ...problem } = await (await put(`${repo}/${head}/quality`, passed)).json()
      return JSON.stringify(problem).replaceAll(repo, 'REPO')
    }),
  )
  t.equal(existing, missing, 'whether another repository exists is not told')
  t.match(existing, 'forbidden')
  t.strictSame(await list(), [])
  const login = { authorization: basic('acme', checker) }
  t.equal((await server.get('checks/weather/main', login)).status, 200)
  t.equal((await server.get('checks/satellite/main', login)).status, 403)
  t.match(await (await server.administer('GET', 'repos/weather', undefined, login)).json(), {
    status: 403,
    detail: "This needs an administrator's API key, and yours is a checker's",
  })
  t.equal((await put(path, passed, server.adminKey)).status, 200)
})

t.test('only a snapshot by its id has checks, in each version of the format', async (t) => {
  const { server, put, list, makeKey } = await start(t)
  const key = await makeKey('checker', null)
  const passed = { state: 'passed' }
  t.match(await (await put('weather/main/quality', passed)).json(), { type: '/problems/invalid-request' })
  t.match(await (await put('weather/00000000000000000000/quality', passed)).json(), { type: '/problems/ref-not-found' })
  t.match(await (await put('nothing/00000000000000000000/quality', passed, key)).json(), {
    type: '/problems/repository-not-found',
  })
  t.match(await (await server.get('checks/weather/nothing')).json(), { type: '/problems/ref-not-found' })
  const { commits } = await (await server.get('history/weather-v1/main')).json()
  t.equal((await put(`weather-v1/${commits[1].snapshot_id}/quality`, passed, key)).status, 200)
  t.strictSame(await list(), [], 'checks belong to one repository')
})

t.test('pages show the state of each check in words, and its text as text', async (t) => {
  const { server, head, parent, put } = await start(t)
  const html = { accept: 'text/html' }
  const checks = [
    ...Array.from({ length: 6 }, (_, number) => ({ name: `check-${number}`, state: 'passed' })),
    { name: 'later', state: 'pending' },
    { name: 'quality', ...failed },
    { name: 'zone', state: 'error' },
  ]
  await put(`weather/${head}`, { checks })
  await put(`weather/${parent}/quality`, { state: 'passed', text: 'all \u202e is <i>well</i>' })
  for (const path of ['history/weather/main', 'discovery/weather', 'datasets/weather/main/forecast']) {
    const page = await (await server.get(path, html)).text()
    t.match(page, '<a href="https://ci.example.org/runs/17?a=&quot;b&quot;&amp;c" rel="nofollow noopener">quality</a>')
    t.match(page, 'step 12 is &lt;b&gt;NaN&lt;/b&gt;')
    const text = visibleText(page).replaceAll(/\s+/g, ' ')
    t.match(text, /quality failed ?: step 12 .* zone could not be run later pending check-0 passed .* and 3 more/, path)
    if (!path.startsWith('datasets')) t.match(text, /quality passed ?: all/, path)
  }
  await put(`weather/${head}/quality`, { state: 'passed' })
  const later = await (await server.get('history/weather/main', html)).text()
  t.notMatch(later, 'step 12', 'a page is not older than its checks')
})
