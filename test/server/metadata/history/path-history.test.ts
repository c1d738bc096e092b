// The history of a path, on repositories that official Icechunk wrote.
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Diff, HistoryPage } from '@floe/contract'
import { matchesSome } from '@floe/storage/globs'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { buildId } from '../../../storage/repositories/icechunk/build-object.ts'
import { fixtures, type RunningServer, type ServerOptions, startServer } from '../../start-server.ts'
import { buildVersion1 } from './build-version-1.ts'

const histories = new URL('../../../fixtures/changes/', import.meta.url).pathname
/** Starts a server for which no time passes, so that no page ends early. */
const start = (t: Test, options: ServerOptions = {}) => startServer(t, { ...options, now: () => 0 })

const html = { accept: 'text/html' }

async function readPage(server: RunningServer, repo: string, query: Record<string, string>): Promise<HistoryPage> {
  const path = `history/${repo}/main?${new URLSearchParams(query)}`
  const response = await server.get(path)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return HistoryPage.parse(await response.json())
}

/** The paths that a diff lists, where they are and where they were. */
function listPaths({ groups, arrays, moved, chunks }: Diff): readonly string[] {
  const listed = [groups, arrays].flatMap(({ created, deleted, updated }) => [
    created,
    deleted,
    updated.map(({ path }) => path),
  ])
  return [...listed.flat(), ...moved.flatMap(({ from, to }) => [from, to]), ...(chunks ?? []).map(({ path }) => path)]
}

const listIds = ({ commits }: HistoryPage) => commits.map(({ snapshot_id: id }) => id)

/** The commits that changed a path, as the diff of each commit with its parent says. */
async function walkDiffs(server: RunningServer, repo: string, path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { snapshot_id: id, parent_snapshot_id: parent } of (await readPage(server, repo, {})).commits) {
    if (parent === null) continue
    const diff = Diff.parse(await (await server.get(`diff/${repo}/${parent}/${id}`)).json())
    if (listPaths(diff).some((changed) => matchesSome([path], changed))) ids.push(id)
  }
  return ids
}

// Proves: `/history/{repo}/{ref}?path=` lists the commits whose diff with their parent has a path that matches
t.test('the history of a path has the commits whose diffs name it, in both versions', async (t) => {
  const changes = await start(t, { sources: [{ kind: 'scan', store: openLocalStore(histories) }] })
  const samples = await start(t)
  for (const [server, repo] of [
    [changes, 'v1'],
    [changes, 'v2'],
    [samples, 'weather'],
    [samples, 'weather-v1'],
  ] as const) {
    for (const path of ['**', '*', 'forecast/**', 'forecast/temperature', 'sea/*', 'nowhere']) {
      t.strictSame(
        listIds(await readPage(server, repo, { path })),
        await walkDiffs(server, repo, path),
        `${repo} ${path}`,
      )
    }
  }
})

t.test('each commit says what it did, and how many chunks it wrote', async (t) => {
  const server = await start(t)
  for (const repo of ['weather', 'weather-v1']) {
    const { commits } = await readPage(server, repo, { path: 'forecast/temperature' })
    const did = commits.map(({ changes }) => changes?.nodes.map((node) => [node.path, node.changes, node.chunks]))
    t.matchOnly(did.at(-1), [['forecast/temperature', ['created', 'chunks'], Number]], repo)
    t.ok(commits.length > 1, repo)
    for (const { changes } of commits) t.match(changes, { count: 1, unknown_reason: null })
  }
})

t.test('without `path`, commits have no changes', async (t) => {
  const { commits } = await readPage(await start(t), 'weather', {})
  t.ok(commits.every((commit) => !('changes' in commit)))
})

t.test('`limit` counts the examined commits, and pages lead to the first commit', async (t) => {
  const server = await start(t)
  for (const repo of ['weather', 'weather-v1']) {
    const query = { path: 'forecast/**', limit: '2' }
    const ids: string[] = []
    let pages = 0
    for (let next: string | null = ''; next !== null; pages++) {
      const page: HistoryPage = await readPage(server, repo, { ...query, ...(next && { before: next }) })
      t.ok(page.commits.length <= 2)
      ids.push(...listIds(page))
      next = page.next
    }
    t.strictSame(ids, listIds(await readPage(server, repo, { path: 'forecast/**' })))
    t.ok(pages > 1)
  }
})

