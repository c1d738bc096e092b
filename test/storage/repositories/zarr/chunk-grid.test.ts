import { hasRegularGrid } from '@floe/storage/zarr'
import { t } from 'tap'

const grid = { name: 'regular', configuration: { chunk_shape: [1] } }

t.test('a regular grid is recognised however the document is laid out', async (t) => {
  const documents = [{ chunk_grid: grid }, { attributes: { chunk_grid: { name: 'other' } }, chunk_grid: grid }]
  documents.push({ attributes: { '"chunk_grid"': ['}', '\\"'] }, chunk_grid: grid } as never)
  for (const document of documents)
    for (const indent of [0, 2, '\t'])
      t.equal(hasRegularGrid(Buffer.from(JSON.stringify(document, null, indent))), true, JSON.stringify(document))
})

t.test('everything else has to be parsed', async (t) => {
  const documents = [
    '{"chunk_grid":{"name":"rectilinear"}}',
    '{"chunk_grid":"regular"}',
    '{"chunk_grid":{"configuration":{},"name":"regular"}}',
    '{"chunk_grid":{"name":"regular_2"}}',
    '{"attributes":{"chunk_grid":{"name":"regular"}}}',
    '{"attributes":{"chunk_grid":{"name":"regular"}},"chunk_grid":{"name":"rectilinear"}}',
    '[{"chunk_grid":{"name":"regular"}}]',
    '{"data_type":"chunk_grid","name":"regular"}',
    '{"a":"\\',
    '{"chunk_grid"',
    '',
  ]
  for (const document of documents) t.equal(hasRegularGrid(Buffer.from(document)), false, document)
})
