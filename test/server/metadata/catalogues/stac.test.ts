// The documents of STAC. `npm run compare -- catalogues` validates them with pystac and others.
import { type RepositoryList, StacCatalog, StacCollection } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { join } from 'node:path'
import { type Test, t } from 'tap'
import { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import {
  identifyDataset,
  repositoriesPerCatalog,
  stacCatalog,
  stacCatalogPage,
} from '../../../../server/pages/catalogues/stac-catalog.ts'
import { buildPageLinks } from '../../../../server/pages/page-links.ts'
import { fixtures, type RunningServer, startServer } from '../../start-server.ts'
import { serveArrays } from '../datasets/serve-arrays.ts'

async function readJson(server: RunningServer, address: string): Promise<unknown> {
  const response = await server.get(address)
  if (response.status !== 200) throw new Error(`${address} was answered with ${response.status}`)
  return response.json()
}

const readCatalog = async (server: RunningServer, address: string) => StacCatalog.parse(await readJson(server, address))

const readCollection = async (server: RunningServer, address: string) =>
  StacCollection.parse(await readJson(server, address))

type Links = { readonly links: readonly { readonly rel: string; readonly href: string }[] }

function listLinks({ links }: Links, rel: string): readonly string[] {
  return links.filter((link) => link.rel === rel).map(({ href }) => href)
}

t.test('each dataset of main is a collection below the catalog, with an id and an address of its own', async (t) => {
  const server = await startServer(t)
  const root = await readCatalog(server, 'stac')
  t.strictSame(listLinks(root, 'self'), [`${server.meta}/stac`])
  const names = (await readJson(server, 'discovery')) as RepositoryList
  t.strictSame(
    listLinks(root, 'child'),
    names.map((name) => `${server.meta}/stac/repositories/${encodeURIComponent(name)}`),
  )
  const ids = new Set([root.id])
  for (const name of ['weather', 'weather-v1', 'satellite', 'types', 'many-variables']) {
    const repository = await readCatalog(server, `stac/repositories/${name}`)
    const groups = (await readJson(server, `discovery/${name}/main`)) as string[]
    const children = listLinks(repository, 'child')
    t.equal(children.length, groups.length, name)
    ids.add(repository.id)
    for (const [index, address] of children.entries()) {
      const collection = await readCollection(server, address)
      const names = [name, ...(groups[index] ?? '').split('/')].filter((part) => part !== '')
      t.equal(collection.id, ['acme', 'tiles', ...names.map(encodeURIComponent)].join('~').replaceAll('%', '!'))
      t.strictSame(listLinks(collection, 'self'), [address])
      t.strictSame(listLinks(collection, 'parent'), listLinks(repository, 'self'))
      t.strictSame(listLinks(collection, 'root'), listLinks(root, 'self'))
      t.notOk(ids.has(collection.id))
      ids.add(collection.id)
    }
  }
})

t.test(
  'a collection has the texts of its attributes, its variables, and links to page, schema and history',
  async (t) => {
    const server = await startServer(t)
    const collection = await readCollection(server, 'stac/datasets/weather/main/forecast')
    const info = (await readJson(server, 'datasets/weather/main/forecast/info')) as {
      dimensions: Record<string, number>
      variables: Record<string, { type: string; dimensions: string[]; attributes: { units?: string } }>
      global_attributes: { title: string }
    }
    t.equal(collection.title, info.global_attributes.title)
    const dimensions = collection['cube:dimensions'] ?? {}
    const variables = collection['cube:variables'] ?? {}
    t.strictSame(Object.keys(dimensions).sort(), Object.keys(info.dimensions).sort())
    t.strictSame(
      Object.keys(variables).sort(),
      Object.keys(info.variables)
        .filter((name) => !(name in info.dimensions))
        .sort(),
    )
    for (const [name, { shape, unit, dimensions }] of Object.entries(variables)) {
      t.strictSame(dimensions, info.variables[name]?.dimensions)
      t.strictSame(
        shape,
        dimensions.map((dimension) => info.dimensions[dimension]),
      )
      t.equal(unit, info.variables[name]?.attributes.units)
    }
    t.equal(dimensions['time']?.type, 'temporal')
    for (const [rel, address] of [
      ['alternate', 'datasets/weather/main/forecast'],
      ['describedby', 'datasets/weather/main/forecast/info'],
      ['version-history', 'history/weather/main'],
    ] as const) {
      t.strictSame(listLinks(collection, rel), [`${server.meta}/${address}`], rel)
      t.equal((await server.get(`${server.meta}/${address}`)).status, 200, rel)
    }
    t.equal(collection.assets, undefined, 'the operator does not publish where the repository is')
  },
)

const longitude = { shape: [4], names: ['lon'], attributes: { units: 'degrees_east', long_name: 'longitude' } }
const latitude = { shape: [3], names: ['lat'], attributes: { standard_name: 'latitude' } }
const time = { shape: [2], names: ['time'], attributes: { units: 'days since 2000-01-01' } }
const rain = { shape: [2, 3, 4, 5], names: ['time', 'lat', 'lon', 'edge'], attributes: { units: 'kg m-2' } }
const arrays = { lon: longitude, lat: latitude, time, rain }

// Proves: a collection of STAC has the extent that attributes state, and says if they state none
t.test('the stated extent is that of the collection and of its dimensions', async (t) => {
  const server = await serveArrays(t, arrays, {
    attributes: {
      geospatial_lon_min: 170,
      geospatial_lon_max: 190,
      geospatial_lat_min: -5,
      geospatial_lat_max: 5,
      time_coverage_start: '2020-01-01',
      license: 'CC BY 4.0',
      creator_name: ['Ada Lovelace', 'Polar Institute'],
      publisher_name: 'Archive',
      doi: 'https://doi.org/10.5281/zenodo.1234567',
      keywords: 'rain, sea ice,,rain',
    },
  })
  const collection = await readCollection(server, 'stac/datasets/sample/main')
  t.match(collection, {
    extent: { temporal: { interval: [['2020-01-01T00:00:00.000Z', null]] } },
    license: 'CC-BY-4.0',
    'sci:doi': '10.5281/zenodo.1234567',
  })
  const [west, east] = [
    [170, -5, 180, 5],
    [-180, -5, -170, 5],
  ]
  t.strictSame(collection.extent.spatial.bbox, [[170, -5, -170, 5], west, east], 'the whole, then its parts')
  t.strictSame(collection.keywords, ['rain', 'sea ice'])
  t.strictSame(collection.providers, [
    { name: 'Ada Lovelace', roles: ['producer'] },
    { name: 'Polar Institute', roles: ['producer'] },
    { name: 'Archive', roles: ['host'] },
  ])
  t.strictSame(listLinks(collection, 'cite-as'), ['https://doi.org/10.5281/zenodo.1234567'])
  t.strictSame(collection['cube:dimensions'], {
    time: { type: 'temporal', extent: ['2020-01-01T00:00:00.000Z', null] },
    lat: { type: 'spatial', axis: 'y', extent: [-5, 5] },
    lon: { type: 'spatial', axis: 'x', extent: [170, 190], unit: 'degrees_east', description: 'longitude' },
    edge: { type: 'other', extent: [null, null] },
  })
  t.strictSame(collection['cube:variables'], {
    rain: {
      dimensions: ['time', 'lat', 'lon', 'edge'],
      type: 'data',
      shape: [2, 3, 4, 5],
      data_type: 'int32',
      unit: 'kg m-2',
    },
  })
  t.notMatch(collection.description, /state no/)
})

t.test('a projected area is in degrees, and as it is stated', async (t) => {
  const projection = 'https://stac-extensions.github.io/projection/v2.0.0/schema.json'
  const readSample = async (attributes: object) => {
    const server = await serveArrays(t, arrays, { attributes })
    return readCollection(server, 'stac/datasets/sample/main')
  }
  const tile = { 'spatial:transform': [10, 0, 3e5, 0, -10, 5_000_040], 'spatial:shape': [10_980, 10_980] }
  const utm = await readSample({ 'proj:code': 'EPSG:32632', ...tile })
  t.ok(utm.stac_extensions.includes(projection))
  t.strictSame(
    utm.extent.spatial.bbox.map((box) => box.map((edge) => Math.round(edge * 1e6) / 1e6)),
    [[6.456861, 44.137997, 7.871919, 45.148073]],
  )
  t.equal(utm['proj:code'], 'EPSG:32632')
  t.strictSame(utm['proj:transform'], tile['spatial:transform'])
  t.strictSame(utm['proj:shape'], tile['spatial:shape'])
  const unknown = await readSample({ 'proj:epsg': 2180, 'proj:bbox': [1e5, 2e5, 3e5, 4e5] })
  t.match(unknown.description, /No box is known here/)
  t.match(unknown, { 'proj:code': 'EPSG:2180', 'proj:bbox': [1e5, 2e5, 3e5, 4e5] })
  const degrees = await readSample({ bbox: [1, 2, 3, 4] })
  t.notOk(degrees.stac_extensions.includes(projection))
})

t.test('what the attributes do not state is said, and hostile ones state nothing', async (t) => {
  const hostile: readonly object[] = [
    {},
    {
      geospatial_lon_min: 'NaN',
      geospatial_lon_max: 1e300,
      geospatial_lat_min: -91,
      geospatial_lat_max: '</script>',
      time_coverage_start: '2020-13-45',
      time_coverage_end: 'yesterday',
      license: '',
      creator_name: [7, null, ' '],
      doi: '10.1/<script>',
      keywords: [',', {}],
      title: 7,
    },
    { time_coverage_start: '0000-01-01', license: { name: 'x' }, geospatial_bounds: 'POLYGON ((' },
  ]
  for (const attributes of hostile) {
    const server = await serveArrays(t, arrays, { attributes })
    const collection = await readCollection(server, 'stac/datasets/sample/main')
    t.match(collection, {
      title: 'sample',
      license: 'other',
      extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } },
      'cube:dimensions': {
        lon: { type: 'other', extent: [null, null] },
        lat: { type: 'other', extent: [null, null] },
        time: { type: 'temporal', extent: [null, null] },
      },
    })
    for (const member of ['keywords', 'providers', 'sci:doi'] as const) t.equal(collection[member], undefined, member)
    t.match(collection.description, /Variables rain of sample at main/)
    t.match(collection.description, /state no area/)
    t.match(collection.description, /state no licence/)
  }
})

