import { t } from 'tap'
import { DocumentAllowance, JsonNumber } from '../../../../storage/repositories/json/index.ts'
import { ArrayParser, parseGroupDocument } from '../../../../storage/repositories/zarr/index.ts'

const parseArray = (bytes: Uint8Array) => new ArrayParser(new DocumentAllowance()).parse(bytes)
const parseGroup = (bytes: Uint8Array) => parseGroupDocument(bytes, new DocumentAllowance())

const encodeDocument = (document: unknown) => new TextEncoder().encode(JSON.stringify(document))

const little = { name: 'bytes', configuration: { endian: 'little' } }
const array = {
  zarr_format: 3,
  node_type: 'array',
  shape: [30, 40],
  data_type: 'int16',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [10, 20] } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: 0,
  codecs: [little, { name: 'gzip', configuration: { level: 5 } }],
  attributes: { units: 'm' },
  dimension_names: ['y', null],
}
const group = { zarr_format: 3, node_type: 'group', attributes: { title: 'x' } }
const matchDamage = (rule: string | RegExp) => ({ name: 'ZarrDocumentError', rule })

t.test('an array document is read', async (t) => {
  const metadata = parseArray(encodeDocument(array))
  t.strictSame(metadata.shape, [30n, 40n])
  t.strictSame(metadata.dataType, { name: 'int16', configuration: new Map() })
  t.strictSame(metadata.dimensionNames, ['y', null])
  t.strictSame([...metadata.attributes], [['units', 'm']])
  t.strictSame(metadata.chunkShape, [10n, 20n])
  t.equal(metadata.shardShape, null)
  t.strictSame(
    metadata.codecs.map(({ name }) => name),
    ['bytes', 'gzip'],
  )
  t.strictSame(metadata.chunkGrid.name, 'regular')
  t.strictSame(metadata.fillValue, new JsonNumber('0'))
  t.equal(metadata.document.size, 10)
})

t.test('shapes above 2^53 are exact', async (t) => {
  const text = JSON.stringify(array).replace('[30,40]', '[9007199254740993,0]')
  t.strictSame(parseArray(new TextEncoder().encode(text)).shape, [9007199254740993n, 0n])
})

t.test('with sharding, the grid gives the shard shape and the codec the chunk shape', async (t) => {
  const sharding = { name: 'sharding_indexed', configuration: { chunk_shape: [5, 20], codecs: [little] } }
  const metadata = parseArray(encodeDocument({ ...array, codecs: [sharding] }))
  t.strictSame(metadata.chunkShape, [5n, 20n])
  t.strictSame(metadata.shardShape, [10n, 20n])
})

t.test('a grid that is not regular has no chunk shape', async (t) => {
  const grid = { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[30], [40]] } }
  t.equal(parseArray(encodeDocument({ ...array, chunk_grid: grid })).chunkShape, null)
})

t.test('documents that other readers refuse are still parsed', async (t) => {
  const codecs = [little, { name: 'unheard-of' }, 'crc32c']
  const odd = { ...array, data_type: 'float8_e5m2', codecs, extra: 1, fill_value: 'nothing', dimension_names: ['one'] }
  const metadata = parseArray(encodeDocument(odd))
  t.equal(metadata.dataType.name, 'float8_e5m2')
  t.strictSame(
    metadata.codecs.map(({ name }) => name),
    ['bytes', 'unheard-of', 'crc32c'],
  )
  t.strictSame(metadata.dimensionNames, ['one'])
})

t.test('attributes, dimension names, codecs and fill value may be missing', async (t) => {
  const { attributes: _1, dimension_names: _2, codecs: _3, fill_value: _4, ...rest } = array
  const metadata = parseArray(encodeDocument(rest))
  t.strictSame(metadata.attributes, new Map())
  t.equal(metadata.dimensionNames, null)
  t.strictSame(metadata.codecs, [])
  t.equal(metadata.fillValue, null)
  t.strictSame(parseArray(encodeDocument({ ...array, attributes: null, dimension_names: null })).dimensionNames, null)
})