t.test('version 1 examines at most 20 commits for a page, and says where to go on', async (t) => {
  const store = buildVersion1(50)
  const server = await start(t, { sources: [{ kind: 'repository', name: 'built', store }] })
  const page = await readPage(server, 'built', { path: 'temperature', limit: '1000' })
  t.equal(page.next, buildId(31))
})

t.test('a commit whose log is gone is listed, because it may have written chunks', async (t) => {
  const directory = t.testdir()
  await cp(fixtures, directory, { recursive: true })
  const server = await start(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const [head] = (await readPage(server, 'weather', {})).commits
  await rm(join(directory, 'weather', 'transactions', head?.snapshot_id ?? ''))
  const page = await readPage(server, 'weather', { path: 'nowhere' })
  t.match(page.commits, [{ changes: { nodes: [], count: 0, unknown_reason: 'transaction_log_missing' } }])
  t.equal(page.commits[0]?.snapshot_id, head?.snapshot_id)
})

t.test('a commit whose snapshot cannot be read is listed as unreadable', async (t) => {
  const directory = t.testdir()
  await cp(fixtures, directory, { recursive: true })
  const server = await start(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const [, second] = (await readPage(server, 'weather', {})).commits
  await rm(join(directory, 'weather', 'snapshots', second?.snapshot_id ?? ''))
  const { commits } = await readPage(server, 'weather', { path: 'nowhere' })
  t.strictSame(
    commits.map(({ changes }) => changes?.unknown_reason),
    ['unreadable', 'unreadable'],
    'the commit and its child',
  )
})

t.test('malformed patterns are refused by name', async (t) => {
  const server = await start(t)
  for (const path of ['', 'a\u0000', 'a'.repeat(256), '*a*a*a*a*a*a*a*a*a*a']) {
    const response = await server.get(`history/weather/main?${new URLSearchParams({ path })}`)
    t.equal(response.status, 400, path)
    t.match(await response.json(), { errors: [{ pointer: '/query/path' }] }, path)
  }
})

async function readHtml(t: Test, server: RunningServer, path: string): Promise<string> {
  const response = await server.get(path, html)
  t.equal(response.status, 200, path)
  return response.text()
}

t.test('the page of a history has the same filter, and the page of a dataset links to it', async (t) => {
  const server = await start(t)
  const dataset = await readHtml(t, server, 'datasets/weather/main/forecast')
  const [, address = ''] = /href="[^"]*\/(history\/weather\/main\?path=forecast%2Ftemperature)"/.exec(dataset) ?? []
  const page = await readHtml(t, server, address)
  const { commits } = await readPage(server, 'weather', { path: 'forecast/temperature' })
  for (const { snapshot_id: id } of commits) t.match(visibleText(page), id)
  t.equal(page.match(/class="path-changes"/g)?.length, commits.length)
  t.match(page, /name="path" value="forecast\/temperature"/)
  const later = await readHtml(t, server, 'history/weather/main?path=forecast/**&limit=1')
  t.match(later, /href="[^"]*\?limit=1&amp;path=forecast%2F\*\*&amp;before=/)
  t.match(
    visibleText(await readHtml(t, server, 'history/weather/main?path=nowhere')),
    'None of the examined commits changed nowhere.',
  )
})

t.test('a feed can follow a path', async (t) => {
  const server = await start(t)
  const feed = await (await server.get('history/weather/main?path=forecast/temperature&format=atom')).text()
  const { commits } = await readPage(server, 'weather', { path: 'forecast/temperature' })
  t.equal(feed.match(/<entry>/g)?.length, commits.length)
  t.match(feed, 'history/weather/main?path=forecast%2Ftemperature')
})

t.test('a page ends when its time is over, and the next goes on there', async (t) => {
  let now = 0
  const server = await startServer(t, { now: () => (now += 1_600) })
  const page = await readPage(server, 'weather', { path: '**' })
  const { commits } = await readPage(server, 'weather', {})
  t.ok(page.commits.length > 0 && page.commits.length < commits.length)
  t.equal(page.next, page.commits.at(-1)?.snapshot_id)
})