t.test('texts of attributes are cut, and other licenses keep their address', async (t) => {
  const address = 'https://example.org/terms?of=use'
  const server = await serveArrays(t, arrays, {
    attributes: {
      title: 'é'.repeat(400),
      summary: 's'.repeat(100_000),
      license: address,
      creator_name: 'n'.repeat(999),
    },
  })
  const collection = await readCollection(server, 'stac/datasets/sample/main')
  t.equal(Array.from(collection.title).length, 300)
  t.ok(collection.description.length < 6_000)
  t.equal(collection.license, 'other')
  t.strictSame(listLinks(collection, 'license'), [address])
  t.equal(collection.providers?.[0]?.name.length, 300)
})

t.test('a group that xarray cannot open is a collection without dimensions, which says why', async (t) => {
  const server = await serveArrays(t, { a: { shape: [2], names: ['x'] }, b: { shape: [3], names: ['x'] } })
  const collection = await readCollection(server, 'stac/datasets/sample/main')
  t.match(collection.description, /xarray cannot open this group: array "b": dimension "x"/)
  t.equal(collection['cube:dimensions'], undefined)
  t.strictSame(listLinks(collection, 'describedby'), [])
})

/** What assets and schemes of a root group look like. */
const stores = [
  [
    { storage: 's3', bucket: 'acme-open', prefix: 'data/{name}', region: 'eu-north-1', anonymous: true },
    's3://acme-open/data/sample',
    { type: 'aws-s3', bucket: 'acme-open', region: 'eu-north-1', anonymous: true },
  ],
  [
    { storage: 's3', bucket: 'b', prefix: '{name}', endpoint: 'https://minio.example.org:9000', pathStyle: true },
    's3://b/sample',
    { type: 'custom-s3', platform: 'https://minio.example.org:9000', bucket: 'b', anonymous: false },
  ],
  [
    { storage: 's3', bucket: 'b', prefix: '{name}', endpoint: 'https://minio.example.org' },
    's3://b/sample',
    { type: 'custom-s3', platform: 'https://{bucket}.minio.example.org' },
  ],
  [{ storage: 'gcs', bucket: 'b', prefix: '{name}' }, 'gs://b/sample', { type: 'gcs', bucket: 'b' }],
  [
    { storage: 'azure', account: 'acme', container: 'c', prefix: '{name}' },
    'az://c/sample',
    { type: 'ms-azure', account: 'acme', platform: 'https://{account}.blob.core.windows.net' },
  ],
  [{ storage: 'http', url: 'https://data.example.org/{name}' }, 'https://data.example.org/sample', undefined],
] as const

