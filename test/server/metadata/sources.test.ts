// Which repositories declare virtual chunk containers, on repositories that official Icechunk wrote.
import { fileURLToPath } from 'node:url'
import { RepositorySummary, SourceList } from '@floe/contract'
import { ensureRepositories, openDatabase, recordContainers } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { buildId } from '../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { moveHead } from '../../storage/records/database/recorded.ts'
import { visibleText } from '../pages/markup.ts'
import { type RunningServer, type ServerOptions, startServer } from '../start-server.ts'
import { buildVersion1 } from './history/build-version-1.ts'

const open = (name: string) => openLocalStore(fileURLToPath(new URL(`../../fixtures/${name}/`, import.meta.url)))
const published = { storage: 'gcs', bucket: 'open', prefix: '', anonymous: false } as const
const sources = [
  { kind: 'repository', name: 'hidden', store: open('virtual') },
  { kind: 'repository', name: 'plain', store: buildVersion1(1), published },
  { kind: 'repository', name: 'version1', store: open('virtual-v1'), published },
  { kind: 'repository', name: 'version2', store: open('virtual'), published },
] as const

const openData = { prefix: 's3://open-data/', store: 's3', region: 'us-west-2', anonymous: true } as const

/** Starts a server that has checked each repository once. */
async function start(t: Test, options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(t, { sources, ...options })
  for (const name of ['hidden', 'plain', 'version1', 'version2'])
    t.equal((await server.administer('POST', `repos/${name}/refresh`)).status, 200, name)
  return server
}

async function list(
  server: RunningServer,
  query: Record<string, string> = {},
  key = server.adminKey,
): Promise<SourceList> {
  const response = await server.get(`sources?${new URLSearchParams(query)}`, { authorization: `Bearer ${key}` })
  if (response.status !== 200) throw new Error(await response.text())
  return SourceList.parse(await response.json())
}

const listNames = ({ repositories }: SourceList) => repositories.map(({ name }) => name)

// Proves: `/sources` lists the repositories whose configuration declares containers at, below or around an address
t.test('the repositories that declare a container are found by its address, in both versions', async (t) => {
  const server = await start(t)
  const found = await list(server, { prefix: 's3://open-data/' })
  t.strictSame(found, {
    repositories: ['hidden', 'version1', 'version2'].map((name) => ({ name, containers: [openData] })),
    next: null,
    not_read: 0,
    not_shown: 0,
  })
  for (const prefix of ['s3://open-data/gfs/2026/', 's3://open', 's3://'])
    t.strictSame(listNames(await list(server, { prefix })), listNames(found), prefix)
  for (const prefix of ['s3://open-dataset/', 'gs://open-data/', '/'])
    t.strictSame((await list(server, { prefix })).repositories, [], prefix)
  t.equal((await list(server)).repositories[0]?.containers.length, 7)
})

t.test('nothing in an answer is a credential', async (t) => {
  const server = await start(t)
  for (const path of ['sources', 'repositories/version1', 'repositories/version2', 'discovery/version2'])
    for (const accept of ['application/json', 'text/html']) {
      const response = await server.get(path, { authorization: `Bearer ${server.adminKey}`, accept })
      t.notMatch(await response.text(), 'hush', path)
    }
})

// Proves: who must not see where a repository is stored learns nothing of its containers
t.test('who must not see where a repository is stored learns nothing of its containers', async (t) => {
  const server = await start(t)
  const found = await list(server, { prefix: 's3://open-data/' }, server.apiKey)
  t.strictSame(listNames(found), ['version1', 'version2'])
  t.strictSame([found.not_read, found.not_shown], [0, 1])
  const summary = async (repo: string, key: string) =>
    RepositorySummary.parse(await (await server.get(`repositories/${repo}`, { authorization: `Bearer ${key}` })).json())
      .containers
  t.equal(await summary('hidden', server.apiKey), null)
  t.strictSame(await summary('hidden', server.adminKey), await summary('version2', server.apiKey))
  t.strictSame(await summary('version1', server.apiKey), await summary('version2', server.apiKey))
  t.strictSame(await summary('plain', server.apiKey), [])
  const page = async (repo: string) =>
    visibleText(await (await server.get(`discovery/${repo}`, { accept: 'text/html' })).text())
  t.match(await page('version1'), 'Declared sources')
  t.match(await page('version1'), /s3:\/\/private-data\/\s+us-west-2/)
  t.notMatch(await page('hidden'), 'private-data')
})

t.test('a key that covers other repositories, and a deployment without them, count none', async (t) => {
  const server = await start(t, { deployments: [{ name: 'some', public: true, repos: ['version1'] }] })
  const empty = { repositories: [], next: null, not_read: 0, not_shown: 0 }
  t.strictSame(await list(server, {}, server.weatherKey), empty)
  const response = await fetch(`${server.origin}/v1/services/some/acme/_meta/sources`)
  t.strictSame(listNames(SourceList.parse(await response.json())), ['version1'])
})

