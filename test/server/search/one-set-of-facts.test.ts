// Search, citations, pages and catalogues have the same facts of a dataset, also those of the groups above it.
import { createClient } from '@floe/client'
import { type Test, t } from 'tap'
import { MemoryStore } from '../../storage/memory-store.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from './describe/array-document.ts'
import { startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'

/** Starts a server that has indexed a repository `ocean` with these groups, and an array in the last of them. */
async function start(t: Test, groups: readonly (readonly [path: string, attributes: object])[]) {
  const id = buildId(1)
  const nodes = groups.map(([path, attributes]) =>
    buildNode(`/${path}`, 2, JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })),
  )
  const group = groups.at(-1)?.[0] ?? ''
  const array = buildNode(`/${group}/chlor_a`, 1, writeArrayDocument({}))
  const store = new MemoryStore([
    ['repo', buildRepo({ snapshots: [{ id, parent: -1 }], branches: [['main', 0]] })],
    [`snapshots/${id}`, buildSnapshot({ id, nodes: [...nodes, array] })],
  ])
  const server = await startServer(t, { hasSearch: true, sources: [{ kind: 'repository', name: 'ocean', store }] })
  await server.notifier.start()
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  await waitUntil(async () => {
    const { index, total } = await floe.searchPage({})
    return total === 1 && index.pending === 0
  })
  return { server, floe, group }
}

/** The root of a product of level 2 of PACE, whose arrays are in groups below. */
const pace = {
  title: 'OCI Level-2 Data BGC',
  platform: 'PACE',
  project: 'Ocean Biology Processing Group',
  institution: 'NASA Goddard Space Flight Center',
  id: '10.5067/PACE/OCI/L2/OC_BGC/3.0',
  license: 'Free under the Creative Commons Attribution 4.0 International License',
  keywords: 'ocean color, chlorophyll',
  creator_name: 'Ada Lovelace',
  time_coverage_start: '2024-153T12:00:00Z',
  time_coverage_end: '2024-06-01T12:05:00Z',
  bbox: [-60, 20, -30, 40],
  cdm_data_type: 'swath',
}

t.test('a group below a root without arrays is found, cited and listed with the facts of the root', async (t) => {
  const { server, floe, group } = await start(t, [
    ['', pace],
    ['geophysical_data', {}],
  ])
  for (const conditions of [
    { q: 'PACE goddard' },
    { q: '10.5067/PACE/OCI/L2/OC_BGC/3.0' },
    { q: 'Ada Lovelace' },
    { institution: pace.institution },
    { attribute: 'platform=PACE' },
    { keyword: 'chlorophyll' },
    { licence: 'CC-BY-4.0' },
    { kind: 'scene' },
    { kind: ['grid', 'scene'] },
    { bbox: [-50, 25, -40, 30] as const },
    { time: { start: '2024-06-01', end: '2024-06-02' } },
  ])
    t.match(await floe.searchPage(conditions), { total: 1 }, JSON.stringify(conditions))
  t.equal((await floe.searchPage({ bbox: [0, 25, 10, 30] })).total, 0)
  const { facets, results } = await floe.searchPage({ facets: ['institution', 'licence', 'kind', 'keyword'] })
  t.match(facets, {
    institution: [{ value: pace.institution, count: 1 }],
    licence: [{ value: 'CC-BY-4.0', count: 1 }],
    kind: [{ value: 'scene', count: 1 }],
    keyword: [{ value: 'chlorophyll' }, { value: 'ocean color' }],
  })
  t.match(results[0], { title: pace.title, kind: 'scene' })
  t.equal((await floe.searchPage({ kind: 'grid' })).total, 0)
  const citation = await floe.cite({ repo: 'ocean', ref: 'main', group })
  t.match(citation, { title: pace.title, creators: ['Ada Lovelace'], doi: pace.id, licence: { spdx: 'CC-BY-4.0' } })
  const readJson = async (path: string) => (await server.get(path)).json()
  t.match(await readJson(`stac/datasets/ocean/main/${group}`), {
    title: pace.title,
    license: 'CC-BY-4.0',
    'sci:doi': pace.id,
    extent: {
      spatial: { bbox: [[-60, 20, -30, 40]] },
      temporal: { interval: [['2024-06-01T12:00:00.000Z', '2024-06-01T12:05:00.000Z']] },
    },
  })
  t.match(await readJson(`croissant/ocean/main/${group}`), { creator: [{ '@type': 'Person', name: 'Ada Lovelace' }] })
  t.match(await readJson('dcat/ocean'), { 'dcat:dataset': [{ 'dct:title': pace.title }] })
  for (const path of [`datasets/ocean/main/${group}`, 'discovery/ocean'])
    t.match(await (await server.get(path, { accept: 'text/html' })).text(), pace.title, path)
  const page = await (await server.get(`datasets/ocean/main/${group}`, { accept: 'text/html' })).text()
  for (const text of [
    'Swath <small>(attribute cdm_data_type)',
    '<small>(attribute bbox)',
    '(attribute time_coverage_start)',
  ])
    t.match(page, text)
})

t.test('all inherit from the nearest 20 groups above, and from none beyond', async (t) => {
  for (const [depth, title] of [
    [20, 'Deep'],
    [21, null],
  ] as const) {
    const paths = Array.from({ length: depth + 1 }, (_, level) => Array(level).fill('g').join('/'))
    const { server, floe, group } = await start(
      t,
      paths.map((path) => [path, path === '' ? { title: 'Deep', institution: 'KNMI', platform: 'Ship' } : {}]),
    )
    const found = title === null ? 0 : 1
    t.equal((await floe.searchPage({})).results[0]?.title, title)
    t.equal((await floe.searchPage({ institution: 'KNMI' })).total, found)
    t.equal((await floe.searchPage({ attribute: 'platform=Ship' })).total, found)
    const citation = await floe.cite({ repo: 'ocean', ref: 'main', group })
    t.strictSame(citation.creators, title === null ? [] : ['KNMI'])
    const page = await (await server.get(`datasets/ocean/main/${group}`, { accept: 'text/html' })).text()
    t.equal(page.includes('Deep'), title !== null)
  }
})