t.test('where the operator publishes it, assets have the location, the branch and the snapshot', async (t) => {
  for (const [template, href, scheme] of stores) {
    const server = await serveArrays(t, arrays, { published: StorageTemplate.parse(template) })
    const collection = await readCollection(server, 'stac/datasets/sample/main')
    const schemes = collection['storage:schemes']
    if (scheme === undefined) t.equal(schemes, undefined)
    else t.match(schemes, { repository: scheme })
    const shared = { href, type: 'application/vnd.zarr+icechunk', 'storage:refs': scheme && ['repository'] }
    t.match(collection.assets, {
      branch: { ...shared, version: 'main', roles: ['data', 'latest-version'] },
      snapshot: { ...shared, version: collection.version, roles: ['data'] },
    })
    t.strictSame(listLinks(collection, 'store'), [href])
    const fixed = await readCollection(server, `stac/datasets/sample/${collection.version}`)
    t.strictSame(Object.keys(fixed.assets ?? {}), ['snapshot'])
  }
})

async function startPublished(t: Test): Promise<RunningServer> {
  const published = StorageTemplate.parse({ storage: 's3', bucket: 'b', prefix: 'p' })
  const store = openLocalStore(join(fixtures, 'weather'))
  return startServer(t, { sources: [{ kind: 'repository', name: 'weather', store, published }] })
}