t.test('a configured data type keeps its configuration', async (t) => {
  const text = { name: 'fixed_length_utf32', configuration: { length_bytes: 20 } }
  const { dataType } = parseArray(encodeDocument({ ...array, data_type: text }))
  t.strictSame(dataType, {
    name: 'fixed_length_utf32',
    configuration: new Map([['length_bytes', new JsonNumber('20')]]),
  })
})

t.test('an array document without its structure is refused', async (t) => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ zarr_format: 2 }, /"zarr_format" is not 3/],
    [{ zarr_format: '3' }, /"zarr_format" is not 3/],
    [{ node_type: 'group' }, /"node_type" is not "array"/],
    [{ shape: 3 }, /"shape" is not a list/],
    [{ shape: [3.5] }, /"shape" holds/],
    [{ shape: [-1] }, /"shape" holds/],
    [{ shape: ['3'] }, /"shape" holds/],
    [{ data_type: 5 }, /"data_type" has no name/],
    [{ data_type: { configuration: {} } }, /"data_type" has no name/],
    [{ chunk_grid: undefined }, /"chunk_grid" has no name/],
    [{ chunk_grid: { name: 'regular', configuration: { chunk_shape: 3 } } }, /"chunk_shape" is not a list/],
    [{ codecs: {} }, /"codecs" is not a list/],
    [{ codecs: [5] }, /"codecs" has no name/],
    [{ attributes: [] }, /"attributes" is not an object/],
    [{ dimension_names: 'x' }, /"dimension_names" is not a list/],
    [{ dimension_names: [1] }, /"dimension_names" holds/],
  ]
  for (const [members, rule] of refused)
    t.throws(() => parseArray(encodeDocument({ ...array, ...members })), matchDamage(rule))
})

t.test('a document without its format or data type names the missing member, whatever else is wrong', async (t) => {
  const missing = (member: string) => ({ name: 'MissingMemberError', rule: `"${member}" is missing` })
  const { zarr_format: _1, ...formatless } = array
  const { data_type: _2, ...typeless } = array
  t.throws(() => parseArray(encodeDocument({ ...formatless, data_type: 5 })), missing('zarr_format'))
  t.throws(() => parseArray(encodeDocument({ ...typeless, codecs: null })), missing('data_type'))
  t.throws(() => parseGroup(encodeDocument({ node_type: 'group' })), missing('zarr_format'))
})

t.test('only a group document is accepted as one', async (t) => {
  t.strictSame(parseGroup(encodeDocument(group)).attributes, new Map([['title', 'x']]))
  t.strictSame(parseGroup(encodeDocument({ zarr_format: 3, node_type: 'group' })).attributes, new Map())
  t.throws(() => parseGroup(encodeDocument(array)), matchDamage('"node_type" is not "group"'))
  t.throws(() => parseGroup(encodeDocument({ ...group, zarr_format: 3.5 })), matchDamage('"zarr_format" is not 3'))
  t.throws(() => parseGroup(encodeDocument([])), matchDamage('the document is not an object'))
})

t.test('the error about invalid JSON gives the position', async (t) => {
  t.throws(() => parseGroup(new TextEncoder().encode('{"zarr_format": 3,')), {
    ...matchDamage('not JSON at character 18: unexpected end'),
    cause: { name: 'JsonSyntaxError', offset: 18 },
  })
})

t.test('a document may be nested as deep as Python reads, and no deeper', async (t) => {
  const nested = (depth: number) =>
    new TextEncoder().encode(
      JSON.stringify({ ...group, attributes: {} }).replace('{}', `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    )
  t.equal(parseGroup(nested(998)).attributes.size, 1)
  t.throws(() => parseGroup(nested(999)), { name: 'DocumentsTooLargeError', limit: 'maxDepth', value: 1000 })
})
