// schema.org, Croissant and DCAT. `npm run compare -- catalogues` validates the last two.
import { type Citation, CroissantDataset, DcatCatalog } from '@floe/contract'
import { t } from 'tap'
import { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { startServer } from '../../start-server.ts'
import { serveArrays } from '../datasets/serve-arrays.ts'

const arrays = {
  lon: { shape: [4], names: ['lon'], attributes: { units: 'degrees_east' } },
  rain: { shape: [4], names: ['lon'], attributes: { units: 'kg m-2', long_name: '</script><b>' } },
}

const attributes = {
  title: 'Rain </script><script>alert(1)</script>',
  summary: 'All rain',
  keywords: 'rain, sea',
  license: 'CC BY 4.0',
  creator_name: 'Ada Lovelace',
  contributor_name: 'Grace Hopper',
  publisher_name: 'Archive',
  publisher_type: 'institution',
  doi: '10.5281/zenodo.1234567',
  geospatial_lon_min: 170,
  geospatial_lon_max: 190,
  geospatial_lat_min: -5,
  geospatial_lat_max: 5,
  time_coverage_start: '2020-01-01',
}

const published = StorageTemplate.parse({
  storage: 's3',
  bucket: 'open',
  prefix: 'my data/{name}',
  region: 'eu-north-1',
})

/** Reads the data of the page of a dataset that everybody may read. */
async function readPageData(meta: string): Promise<{ readonly page: string; readonly data: object }> {
  const page = await (await fetch(`${meta}/datasets/sample/main`, { headers: { accept: 'text/html' } })).text()
  const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  return { page, data: JSON.parse(block) }
}

t.test('the page of a public dataset has its facts and distributions in schema.org', async (t) => {
  const server = await serveArrays(t, arrays, { attributes, published })
  const { page, data } = await readPageData(server.publicMeta)
  t.notMatch(page, '<script>alert(1)')
  t.match(page, '<meta name="description" content="All rain"')
  t.match(data, {
    '@type': 'Dataset',
    name: attributes.title,
    description: 'All rain',
    url: `${server.publicMeta}/datasets/sample/main`,
    license: 'https://spdx.org/licenses/CC-BY-4.0.html',
    keywords: ['rain', 'sea'],
    creator: [{ '@type': 'Person', name: 'Ada Lovelace' }],
    contributor: [{ '@type': 'Person', name: 'Grace Hopper' }],
    publisher: { '@type': 'Organization', name: 'Archive' },
    identifier: 'https://doi.org/10.5281/zenodo.1234567',
    temporalCoverage: '2020-01-01T00:00:00.000Z/..',
    spatialCoverage: { geo: { box: '-5 170 5 -170' } },
    variableMeasured: [{ name: 'rain', unitText: 'kg m-2', description: '</script><b>' }],
    distribution: [
      {
        '@type': 'DataDownload',
        contentUrl: 's3://open/my%20data/sample',
        encodingFormat: 'application/vnd.zarr+icechunk',
      },
      { contentUrl: `${server.publicMeta}/datasets/sample/main/info`, encodingFormat: 'application/json' },
    ],
  })
})

t.test('Croissant has the same facts', async (t) => {
  const server = await serveArrays(t, arrays, { attributes, published })
  const { data } = await readPageData(server.publicMeta)
  const response = await fetch(`${server.publicMeta}/croissant/sample/main`)
  t.equal(response.headers.get('content-type'), 'application/ld+json')
  const croissant = CroissantDataset.parse(await response.json())
  const { '@context': _context, '@type': _type, distribution, ...facts } = data as Record<string, unknown>
  t.match(croissant, facts)
  t.equal(croissant.distribution.length, (distribution as unknown[]).length)
  const citation = (await (await fetch(`${server.publicMeta}/cite/sample/main`)).json()) as Citation
  t.equal(croissant.citeAs, citation.bibtex)
  t.match(croissant.distribution[0], { '@type': 'cr:FileObject', '@id': 'repository' })
  const etag = response.headers.get('etag') ?? ''
  const again = await fetch(`${server.publicMeta}/croissant/sample/main`, { headers: { 'if-none-match': etag } })
  t.equal(again.status, 304)
})

t.test('DCAT has the same facts, and a box across the 180th meridian is two', async (t) => {
  const server = await serveArrays(t, arrays, { attributes, published })
  const response = await fetch(`${server.publicMeta}/dcat/sample`)
  t.equal(response.headers.get('content-type'), 'application/ld+json')
  const [dataset] = DcatCatalog.parse(await response.json())['dcat:dataset'] ?? []
  t.match(dataset, {
    '@id': `${server.publicMeta}/datasets/sample/main`,
    'dct:identifier': 'https://doi.org/10.5281/zenodo.1234567',
    'dct:title': attributes.title,
    'dct:publisher': { 'foaf:name': 'Archive' },
    'dct:creator': [{ 'foaf:name': 'Ada Lovelace' }],
    'dct:spatial': {
      'dcat:bbox': {
        '@value': 'MULTIPOLYGON(((170 -5,180 -5,180 5,170 5,170 -5)),((-180 -5,-170 -5,-170 5,-180 5,-180 -5)))',
      },
    },
    'dct:temporal': { 'dcat:startDate': { '@value': '2020-01-01T00:00:00.000Z' } },
    'dcat:distribution': [
      {
        'dcat:accessURL': { '@id': 's3://open/my%20data/sample' },
        'dct:license': { '@id': 'https://spdx.org/licenses/CC-BY-4.0.html' },
      },
      { 'dcat:accessURL': { '@id': `${server.publicMeta}/datasets/sample/main/info` } },
    ],
  })
})

t.test('hostile attributes state nothing in any spelling', async (t) => {
  const hostile = {
    geospatial_lon_min: 'NaN',
    geospatial_lon_max: '</script>',
    time_coverage_start: '2020-13-45',
    time_coverage_end: '0000-01-01',
    license: { a: 1 },
    creator_name: [1],
    doi: '10.1/<script>',
  }
  const server = await serveArrays(t, arrays, { attributes: hostile })
  const { data } = await readPageData(server.publicMeta)
  const croissant = await (await fetch(`${server.publicMeta}/croissant/sample/main`)).json()
  const dcat = DcatCatalog.parse(await (await fetch(`${server.publicMeta}/dcat/sample`)).json())
  for (const member of ['license', 'creator', 'identifier', 'temporalCoverage', 'spatialCoverage', 'keywords']) {
    t.notOk(member in data, member)
    t.notOk(member in croissant, member)
  }
  const [dataset] = dcat['dcat:dataset'] ?? []
  for (const member of ['dct:creator', 'dct:spatial', 'dct:temporal', 'dcat:keyword'])
    t.notOk(member in Object(dataset), member)
  t.match(dataset, { 'dct:publisher': { 'foaf:name': 'acme' } })
})

t.test('the catalogs of DCAT have each dataset of main that the caller may read, and nothing else', async (t) => {
  const server = await startServer(t, { deployments: [{ name: 'weather', repos: ['weather*'], public: true }] })
  const meta = `${server.origin}/v1/services/weather/acme/_meta`
  const read = async (address: string) => DcatCatalog.parse(await (await fetch(address)).json())
  const catalogs = (await read(`${meta}/dcat`))['dcat:catalog'] ?? []
  t.strictSame(catalogs, [{ '@id': `${meta}/dcat/weather` }, { '@id': `${meta}/dcat/weather-v1` }])
  for (const name of ['weather', 'weather-v1']) {
    const groups = (await (await fetch(`${meta}/discovery/${name}/main`)).json()) as string[]
    t.match(
      (await read(`${meta}/dcat/${name}`))['dcat:dataset'],
      groups.map((group) => ({ '@id': `${meta}/datasets/${name}/main/${group}` })),
    )
  }
  t.equal((await fetch(`${meta}/dcat/satellite`)).status, 404)
  t.equal((await fetch(`${meta}/croissant/satellite/main`)).status, 404)
  t.equal((await fetch(`${meta}/croissant/weather/main/nowhere`)).status, 404)
  t.equal((await fetch(`${meta}/croissant/weather/main/wind/speed`)).status, 200)
})

t.test('pages of a public deployment link to these documents, those of a private one to none', async (t) => {
  const server = await startServer(t)
  const readPage = async (address: string) => (await fetch(address, { headers: { accept: 'text/html' } })).text()
  for (const [path, texts] of [
    ['/', ['STAC', 'DCAT']],
    ['/discovery/weather', ['STAC', 'DCAT']],
    ['/datasets/weather/main/forecast', ['STAC', 'Croissant']],
    ['/datasets/weather/main/', []],
  ] as const) {
    const page = await readPage(`${server.publicMeta}${path}`)
    const alternates = page.matchAll(/<link rel="alternate" type="([^"]+json)" title="([^"]+)" href="([^"]+)"/g)
    const found = []
    for (const [, type = '', text = '', href = ''] of alternates) {
      const answer = await fetch(new URL(href, server.origin))
      t.equal(answer.status, 200, href)
      t.match(answer.headers.get('content-type'), type)
      t.match(page, `<a href="${href}">${text}</a>`)
      found.push(text)
    }
    t.strictSame(found, texts, path)
    const own = await (await server.get(`${server.meta}${path}`, { accept: 'text/html' })).text()
    t.notMatch(own, /Catalogues:|rel="alternate" type="[^"]+json"/, path)
  }
})

t.test('catalogues of a public deployment name the one address that opens the repository', async (t) => {
  const anyone = StorageTemplate.parse({ storage: 'gcs', bucket: 'open', prefix: 'data/{name}', anonymous: true })
  const server = await serveArrays(t, arrays, { attributes, published: anyone })
  const address = `${server.publicMeta}/open/sample`
  const croissant = await (await fetch(`${server.publicMeta}/croissant/sample/main`)).json()
  t.equal(
    croissant.distribution[0].description,
    `Icechunk repository. Open main, with icechunk.redirect_storage("${address}")`,
  )
  const { links } = await (await fetch(`${server.publicMeta}/stac/datasets/sample/main`)).json()
  t.match(links, [
    ...Array.from({ length: 6 }, () => ({})),
    { rel: 'store', href: 'gs://open/data/sample' },
    { rel: 'alternate', href: address, type: 'application/vnd.zarr+icechunk', title: 'For icechunk.redirect_storage' },
  ])
  const hidden = await (await server.get('stac/datasets/sample/main')).text()
  t.notMatch(hidden, '/open/sample')
})