t.test('the asset of a group below the root names the group', async (t) => {
  const server = await startPublished(t)
  const { assets, version } = await readCollection(server, 'stac/datasets/weather/main/wind/speed')
  t.equal(assets?.['branch']?.href, 's3://b/p/|icechunk://branch.main/wind/speed/|zarr3')
  t.equal(assets?.['snapshot']?.href, `s3://b/p/|icechunk://${version}/wind/speed/|zarr3`)
  const tagged = await readCollection(server, 'stac/datasets/weather/v1.0/wind/speed')
  t.equal(tagged.assets?.['tag']?.href, 's3://b/p/|icechunk://tag.v1.0/wind/speed/|zarr3')
})

t.test('an id is one segment of an address as it stands, and names that differ have ids that differ', async (t) => {
  const deployment = { org: 'acme', name: 'open' }
  const names = ['a', 'a~b', 'a!7Eb', 'a/b', 'a%2Fb', 'a b', 'ü', "(*')", '..', 'v1.0-x_y']
  const groups = ['', 'b', 'a/b', 'a~b', 'a!2Fb']
  const ids = names.flatMap((name) => groups.map((group) => identifyDataset(deployment, name, group)))
  t.equal(new Set(ids).size, ids.length)
  for (const id of ids) t.match(id, /^[\w.~!-]+$/)
  t.equal(identifyDataset(deployment, 'v1.0-x_y', 'a/b'), 'acme~open~v1.0-x_y~a~b')
})

t.test('answers have an entity tag, and callers who have that version get 304', async (t) => {
  const server = await startPublished(t)
  for (const path of ['stac', 'stac/pages/1', 'stac/repositories/weather', 'stac/datasets/weather/main/forecast']) {
    const first = await server.get(path)
    t.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
    const again = await server.get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
    t.equal(again.status, 304, path)
  }
})

t.test('more repositories than one catalog lists are divided among several', async (t) => {
  const names = Array.from({ length: 2 * repositoriesPerCatalog + 1 }, (_, index) => `r${index}`).sort()
  const links = buildPageLinks('https://floe.example.org/v1', 'open', 'acme', '/assets')
  const deployment = { org: 'acme', name: 'open' }
  const parse = (document: object) => StacCatalog.parse(JSON.parse(JSON.stringify(document)))
  const pages = listLinks(parse(stacCatalog(deployment, names, links)), 'child')
  t.strictSame(pages, [links.stacPage(1), links.stacPage(2), links.stacPage(3)])
  const listed = pages.flatMap((_, index) =>
    listLinks(parse(stacCatalogPage(deployment, { names, page: index + 1 }, links)), 'child'),
  )
  t.strictSame(listed, names.map(links.stacRepository))
  t.strictSame(listLinks(parse(stacCatalogPage(deployment, { names, page: 4 }, links)), 'child'), [])
})

// Proves: what a caller may not read does not exist in the catalogues of others
t.test('what a caller may not read does not exist in the catalog', async (t) => {
  const server = await startServer(t, { deployments: [{ name: 'weather', repos: ['weather*'], public: true }] })
  const list = async (address: string, headers: Record<string, string>) =>
    listLinks(StacCatalog.parse(await (await fetch(address, { headers })).json()), 'child').map((href) =>
      href.slice(href.lastIndexOf('/') + 1),
    )
  t.strictSame(await list(`${server.origin}/v1/services/weather/acme/_meta/stac`, {}), ['weather', 'weather-v1'])
  t.strictSame(await list(`${server.meta}/stac`, { authorization: `Bearer ${server.weatherKey}` }), ['weather'])
  const first = `${server.meta}/stac/pages/1`
  t.strictSame(await list(first, { authorization: `Bearer ${server.weatherKey}` }), ['weather'])
})

t.test('bad addresses are refused', async (t) => {
  const server = await startServer(t)
  for (const [path, status] of [
    ['stac/pages/0', 400],
    ['stac/pages/x', 400],
    ['stac/repositories/nowhere', 404],
    ['stac/datasets/weather/nowhere', 404],
    ['stac/datasets/weather/main/nowhere', 404],
    ['stac/datasets/weather/main/wind//speed', 404],
    ['stac/datasets/weather/main/forecast/temperature', 404],
    ['stac/datasets/weather/main@soon', 400],
  ] as const) {
    t.equal((await server.get(path)).status, status, path)
  }
})
