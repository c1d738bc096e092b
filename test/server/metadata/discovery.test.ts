import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@floe/client'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { readExpectedAnswers } from '../expected-answers.ts'
import { basic, fixtures, startServer } from '../start-server.ts'

const server = await startServer(t)

const repositories = ['weather', 'weather-v1', 'satellite', 'migrated', 'expired', 'expired-v1', 'reset', 'empty']

// Proves: `/discovery/{repo}` has `branches` and `tags`
// Proves: `/discovery/{repo}/{ref}` lists the paths of the datasets, with slashes between nested groups
t.test('discovery lists refs and datasets as official Icechunk does', async (t) => {
  for (const repo of repositories) {
    const expected = await readExpectedAnswers(repo)
    const refs = await (await server.get(`discovery/${repo}`)).json()
    t.strictSame(refs, { branches: Object.keys(expected.branches), tags: Object.keys(expected.tags) }, repo)
    for (const [ref, snapshot] of Object.entries({ ...expected.tags, ...expected.branches })) {
      const datasets = await (await server.get(`discovery/${repo}/${encodeURIComponent(ref)}`)).json()
      t.strictSame(datasets, expected.snapshots[snapshot]?.groups, `${repo} at ${ref}`)
    }
  }
})

t.test('a snapshot id is a ref', async (t) => {
  const { branches } = await readExpectedAnswers('weather')
  const byName = await server.get('discovery/weather/main')
  const byId = await server.get(`discovery/weather/${branches['main']}`)
  t.strictSame(await byId.json(), await byName.json())
})

t.test('a list of datasets names its snapshot, also as a page and when nothing has changed', async (t) => {
  const { branches, tags } = await readExpectedAnswers('weather')
  for (const [path, snapshotId] of [
    ['discovery/weather/main', branches['main']],
    ['discovery/weather/v1.0', tags['v1.0']],
    ['discovery/weather/main?group=wind', branches['main']],
  ] as const) {
    const first = await server.get(path)
    t.equal(first.headers.get('floe-snapshot'), snapshotId, path)
    const again = await server.get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
    t.strictSame([again.status, again.headers.get('floe-snapshot')], [304, snapshotId], path)
  }
  const page = await server.get('discovery/weather/main', { accept: 'text/html' })
  t.equal(page.headers.get('floe-snapshot'), branches['main'])
  t.equal((await server.get('discovery/weather')).headers.get('floe-snapshot'), null)
})

// Proves: `?group=` restricts the list to a sub-group
t.test('?group= restricts the list to a group and what is below it', async (t) => {
  t.strictSame(await (await server.get('discovery/weather/main?group=wind')).json(), ['wind/gust', 'wind/speed'])
  t.strictSame(await (await server.get('discovery/weather/main?group=wind%2Fgust')).json(), ['wind/gust'])
  t.strictSame(
    await (await server.get('discovery/weather/main?group=win')).json().then((body) => body.type),
    '/problems/group-not-found',
  )
})

t.test('a repository that appears below a scanned location is served without a restart', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'first'), { recursive: true })
  await mkdir(join(directory, 'not-a-repository'))
  let now = 0
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }], now: () => now })
  t.strictSame(await (await server.get('discovery')).json(), ['first'])
  await cp(join(fixtures, 'satellite'), join(directory, 'second'), { recursive: true })
  t.equal((await server.get('discovery/second')).status, 200, 'by name at once')
  now += 1_000
  t.strictSame(await (await server.get('discovery')).json(), ['first', 'second'])
  await rename(join(directory, 'first'), join(directory, 'ü third'))
  now += 1_000
  t.strictSame(await (await server.get('discovery')).json(), ['second', 'ü third'])
  t.equal((await server.get(`discovery/${encodeURIComponent('ü third')}`)).status, 200)
})

// Proves: `/discovery` lists the repositories that the caller may read
t.test('a key that is limited to repositories sees no others', async (t) => {
  const authorization = basic('acme', server.weatherKey)
  t.strictSame(await (await server.get('discovery', { authorization })).json(), ['weather'])
  t.equal((await server.get('discovery/weather', { authorization })).status, 200)
  t.equal((await server.get('discovery/satellite', { authorization })).status, 403)
  t.equal((await server.get('discovery/no-such', { authorization })).status, 403, 'also if it does not exist')
})

t.test('browsers get pages at the same addresses', async (t) => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const path of ['discovery', 'discovery/weather', 'discovery/weather/main', '']) {
    const response = await server.get(path, { accept })
    t.match(response.headers.get('content-type'), 'text/html')
    t.match(await response.text(), /^<!doctype html>/i, path || '_meta/')
  }
})

t.test('each link of the browse pages leads somewhere', async (t) => {
  const seen = new Set<string>()
  const queue = [`${server.publicMeta}/`]
  for (let address = queue.pop(); address !== undefined && seen.size < 1_200; address = queue.pop()) {
    if (seen.has(address)) continue
    seen.add(address)
    const response = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    const body = await response.text()
    // Another branch or tag may lack the group of the page.
    if (response.status === 404 && body.includes('group-not-found')) continue
    // Settings are the administrators', whatever is public.
    t.equal(response.status, address.endsWith('/settings') ? 401 : 200, address)
    if (!response.ok) continue
    const isPage = response.headers.get('content-type')?.startsWith('text/html')
    // These link to more pages of their kind than a test can read.
    if (!isPage || /types|many-variables|weather-v1|\/history\/|\/diff\/|\/gaps\//.test(address)) continue
    for (const [, href = ''] of body.matchAll(/(?:href|src)="(\/[^"#]+)/g)) {
      queue.push(new URL(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), address).href)
    }
  }
  t.ok(seen.has(`${server.publicMeta}/datasets/weather/main/wind/speed`))
  t.ok(seen.has(`${server.publicMeta}/redoc`))
  t.ok(seen.has(`${server.org}/repos/weather/settings`))
})

// Proves: `{ref}` is the name of a branch or of a tag
t.test('every branch and tag that is listed is served, whatever characters its name has', async (t) => {
  const names = ['nul\u0000', 'tab\tname', 'new\nline', 'del\u007f', 'c1\u0085']
  const refs = names.map((name) => [name, 0] as const)
  const store: ObjectStore = new MemoryStore([
    ['repo', buildRepo({ branches: [['main', 0], ...refs.slice(0, 3)], tags: refs.slice(3) })],
    [`snapshots/${buildId(1)}`, buildSnapshot({ nodes: [buildNode('/', 2, '{"zarr_format":3,"node_type":"group"}')] })],
  ])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'sample', store }] })
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  const { branches, tags } = await floe.refs({ repo: 'sample' })
  t.strictSame([...branches, ...tags].sort(), ['main', ...names].sort())
  for (const ref of names) {
    const shown = JSON.stringify(ref)
    t.strictSame(await floe.datasets({ repo: 'sample', ref }), [], shown)
    t.equal((await server.get(`datasets/sample/${encodeURIComponent(ref)}`)).status, 200, shown)
    t.equal((await Array.fromAsync(floe.history({ repo: 'sample', ref }))).length, 1, shown)
  }
})
