// What a repository says about itself, and its operations log, on repositories that official Icechunk wrote.
import { cp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperationsPage, RepositorySummary } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { DocumentAllowance, parseJson, writeJson } from '@floe/storage/json'
import { t } from 'tap'
import { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { buildId, buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { countReads } from '../../catalog/count-reads.ts'
import { fixtures, type RunningServer, startServer } from '../../start-server.ts'
import { readExpected, requireList, requireObject } from './read-expected.ts'

const server = await startServer(t)

const version2 = ['weather', 'types', 'expired', 'reset', 'migrated', 'empty', 'operations']

async function readSummary(server: RunningServer, name: string): Promise<RepositorySummary> {
  const response = await server.get(`repositories/${name}`)
  return RepositorySummary.parse(await response.json())
}

/** Reads all pages of a log of at most `limit` operations each. */
async function readLog(server: RunningServer, name: string, limit: number): Promise<readonly OperationsPage[]> {
  const pages: OperationsPage[] = []
  for (let next: string | null = ''; next !== null; next = pages.at(-1)?.next ?? null) {
    const response = await server.get(`operations/${name}?limit=${limit}${next && `&before=${next}`}`)
    pages.push(OperationsPage.parse(await response.json()))
  }
  return pages
}

// Proves: `/repositories/{repo}` has the same status, metadata and feature flags as official Icechunk
t.test('status, metadata and feature flags are those of official Icechunk', async (t) => {
  for (const name of version2) {
    const response = await server.get(`repositories/${name}`)
    t.equal(response.status, 200)
    const body = requireObject(parseJson(Buffer.from(await response.arrayBuffer()), new DocumentAllowance()))
    for (const [member, official] of requireObject((await readExpected(name)).get('repository'))) {
      t.equal(writeJson(body.get(member) ?? null), writeJson(official), `${name}: ${member}`)
    }
  }
})

t.test('branches come with their heads, and tags are counted', async (t) => {
  for (const name of [...version2, 'weather-v1', 'expired-v1']) {
    const expected = await readExpected(name)
    const snapshots = requireObject(expected.get('snapshots'))
    const { branches, tags, main_snapshot_bytes: size } = await readSummary(server, name)
    t.equal(tags, requireObject(expected.get('tags')).size)
    t.strictSame(
      branches.map(({ name, snapshot_id }) => [name, snapshot_id]),
      [...requireObject(expected.get('branches'))],
    )
    for (const { snapshot_id: id, commit } of branches) {
      t.equal(commit?.commit_message, requireObject(snapshots.get(id)).get('message'))
    }
    const main = branches.find(({ name }) => name === 'main')?.snapshot_id ?? ''
    t.equal(size, (await stat(join(fixtures, name, 'snapshots', main))).size)
  }
})

t.test('the summary says how to open the repository, as far as the operator publishes it', async (t) => {
  const template = StorageTemplate.parse({ storage: 'gcs', bucket: 'open', prefix: 'data/{name}', anonymous: true })
  const store = openLocalStore(fixtures)
  const published = StorageTemplate.parse({ storage: 'http', url: 'https://example.org/empty' })
  const server = await startServer(t, {
    sources: [
      { kind: 'scan', store, published: template },
      { kind: 'repository', name: 'empty', store: store.below('empty/'), published },
      { kind: 'repository', name: 'reset', store: store.below('reset/') },
    ],
  })
  const bucket = { storage: 'gcs', bucket: 'open', anonymous: true }
  t.strictSame((await readSummary(server, 'weather')).open, { ...bucket, prefix: 'data/weather' })
  t.strictSame((await readSummary(server, 'weather-v1')).open, { ...bucket, prefix: 'data/weather-v1' })
  t.strictSame((await readSummary(server, 'empty')).open, { storage: 'http', url: 'https://example.org/empty' })
  t.equal((await readSummary(server, 'reset')).open, null)
})

t.test('texts of the last commit are cut to 1,024 characters, the ellipsis included', async (t) => {
  const texts = ['x'.repeat(1_024), '🌊'.repeat(1_024), 'x'.repeat(1_025), `${'x'.repeat(1_023)}🌊x`]
  const snapshots = texts.map((text, index) => ({ id: buildId(index + 1), parent: -1, message: text, author: text }))
  const branches = texts.map((_, index) => [`${index}`, index] as const)
  const store = new MemoryStore([['repo', buildRepo({ snapshots, branches, hasStatus: true })]])
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'sample', store }] })
  const expected = ['x'.repeat(1_024), '🌊'.repeat(1_024), `${'x'.repeat(1_023)}…`, `${'x'.repeat(1_023)}…`]
  t.strictSame(
    (await readSummary(server, 'sample')).branches.map(({ commit }) => [commit?.commit_message, commit?.author_id]),
    expected.map((text) => [text, text]),
  )
})

