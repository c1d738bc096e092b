// Arrays that readers can open only with a package or a setting, as pages and comparisons show them.
import { t } from 'tap'
import { startServer } from '../../start-server.ts'

const server = await startServer(t)

async function readPage(path: string): Promise<string> {
  const response = await server.get(path, { accept: 'text/html' })
  t.equal(response.status, 200, path)
  return response.text()
}

t.test('the page of a dataset says what readers of its arrays need', async (t) => {
  const gribberish = await readPage('datasets/reported/main/gribberish')
  t.match(gribberish, 'Readers need: the codec gribberish (package gribberish).')
  t.match(gribberish, /<dt>Readers need<\/dt>\s*<dd>the codec gribberish \(package gribberish\)<\/dd>/)
  t.match(
    await readPage('datasets/reported/main/codec-inside-shards'),
    'the codec imagecodecs_zstd (package imagecodecs-zarr)',
  )
  const rectilinear = await readPage('datasets/reported/main/rectilinear')
  t.match(rectilinear, 'array.rectilinear_chunks')
  t.match(rectilinear, /<dt>Chunks<\/dt>\s*<dd>sizes \[\[1, 2\], \[4\]\]<\/dd>/)
  t.notMatch(await readPage('datasets/reported/usual/rectilinear'), 'Readers need')
})

t.test('a group with a data type of a plug-in has a page, and is listed', async (t) => {
  const page = await readPage('datasets/reported/main/plug-in-data-type')
  for (const text of ['no data type bfloat16', 'Brain floats', 'weights of a network']) t.match(page, text)
  const listed: string[] = await (await server.get('discovery/reported/main')).json()
  t.ok(listed.includes('plug-in-data-type'))
})

t.test('the page says that dates far from the reference date are objects', async (t) => {
  const text = 'object in xarray, if the first or last date is before 1678 or after 2261'
  t.match(await readPage('datasets/reported/main/distant-dates'), text)
  t.notMatch(await readPage('datasets/reported/main/time-comma'), text)
})

t.test('a comparison shows changed codecs, and the sizes of chunks', async (t) => {
  const diff = await (await server.get('diff/reported/usual/main')).json()
  const grid = { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[1, 2], [4]] } }
  t.match(diff.arrays.updated, [
    { path: 'imagecodecs/v', codecs: [[{ name: 'bytes' }], [{ name: 'imagecodecs_jpeg2k' }]] },
    { path: 'rectilinear/v', chunk_shape: [[3, 4], null], other: { chunk_grid: [{ name: 'regular' }, grid] } },
  ])
  t.match(await readPage('diff/reported/usual/main'), '[[1, 2], [4]]')
})
