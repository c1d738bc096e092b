import { t } from 'tap'
import {
  countChunks,
  formatChunks,
  formatCodecs,
  formatExtension,
  listStorageFacts,
} from '../../../../server/pages/dataset/storage-facts.ts'
import { arrayMetadata, attributes } from '../sample-dataset.ts'

const shown = { itemBytes: 4, storedItemBytes: 1, encoding: attributes('{}') }

function extension(name: string, configuration = '{}') {
  return { name, configuration: attributes(configuration) }
}

t.test('well-known codecs show the values that matter', async (t) => {
  const blosc = '{"typesize":4,"cname":"zstd","clevel":5,"shuffle":"bitshuffle","blocksize":0}'
  t.equal(formatExtension(extension('blosc', blosc)), 'blosc(cname=zstd, clevel=5, shuffle=bitshuffle)')
  t.equal(formatExtension(extension('zstd', '{"level":3,"checksum":false}')), 'zstd(level=3)')
  t.equal(formatExtension(extension('bytes', '{"endian":"little"}')), 'bytes(endian=little)')
  t.equal(formatExtension(extension('bytes')), 'bytes')
  t.equal(formatExtension(extension('transpose', '{"order":[2,0,1]}')), 'transpose(order=[2, 0, 1])')
  t.equal(formatExtension(extension('crc32c')), 'crc32c')
})

t.test('other codecs and data types show every parameter by name', async (t) => {
  t.equal(formatExtension(extension('numcodecs.shuffle', '{"elementsize":4}')), 'numcodecs.shuffle(elementsize=4)')
  t.equal(
    formatExtension(extension('numpy.datetime64', '{"unit":"ns","scale_factor":1}')),
    'numpy.datetime64(unit=ns, scale_factor=1)',
  )
})

t.test('a codec called like a property of every object is an ordinary codec', async (t) => {
  t.equal(formatExtension(extension('constructor', '{"level":1}')), 'constructor(level=1)')
  t.equal(formatExtension(extension('__proto__')), '__proto__')
})

t.test('codecs are listed in the order of writing, those inside shards in brackets', async (t) => {
  t.equal(
    formatCodecs([extension('bytes', '{"endian":"big"}'), extension('gzip', '{"level":9}')]),
    'bytes(endian=big) → gzip(level=9)',
  )
  const inner = '{"codecs":["crc32c",{"name":"zstd","configuration":{"level":0}},{"name":"bytes"}]}'
  t.equal(formatCodecs([extension('sharding_indexed', inner)]), 'sharding_indexed[crc32c → zstd(level=0) → bytes]')
})

t.test('codecs that make no sense do not break the page', async (t) => {
  t.equal(formatCodecs([extension('sharding_indexed', '{"codecs":7}')]), 'sharding_indexed[]')
  t.equal(formatCodecs([extension('sharding_indexed', '{"codecs":[null,{"name":1}]}')]), 'sharding_indexed[]')
  t.equal(formatExtension(extension('x', `{"long":"${'y'.repeat(1_000)}"}`)).length < 300, true)
})

t.test('partial chunks are counted', async (t) => {
  t.equal(countChunks([10n, 7n], [5n, 3n]), 6n)
  t.equal(countChunks([], []), 1n)
  t.equal(countChunks([0n], [5n]), 0n)
  t.equal(countChunks([2n ** 63n], [1n]), 2n ** 63n)
})

t.test('a chunk shape that does not fit has no count', async (t) => {
  t.equal(countChunks([10n], [0n]), null)
  t.equal(countChunks([10n], [5n, 5n]), null)
  t.equal(formatChunks([10n], [0n], { stored: 4, decoded: 4 }), '(0)')
})

t.test('type and shape are facts only where decoding hides them', async (t) => {
  const array = arrayMetadata({ dimensions: ['x', 'length'], shape: [3, 4], dataType: 'uint8' })
  const labels = (typeText: string, shape: bigint[]) =>
    listStorageFacts(array, { ...shown, typeText, shape }).map(([label]) => label)
  t.strictSame(labels('uint8', [3n, 4n]), ['Shape', 'Chunks', 'Codecs', 'Fill value'])
  t.strictSame(labels('|S4', [3n]), ['Shape', 'Stored as', 'Stored shape', 'Chunks', 'Codecs', 'Fill value'])
})

t.test('decoded sizes of chunks are left out where a decoded element is several stored ones', async (t) => {
  const array = arrayMetadata({ dimensions: ['x', 'length'], shape: [3, 4], dataType: 'uint8' })
  const facts = new Map(listStorageFacts(array, { ...shown, typeText: '|S4', shape: [3n] }))
  t.equal(facts.get('Chunks'), '(3, 4) · 1 × 12B uncompressed')
})

t.test('a chunk grid that is not regular is named', async (t) => {
  const array = { ...arrayMetadata({ dimensions: ['x'], shape: [3], dataType: 'uint8' }), chunkShape: null }
  const irregular = { ...array, chunkGrid: extension('rectilinear') }
  t.equal(
    new Map(listStorageFacts(irregular, { ...shown, typeText: 'uint8', shape: [3n] })).get('Chunks'),
    'rectilinear',
  )
})

t.test('an empty text as fill value is visible', async (t) => {
  const array = arrayMetadata({ dimensions: [], shape: [], dataType: 'string', fillValue: '""' })
  t.equal(new Map(listStorageFacts(array, { ...shown, typeText: 'string', shape: [] })).get('Fill value'), "''")
})

t.test('chunks have the size that is stored, and the decoded one beside it', async (t) => {
  const array = arrayMetadata({ dimensions: ['y', 'x'], shape: [200, 100], dataType: 'uint16', chunks: [100, 100] })
  const given = { typeText: 'float64', shape: [200n, 100n], itemBytes: 8, storedItemBytes: 2 }
  const encoding = attributes('{"scale_factor":0.5,"add_offset":10,"_FillValue":[]}')
  const facts = listStorageFacts(array, { ...given, encoding })
  t.strictSame(facts.slice(0, -2), [
    ['Shape', '(200, 100)'],
    ['Stored as', 'uint16'],
    ['scale_factor', '0.5'],
    ['add_offset', '10'],
    ['_FillValue', 'nan'],
    ['Chunks', '(100, 100) · 2 × 20kB uncompressed, 80kB decoded'],
  ])
  const texts = new Map(listStorageFacts(array, { ...given, encoding, storedItemBytes: null }))
  t.equal(texts.get('Chunks'), '(100, 100) · 2', 'the lengths of texts are unknown')
})