t.test('version 1 has no status, metadata, flags and number of commits of its own', async (t) => {
  t.match(await readSummary(server, 'weather-v1'), {
    name: 'weather-v1',
    format_version: 1,
    status: { availability: 'online', since: null, reason: null },
    metadata: {},
    feature_flags: [],
    commits: null,
  })
  t.strictSame(await (await server.get('operations/weather-v1')).json(), {
    operations: [],
    next: null,
    is_cut_off: false,
    operations_unavailable_reason: 'repo_format_v1',
  })
})

// Proves: `/operations/{repo}` has the same operations log as official Icechunk
t.test('the operations log is that of official Icechunk, in pages of any size', async (t) => {
  for (const name of version2) {
    const official = requireList((await readExpected(name)).get('operations'))
    for (const limit of [1000, 1, 3]) {
      const pages = await readLog(server, name, limit)
      t.ok(pages.every(({ operations, is_cut_off }) => operations.length <= limit && !is_cut_off))
      const operations = pages
        .flatMap(({ operations }) => operations)
        .map(({ author_id: _, ...operation }) => operation)
      t.strictSame(operations, JSON.parse(writeJson(official)), `${name}, pages of ${limit}`)
    }
  }
})

t.test('commits of the log have their authors', async (t) => {
  const [page] = await readLog(server, 'operations', 1000)
  const authors = page?.operations.map(({ kind, author_id }) => [kind, author_id]) ?? []
  t.strictSame(
    new Set(authors.filter(([kind]) => kind === 'commit').map(([, author]) => author)),
    new Set(['ada@example.org']),
  )
  t.ok(authors.some(([kind, author]) => kind === 'commit_amended' && author === 'bruno@example.org'))
  t.ok(authors.every(([kind, author]) => kind?.startsWith('commit') || author === null))
})

t.test('a log whose older part is gone says that it is cut off', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'operations'), join(directory, 'operations'), { recursive: true })
  await rm(join(directory, 'operations/overwritten'), { recursive: true })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const pages = await readLog(server, 'operations', 3)
  t.strictSame(
    pages.map(({ operations, is_cut_off }) => [operations.length, is_cut_off]),
    [
      [3, false],
      [2, true],
    ],
  )
})

t.test('a page of the log reads at most four copies, and a later page only those that it needs', async (t) => {
  const { store, reads } = countReads(openLocalStore(fixtures).below('operations/'))
  const server = await startServer(t, {
    sources: [{ kind: 'repository', name: 'operations', store }],
    refMaxAge: 60_000,
  })
  const pages = await readLog(server, 'operations', 1000)
  t.ok(pages.length > 0)
  const copies = reads.filter((key) => key.startsWith('overwritten/'))
  t.equal(new Set(copies).size, copies.length, 'each copy is read once')
  const before = reads.length
  const [, second] = await readLog(server, 'operations', 5)
  t.equal(second?.operations.length, 5)
  t.ok(reads.length - before <= copies.length + 1)
})

t.test('malformed pages are refused', async (t) => {
  for (const query of ['limit=0', 'limit=1001', 'before=x', 'before=1@../repo', `before=1@repo.1`]) {
    t.equal((await server.get(`operations/weather?${query}`)).status, 400, query)
  }
  t.equal((await server.get('operations/nothing')).status, 404)
  t.equal((await server.get('repositories/nothing')).status, 404)
})
