// The metadata of a repository itself describes it, and its datasets as the attributes of a group around them would. It
// can change without a commit.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@floe/client'
import type { LanedDatabase } from '@floe/storage/database'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { findPython } from '../../find-python.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { testOnEngines } from '../../storage/records/database/engines.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { visibleText } from '../pages/markup.ts'
import { startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { writeArrayDocument } from './describe/array-document.ts'

type Metadata = Readonly<Record<string, string>>

/** A repository with the dataset `/extent`, which states nothing, and how to set the metadata of the repository. */
type Described = { readonly store: ObjectStore; readonly set: (metadata: Metadata) => Promise<void> }

const stated = {
  title: 'Ice of two poles',
  description: 'Maps of <b>sea ice</b> extent since 1979',
  readme: 'Made of passive microwave radiometers.',
  thumbnail: 'https://data.example/ice.png',
  team: 'science',
  license: 'CC-BY-4.0',
}

async function start(t: Test, { store, set }: Described, db?: LanedDatabase) {
  await set(stated)
  const sources = [{ kind: 'repository', name: 'ice', store }] as const
  const server = await startServer(t, { hasSearch: true, sources, ...(db && { db }) })
  await server.notifier.start()
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  const waitForIndex = () =>
    waitUntil(async () => {
      const { index } = await floe.searchPage({})
      return index.repositories === 1 && index.pending === 0
    })
  await waitForIndex()
  const readJson = async (path: string) => (await server.get(path)).json()
  const readPage = async (path: string) => (await server.get(path, { accept: 'text/html' })).text()
  const change = async (metadata: Metadata) => {
    await set(metadata)
    t.equal((await server.administer('POST', 'repos/ice/refresh')).status, 200)
    await waitForIndex()
  }
  return { server, floe, readJson, readPage, change }
}

async function checkStated(t: Test, described: Described, db?: LanedDatabase): Promise<void> {
  const { floe, readJson, readPage, server } = await start(t, described, db)
  for (const conditions of [
    { q: '"sea ice b extent since"' },
    { q: 'poles microwave' },
    { attribute: 'team=science' },
    { licence: 'CC-BY-4.0' },
  ])
    t.match(
      await floe.searchPage(conditions),
      { results: [{ repo: 'ice', group: 'extent', title: stated.title, summary: stated.description }] },
      JSON.stringify(conditions),
    )
  t.equal((await floe.searchPage({ q: '"extent of sea ice"' })).total, 0)
  const preview = { rel: 'preview', href: stated.thumbnail }
  const catalog = await readJson('stac/repositories/ice')
  t.match(catalog, { title: stated.title, description: stated.description })
  t.match(
    catalog.links.find(({ rel }: { rel: string }) => rel === 'preview'),
    preview,
  )
  const collection = await readJson('stac/datasets/ice/main/extent')
  t.match(collection, { title: stated.title, license: 'CC-BY-4.0', description: /^Maps of <b>sea ice/ })
  t.match(
    collection.links.find(({ rel }: { rel: string }) => rel === 'preview'),
    preview,
  )
  t.match(await readJson('dcat/ice'), { 'dct:title': stated.title, 'dcat:dataset': [{ 'dct:title': stated.title }] })
  t.match(await floe.cite({ repo: 'ice', ref: 'main', group: 'extent' }), { title: stated.title })
  const page = await readPage('discovery/ice')
  t.match(page, '<h1>Ice of two poles</h1>')
  t.match(page, `<a href="${stated.thumbnail}" rel="noopener noreferrer nofollow">`)
  t.match(visibleText(page), stated.description, 'foreign markup is text')
  t.match(visibleText(page), /README\s+Made of passive microwave/)
  t.match(await readPage('datasets/ice/main/extent'), '<h1>Ice of two poles</h1>')
  t.match(visibleText(await readPage('')), /ice\s+Ice of two poles/)
  await server.close()
}

async function checkChanges(t: Test, described: Described, db?: LanedDatabase): Promise<void> {
  const { server, floe, readJson, readPage, change } = await start(t, described, db)
  const [before] = (await floe.searchPage({ q: 'microwave' })).results
  const first = await server.get('stac/datasets/ice/main/extent')
  await change({ title: 'Snow', thumbnail: 'http://data.example/snow.png' })
  t.equal((await floe.searchPage({ q: 'microwave' })).total, 0)
  const [after] = (await floe.searchPage({ q: 'snow' })).results
  t.match(after, { title: 'Snow', snapshot_id: before?.snapshot_id, changed: before?.changed }, 'it is no commit')
  const second = await server.get('stac/datasets/ice/main/extent', { 'if-none-match': first.headers.get('etag') ?? '' })
  t.equal(second.status, 200)
  const collection = await second.json()
  t.match(collection, { title: 'Snow' })
  t.notMatch(JSON.stringify(collection.links), 'preview', 'only thumbnails with https')
  t.match(await readPage('datasets/ice/main/extent'), '<h1>Snow</h1>')
  await change({})
  t.match(await readJson('stac/repositories/ice'), { title: 'ice' })
  const [bare] = (await floe.searchPage({})).results
  t.match(bare, { title: null, changed: before?.changed })
  await server.close()
}

/** A repository in memory, which looks as if official Icechunk had written it. */
function buildDescribed(): Described {
  const id = buildId(1)
  const nodes = [
    buildNode('/', 2, '{"zarr_format":3,"node_type":"group","attributes":{}}'),
    buildNode('/extent', 2, '{"zarr_format":3,"node_type":"group","attributes":{}}'),
    buildNode('/extent/area', 1, writeArrayDocument({})),
  ]
  const store = new MemoryStore([[`snapshots/${id}`, buildSnapshot({ id, nodes })]])
  const set = async (metadata: Metadata) => {
    const sorted = Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)))
    store.objects.set('repo', buildRepo({ hasStatus: true, metadata: sorted }))
  }
  return { store, set }
}

const test = await testOnEngines(t)

test('the metadata of a repository describes it and its datasets', (t, { db }) => checkStated(t, buildDescribed(), db))

test('a change of the metadata is found without a commit, and is no change of a dataset', (t, { db }) =>
  checkChanges(t, buildDescribed(), db))

const python = findPython('icechunk, zarr')

const createProgram = `
import sys, icechunk, zarr
repository = icechunk.Repository.create(icechunk.local_filesystem_storage(sys.argv[1]))
session = repository.writable_session('main')
zarr.create_group(session.store)
group = zarr.create_group(session.store, path='extent')
group.create_array('area', shape=(4,), dtype='f4', dimension_names=['x'])
session.commit('Add')
`
const setProgram = `
import sys, json, icechunk
repository = icechunk.Repository.open(icechunk.local_filesystem_storage(sys.argv[1]))
repository.set_metadata(json.loads(sys.argv[2]))
assert repository.get_metadata() == json.loads(sys.argv[2])
`

/** A repository that official Icechunk writes. */
async function createOfficial(t: Test): Promise<Described> {
  const directory = t.testdir()
  const run = async (program: string, ...given: readonly string[]) => {
    await promisify(execFile)(python.command, ['-c', program, directory, ...given], { timeout: 120_000 })
  }
  await run(createProgram)
  return { store: openLocalStore(directory), set: (metadata) => run(setProgram, JSON.stringify(metadata)) }
}

t.test('metadata that official Icechunk sets', { skip: python.skip }, async (t) => {
  await checkStated(t, await createOfficial(t))
})

t.test('metadata that official Icechunk changes', { skip: python.skip }, async (t) => {
  await checkChanges(t, await createOfficial(t))
})
