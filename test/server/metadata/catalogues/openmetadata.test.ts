// What OpenMetadata is told of a dataset. test/server/main/commands/export has its own models read such documents.
import { OpenMetadataContainer } from '@floe/contract'
import { t } from 'tap'
import { serveArrays } from '../datasets/serve-arrays.ts'

const read = async (address: string) => {
  const response = await fetch(address)
  return { response, container: OpenMetadataContainer.parse(await response.json()) }
}

// Proves: OpenMetadata gets a container with the facts that attributes state, and a column for each variable
t.test('a dataset has its facts in its description, and a column for each variable', async (t) => {
  const arrays = {
    lon: { shape: [4], names: ['lon'], attributes: { units: 'degrees_east', standard_name: 'longitude' } },
    'rain::"all"': { shape: [4], names: ['lon'], attributes: { units: 'kg m-2', long_name: 'All rain' } },
    crs: { shape: [], names: [] },
  }
  const attributes = {
    title: 'Rain',
    summary: 'All rain since 2020',
    keywords: 'rain, sea',
    license: 'CC BY 4.0',
    creator_name: 'Ada Lovelace; Storm, Inc',
    publisher_name: 'Archive',
    doi: '10.5281/zenodo.1234567',
    time_coverage_start: '2020-01-01',
  }
  const server = await serveArrays(t, arrays, { attributes })
  const address = `${server.publicMeta}/openmetadata/sample/main`
  const { response, container } = await read(address)
  const { description, ...others } = container
  t.match(
    description.replace(/snapshot: \w+/, 'snapshot: ID'),
    'All rain since 2020\n\n- keywords: rain, sea\n- creators: Ada Lovelace, Storm, Inc\n- publisher: Archive\n' +
      '- branch: main\n- snapshot: ID\n- dimensions: lon: 4\n- time: 2020-01-01T00:00:00.000Z/..\n' +
      '- license: CC-BY-4.0\n- doi: 10.5281/zenodo.1234567',
  )
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
  t.strictSame(
    { ...others, dataModel: { ...others.dataModel, columns: others.dataModel.columns.toSorted(byName) } },
    {
      name: 'acme/sample',
      displayName: 'Rain',
      service: 'icechunk',
      sourceUrl: `${server.publicMeta}/datasets/sample/main`,
      dataModel: {
        isPartitioned: false,
        columns: [
          { name: 'crs', dataType: 'INT', dataTypeDisplay: 'int32' },
          {
            name: 'lon',
            dataType: 'ARRAY',
            arrayDataType: 'INT',
            dataTypeDisplay: 'int32(lon)',
            description: 'longitude [degrees_east]',
          },
          {
            name: 'rain__reserved__colon____reserved__quote__all__reserved__quote__',
            dataType: 'ARRAY',
            arrayDataType: 'INT',
            dataTypeDisplay: 'int32(lon)',
            description: 'All rain [kg m-2]',
          },
        ],
      },
    },
  )
  const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  t.equal(again.status, 304)
})

t.test('a group that xarray cannot open has no columns', async (t) => {
  const server = await serveArrays(t, { rain: { shape: [4], names: ['a', 'b'] } })
  const { container } = await read(`${server.publicMeta}/openmetadata/sample/main`)
  t.strictSame(container.dataModel.columns, [])
  t.match(container, { name: 'acme/sample', displayName: 'sample' })
})

t.test('names of more than 256 characters are cut, and differ', async (t) => {
  const long = '𝛂'.repeat(300)
  const named = { [`${long}first`]: { shape: [], names: [] }, [`${long}last`]: { shape: [], names: [] } }
  const server = await serveArrays(t, named, { group: long })
  const { container } = await read(`${server.publicMeta}/openmetadata/sample/main/${encodeURIComponent(long)}`)
  const names = [container.name, ...container.dataModel.columns.map(({ name }) => name)]
  t.equal(new Set(names).size, 3)
  for (const name of names) t.equal(Array.from(name).length, 256)
})
