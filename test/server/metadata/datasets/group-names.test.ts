import type { ObjectStore } from '@floe/storage/objects'
import { createClient } from '@floe/client'
import { t, type Test } from 'tap'
import {
  buildNode,
  buildRepo,
  buildSnapshot,
  buildId,
  type TableDescription,
} from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

const groupDocument = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} })

const arrayDocument = JSON.stringify({
  zarr_format: 3,
  node_type: 'array',
  shape: [2],
  data_type: 'int32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: 'default' },
  fill_value: 0,
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  attributes: {},
  dimension_names: ['x'],
})

const writeGroup = (path: string) => buildNode(path, 2, groupDocument)
const writeArray = (path: string) => buildNode(path, 1, arrayDocument)

/** A server of one repository, `sample`, with these nodes. */
function serve(t: Test, nodes: readonly TableDescription[], options: { readonly hasSearch?: boolean } = {}) {
  const store: ObjectStore = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${buildId(1)}`, buildSnapshot({ nodes })],
  ])
  return startServer(t, { sources: [{ kind: 'repository', name: 'sample', store }], ...options })
}

t.test('a repository whose root is an array has no datasets', async (t) => {
  const server = await serve(t, [writeArray('/')])
  for (const path of ['discovery/sample/main', 'discovery/sample/main?group=']) {
    const response = await server.get(path)
    t.equal(response.status, 200, path)
    t.strictSame(await response.json(), [], path)
  }
  const response = await server.get('datasets/sample/main/info')
  t.equal(response.status, 404)
  t.match(await response.json(), { type: '/problems/group-not-found', detail: 'the root is an array, not a group' })
})

t.test('pages and the index of search say why a root that is an array is no dataset', async (t) => {
  const server = await serve(t, [writeArray('/')], { hasSearch: true })
  const readPage = async (path: string) => (await server.get(path, { accept: 'text/html' })).text()
  t.match(await readPage('discovery/sample'), 'There are no datasets: the root is an array, not a group.')
  t.match(await readPage('discovery/sample/main'), 'There are no groups: the root is an array, not a group.')
  await server.notifier.start()
  const look = async () => (await (await server.administer('GET', 'repos/sample')).json()).search_index
  await waitUntil(async () => (await look())?.is_pending === false)
  t.strictSame(await look(), { is_pending: false, error: 'the root is an array, not a group' })
})

t.test('a root that contains an array is a dataset', async (t) => {
  const server = await serve(t, [writeGroup('/'), writeArray('/x')])
  t.strictSame(await (await server.get('discovery/sample/main')).json(), [''])
})

// Proves: a group is a dataset if it contains at least one array
t.test('a group is a dataset if it holds an array, and not for the arrays of groups below it', async (t) => {
  const nodes = [
    ...['/', '/holds', '/above', '/above/holds', '/empty'].map(writeGroup),
    ...['/holds/x', '/holds/y', '/above/holds/x'].map(writeArray),
  ]
  const server = await serve(t, nodes)
  t.strictSame(await (await server.get('discovery/sample/main')).json(), ['above/holds', 'holds'])
})

t.test('every group that is listed is served, whatever characters its name has', async (t) => {
  const names = ['nul\u0000', 'tab\tname', 'new\nline', 'del\u007f', 'c1\u0085', 'new\nline/below\r']
  const nodes = [writeGroup('/'), ...names.flatMap((name) => [writeGroup(`/${name}`), writeArray(`/${name}/value`)])]
  const server = await serve(t, nodes)
  const listed: string[] = await (await server.get('discovery/sample/main')).json()
  t.strictSame([...listed].sort(), [...names].sort())
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  for (const name of listed) {
    const shown = JSON.stringify(name)
    t.strictSame(await floe.keys({ repo: 'sample', ref: 'main', group: name }), ['value'], shown)
    const page = await server.get(`datasets/sample/main/${encodeURIComponent(name)}/`)
    t.equal(page.status, 200, shown)
    t.ok((await floe.datasets({ repo: 'sample', ref: 'main', group: name })).includes(name), shown)
  }
  t.equal((await server.get('datasets/sample/main/new%0Aline/info')).status, 200)
})

t.test('a group in a query may begin and end with a slash; an empty segment is not found', async (t) => {
  const server = await startServer(t)
  const list = async (group: string) => {
    const response = await server.get(`discovery/weather/main?group=${group}`)
    return response.ok ? response.json() : [response.status, (await response.json()).type]
  }
  const all = await list('')
  const below = ['wind/gust', 'wind/speed']
  const notFound = [404, '/problems/group-not-found']
  t.strictSame(await list('wind'), below)
  t.strictSame(await list('wind/'), below)
  t.strictSame(await list('wind%2F'), below)
  t.strictSame(await list('/wind/'), below)
  t.strictSame(await list('%2Fwind'), below)
  t.strictSame(await list('/'), all)
  for (const wrong of ['//wind', 'wind//', 'wind//speed', '///', 'win'])
    t.strictSame(await list(wrong), notFound, wrong)
})
