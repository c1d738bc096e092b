// Histories and logs that no official library would write: long, large, incomplete and damaged ones.
import { HistoryPage, OperationsPage, RepositorySummary } from '@floe/contract'
import { t, type Test } from 'tap'
import { buildId, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { measureMemory } from '../../measure-memory.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../start-server.ts'
import { buildVersion1 } from './build-version-1.ts'

function start(t: Test, store: MemoryStore, options: ServerOptions = {}): Promise<RunningServer> {
  return startServer(t, { sources: [{ kind: 'repository', name: 'built', store }], ...options })
}

async function readPage(server: RunningServer, query = ''): Promise<HistoryPage> {
  const response = await server.get(`history/built/main${query}`)
  if (response.status !== 200) throw new Error(await response.text())
  return HistoryPage.parse(await response.json())
}

/** A version 2 repository with this many commits, each the parent of the next. */
function buildVersion2(count: number): MemoryStore {
  const snapshots = Array.from({ length: count }, (_, index) => ({
    id: buildId(index + 1),
    parent: index - 1,
    message: `commit ${index + 1}`,
  }))
  return new MemoryStore([['repo', buildRepo({ snapshots, branches: [['main', count - 1]] })]])
}

t.test('version 1 reads at most 100 objects for a page, and none that it has read', async (t) => {
  const store = buildVersion1(250)
  const server = await start(t, store, { refMaxAge: 60_000 })
  const countSnapshots = () => store.asked.filter((key) => key.startsWith('snapshots/')).length
  const first = await readPage(server, '?limit=1000')
  t.equal(first.commits.length, 100)
  t.equal(countSnapshots(), 100)
  const second = await readPage(server, `?limit=1000&before=${first.next}`)
  t.equal(second.commits[0]?.commit_message, 'commit 150')
  t.equal(countSnapshots(), 200)
  const third = await readPage(server, `?before=${second.next}&until=${buildId(10)}`)
  t.strictSame([third.commits.length, third.next, third.until_found], [40, null, true])
  t.equal(countSnapshots(), 240)
})

t.test('version 1 assumes that a commit beyond 100 unread ones is in the history', async (t) => {
  const store = buildVersion1(250)
  const server = await start(t, store)
  const page = await readPage(server, `?before=${buildId(20)}&limit=5`)
  t.strictSame(
    page.commits.map(({ commit_message: message }) => message),
    ['commit 19', 'commit 18', 'commit 17', 'commit 16', 'commit 15'],
  )
  t.ok(store.asked.length < 120)
  const unknown = await server.get(`history/built/main?before=${buildId(900)}`)
  t.equal(unknown.status, 404)
  t.match(await unknown.json(), { type: '/problems/commit-not-found' })
})

t.test('version 1 whose older objects are gone ends there and says so', async (t) => {
  const store = buildVersion1(9)
  store.objects.delete(`snapshots/${buildId(4)}`)
  const server = await start(t, store)
  const page = await readPage(server, `?until=${buildId(2)}`)
  t.equal(page.commits.length, 5)
  t.match(page, { next: null, until_found: false, missing_snapshot_id: buildId(4) })
  t.match(await readPage(server, `?before=${buildId(5)}`), { commits: [], next: null, missing_snapshot_id: buildId(4) })
  t.equal((await server.get(`history/built/main?before=${buildId(4)}`)).status, 404)
  t.equal((await server.get(`history/built/${buildId(4)}`)).status, 404)
})

t.test('version 1 whose history runs in a circle is damaged', async (t) => {
  const store = buildVersion1(3)
  store.objects.set(`snapshots/${buildId(1)}`, buildSnapshot({ version: 1, parent: buildId(3) }))
  const server = await start(t, store)
  const response = await server.get('history/built/main')
  t.equal(response.status, 422)
  t.match(await response.json(), { type: '/problems/damaged-repository' })
})

t.test('an expiration of version 1 shows after at most four minutes', async (t) => {
  const store = buildVersion1(5)
  let now = Date.now()
  const server = await start(t, store, { now: () => now, refMaxAge: 1_000 })
  t.equal((await readPage(server)).commits.length, 5)
  const rewritten = buildSnapshot({ version: 1, id: buildId(4), message: 'commit 4', parent: buildId(1) })
  store.objects.set(`snapshots/${buildId(4)}`, rewritten)
  now += 60_000
  t.equal((await readPage(server)).commits.length, 5)
  now += 180_000
  t.equal((await readPage(server)).commits.length, 3)
})

t.test('an expiration of version 2 shows when the repository is read next', async (t) => {
  const ids = [1, 2, 3].map(buildId)
  const build = (parents: readonly number[]) =>
    buildRepo({ snapshots: ids.map((id, index) => ({ id, parent: parents[index] ?? -1 })), branches: [['main', 2]] })
  const store = new MemoryStore([['repo', build([-1, 0, 1])]])
  let now = Date.now()
  const server = await start(t, store, { now: () => now, refMaxAge: 1_000 })
  for (const _ of [1, 2]) t.equal((await readPage(server)).commits.length, 3)
  store.objects.set('repo', build([-1, 0, 0]))
  t.equal((await readPage(server)).commits.length, 3, 'remembered')
  now += 1_001
  t.equal((await readPage(server)).commits.length, 2)
})

t.test('large commits make a page shorter, and none is lost', async (t) => {
  const message = 'ü'.repeat(200_000)
  const snapshots = Array.from({ length: 40 }, (_, index) => ({ id: buildId(index + 1), parent: index - 1, message }))
  const server = await start(t, new MemoryStore([['repo', buildRepo({ snapshots, branches: [['main', 39]] })]]))
  const ids: string[] = []
  for (let next: string | null = ''; next !== null;) {
    const page: HistoryPage = await readPage(server, `?limit=1000${next && `&before=${next}`}`)
    t.ok(page.commits.length <= 6, `${page.commits.length} commits`)
    t.equal(page.commits[0]?.commit_message, message, 'the message is whole')
    ids.push(...page.commits.map(({ snapshot_id }) => snapshot_id))
    next = page.next
  }
  t.strictSame(ids, snapshots.map(({ id }) => id).reverse())
})

t.test('damaged parts of a log and of a status are refused', async (t) => {
  const server = await start(t, buildVersion2(1))
  const response = await server.get('repositories/built')
  t.equal(response.status, 422)
  t.match(await response.json(), { type: '/problems/damaged-repository', detail: /it has no status/ })
  const log = OperationsPage.parse(await (await server.get('operations/built')).json())
  t.match(log, { operations: [], next: null, is_cut_off: false })
})

t.test('branches of version 1 beyond the first 100 come without their commits', async (t) => {
  const store = buildVersion1(1)
  const ref = Buffer.from(JSON.stringify({ snapshot: buildId(1) }))
  for (let number = 0; number < 150; number++) store.objects.set(`refs/branch.a${number}/ref.json`, ref)
  const server = await start(t, store)
  const { branches } = RepositorySummary.parse(await (await server.get('repositories/built')).json())
  t.equal(branches.length, 151)
  t.equal(branches.filter(({ commit }) => commit !== null).length, 100)
  t.ok(branches.find(({ name }) => name === 'main')?.commit)
})

t.test('long texts of many heads are not in memory at once', async (t) => {
  const long = 'x'.repeat(300_000)
  const author = `a long name of an author ${' '.repeat(300_000)}`
  const snapshots = [{ id: buildId(1), parent: -1, message: long, author }]
  const branches = Array.from({ length: 400 }, (_, index) => [index === 0 ? 'main' : `b${index}`, 0] as const)
  const server = await start(t, new MemoryStore([['repo', buildRepo({ snapshots, branches, hasStatus: true })]]))
  const before = measureMemory()
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, measureMemory())), 20)
  t.teardown(() => clearInterval(timer))
  const { branches: shown } = RepositorySummary.parse(await (await server.get('repositories/built')).json())
  t.equal(shown.length, 400)
  t.match(shown[0]?.commit, { commit_message: `${long.slice(0, 1_023)}…`, author_id: 'a long name of an author' })
  t.ok(most - before < 100e6, `${most - before} bytes`)
})
