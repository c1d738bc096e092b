// What DataHub is told of a dataset. test/server/main/commands/export has its own models read such documents.
import { DataHubProposals } from '@floe/contract'
import { t } from 'tap'
import { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { serveArrays } from '../datasets/serve-arrays.ts'

const arrays = {
  lon: { shape: [4], names: ['lon'], attributes: { units: 'degrees_east', standard_name: 'longitude' } },
  rain: { shape: [4], names: ['lon'], attributes: { units: 'kg m-2', long_name: 'All rain' } },
}

const attributes = {
  title: 'Rain',
  keywords: 'rain, (sea), rain',
  license: 'CC BY 4.0',
  creator_name: 'Ada Lovelace; Storm, Inc',
  creator_type: 'person; institution',
  publisher_name: 'Archive',
  publisher_type: 'institution',
  doi: '10.5281/zenodo.1234567',
  geospatial_lon_min: 170,
  geospatial_lon_max: 190,
  geospatial_lat_min: -5,
  geospatial_lat_max: 5,
  time_coverage_start: '2020-01-01',
}

async function readAspects(address: string) {
  const response = await fetch(address)
  const proposals = DataHubProposals.parse(await response.json())
  const aspects = Object.fromEntries(proposals.map(({ aspectName, aspect }) => [aspectName, aspect.json]))
  return { response, urns: [...new Set(proposals.map(({ entityUrn }) => entityUrn))], aspects }
}

// Proves: DataHub gets the facts that attributes state, with fields, units, owners, tags and links
t.test('a dataset has its facts, fields, tags, owners and links', async (t) => {
  const published = StorageTemplate.parse({
    storage: 's3',
    bucket: 'open',
    prefix: '{name}',
    region: 'eu-north-1',
    anonymous: true,
  })
  const server = await serveArrays(t, arrays, { attributes, published })
  const address = `${server.publicMeta}/datahub/sample/main`
  const { response, urns, aspects } = await readAspects(address)
  t.strictSame(urns, ['urn:li:dataset:(urn:li:dataPlatform:icechunk,acme/sample,PROD)'])
  t.match(aspects['datasetProperties'], {
    name: 'Rain',
    externalUrl: `${server.publicMeta}/datasets/sample/main`,
    customProperties: {
      branch: 'main',
      dimensions: 'lon: 4',
      bbox: '170, -5, 190, 5',
      time: '2020-01-01T00:00:00.000Z/..',
      license: 'CC-BY-4.0',
    },
  })
  t.match(aspects['schemaMetadata'], {
    fields: [
      { fieldPath: 'rain', nativeDataType: 'int32', description: 'All rain [kg m-2]' },
      {
        fieldPath: 'lon',
        type: { type: { 'com.linkedin.schema.NumberType': {} } },
        description: 'longitude [degrees_east]',
      },
    ],
  })
  t.strictSame(aspects['globalTags'], { tags: [{ tag: 'urn:li:tag:rain' }, { tag: 'urn:li:tag:%28sea%29' }] })
  t.strictSame(aspects['ownership'], {
    owners: [
      { owner: 'urn:li:corpuser:Ada Lovelace', type: 'TECHNICAL_OWNER' },
      { owner: 'urn:li:corpGroup:Storm%2C Inc', type: 'TECHNICAL_OWNER' },
      { owner: 'urn:li:corpGroup:Archive', type: 'BUSINESS_OWNER' },
    ],
  })
  t.match(aspects['institutionalMemory'], {
    elements: [
      { url: 'https://doi.org/10.5281/zenodo.1234567' },
      { url: 'https://spdx.org/licenses/CC-BY-4.0.html' },
      { url: /\/_meta\/open\/sample$/ },
    ],
  })
  t.notOk('deprecation' in aspects, 'nothing is said where nobody retracted it')
  const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  t.equal(again.status, 304)
})

t.test('a group that xarray cannot open, and one without attributes, only have what is known of them', async (t) => {
  const unnamed = { rain: { shape: [4], names: ['a', 'b'] } }
  const broken = await serveArrays(t, unnamed)
  t.strictSame(Object.keys((await readAspects(`${broken.publicMeta}/datahub/sample/main`)).aspects), [
    'datasetProperties',
  ])
  const plain = await serveArrays(t, { rain: { shape: [4], names: ['x'] } })
  t.strictSame(Object.keys((await readAspects(`${plain.publicMeta}/datahub/sample/main`)).aspects), [
    'datasetProperties',
    'schemaMetadata',
  ])
})

t.test('URNs of long names are as long as DataHub takes, the same each time, and unlike others', async (t) => {
  const [long, other] = ['ice (sea)/'.repeat(25), 'ä'.repeat(100)]
  const read = async (end: string) => {
    const keywords = [`${long}${end}`, `${other}${end}`]
    const group = `${'ä()'.repeat(80)}${end}`
    const server = await serveArrays(t, arrays, { group, attributes: { keywords, creator_name: `${long}${end}` } })
    const { urns, aspects } = await readAspects(`${server.publicMeta}/datahub/sample/main/${encodeURIComponent(group)}`)
    const written = JSON.stringify([urns, aspects['globalTags'], aspects['ownership']])
    return [...written.matchAll(/"(urn:li:[^"]+)"/g)].map(([, urn = '']) => urn)
  }
  const [first, again, last] = [await read('first'), await read('first'), await read('last')]
  t.equal(first.length, 4)
  t.strictSame(again, first)
  t.equal(new Set([...first, ...last]).size, 8)
  for (const urn of first) {
    const { length } = encodeURIComponent(urn)
      .replaceAll(/[!'()~]/g, '%28')
      .replaceAll('%20', '+')
    t.ok(length <= 512 && length > 400, `${length} characters`)
  }
})