t.test('pages follow one another', async (t) => {
  const server = await start(t)
  const first = await list(server, { limit: '2' })
  t.strictSame([listNames(first), first.next], [['hidden', 'version1'], 'version1'])
  const second = await list(server, { limit: '2', before: 'version1' })
  t.strictSame([listNames(second), second.next], [['version2'], null])
})

t.test('a page compares a limited number of repositories, and names the next one', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const store = new MemoryStore([])
  const names = Array.from({ length: 1_002 }, (_, index) => `r${String(index).padStart(4, '0')}`)
  const now = new Date()
  const ids = await ensureRepositories(db, 'acme', names, now)
  for (const [name, id] of ids) {
    await moveHead(db, id, ['A'], now)
    const prefix = name === 'r1001' ? 's3://open-data/' : 's3://other/'
    await recordContainers(db, id, JSON.stringify([{ ...openData, prefix }]))
  }
  const server = await startServer(t, {
    db,
    sources: names.map((name) => ({ kind: 'repository', name, store, published })),
  })
  const first = await list(server, { prefix: 's3://open-data/' })
  t.match(first, { repositories: [], next: 'r0999', not_read: 0 })
  const second = await list(server, { prefix: 's3://open-data/', before: 'r0999' })
  t.strictSame([listNames(second), second.next], [['r1001'], null])
})

t.test('what was not read yet is counted, and nothing is read for the answer', async (t) => {
  const store = new MemoryStore([])
  const server = await startServer(t, {
    sources: [...sources, { kind: 'repository', name: 'later', store, published }],
  })
  t.match(await list(server), { repositories: [], not_read: 5 })
  t.strictSame(store.asked, [])
})

t.test('the list has what the last check found, in version 1 with each new head', async (t) => {
  const store = buildVersion1(2)
  const point = (number: number) =>
    store.objects.set('refs/branch.main/ref.json', Buffer.from(JSON.stringify({ snapshot: buildId(number) })))
  point(1)
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'sea', store, published }] })
  const check = async () => t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  await check()
  t.match(await list(server), { repositories: [], not_read: 0 })
  const config = 'virtual_chunk_containers:\n  a:\n    url_prefix: s3://a/\n    store: !s3 {region: null}\n'
  store.objects.set('config.yaml', Buffer.from(config))
  const container = { prefix: 's3://a/', store: 's3', region: null, anonymous: false }
  t.match(await (await server.get('repositories/sea')).json(), { containers: [container] }, 'the summary reads it')
  point(2)
  await check()
  t.strictSame((await list(server)).repositories, [{ name: 'sea', containers: [container] }])
  store.objects.delete('config.yaml')
  point(1)
  await check()
  t.match(await list(server), { repositories: [], not_read: 0 })
})

t.test('a configuration that cannot be read is not known, and does not stop the repository', async (t) => {
  const store = buildVersion1(1)
  store.objects.set('config.yaml', Buffer.from('[hush'))
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'sea', store, published }] })
  t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  t.match(await list(server), { repositories: [], not_read: 1 })
  t.match(await (await server.get('repositories/sea')).json(), { containers: null })
  t.equal((await server.get('discovery/sea', { accept: 'text/html' })).status, 200)
})

t.test('a configuration that cannot be read is read again only after a head move', async (t) => {
  const store = buildVersion1(2)
  const point = (number: number) =>
    store.objects.set('refs/branch.main/ref.json', Buffer.from(JSON.stringify({ snapshot: buildId(number) })))
  point(1)
  store.objects.set('config.yaml', Buffer.from('[hush'))
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'sea', store, published }] })
  const check = async () => t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  const countReads = () => store.asked.filter((key) => key === 'config.yaml').length
  await check()
  await check()
  t.equal(countReads(), 1)
  point(2)
  await check()
  t.equal(countReads(), 2)
  t.match(await list(server), { repositories: [], not_read: 1 })
})

t.test('malformed parameters are refused by name, and unknown ones ignored', async (t) => {
  const server = await startServer(t, { sources })
  for (const [query, pointer] of [
    ['prefix=', '/query/prefix'],
    ['prefix=a%00', '/query/prefix'],
    [`prefix=${'a'.repeat(1_001)}`, '/query/prefix'],
    ['limit=0', '/query/limit'],
    ['before=%00', '/query/before'],
  ] as const) {
    const response = await server.get(`sources?${query}`)
    t.equal(response.status, 400, query)
    t.match(await response.json(), { errors: [{ pointer }] }, query)
  }
  t.equal((await server.get('sources?bucket=a')).status, 200)
})
