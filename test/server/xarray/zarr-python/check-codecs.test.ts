import { t } from 'tap'
import { little, makeCodec, makeSizedType, makeTimeType, struct, tryCodecs, tryOpening } from './try-opening.ts'

t.test('codecs form a chain from array to bytes', async (t) => {
  t.equal(
    tryCodecs(makeCodec('transpose', { order: [0] }), little, makeCodec('gzip', { level: 5 }), makeCodec('crc32c')),
    'opened',
  )
  t.equal(tryCodecs(), 'refused')
  t.equal(tryCodecs(little, little), 'refused')
  t.equal(tryCodecs(makeCodec('gzip', { level: 1 }), little), 'refused')
  t.equal(tryCodecs(little, makeCodec('transpose', { order: [0] })), 'refused')
  t.equal(tryCodecs(makeCodec('transpose', { order: [0] })), 'refused')
})

t.test('a codec has to be an object with a name', async (t) => {
  t.equal(tryCodecs('bytes'), 'refused')
  t.equal(tryCodecs(little, 'brotli'), 'refused')
  t.equal(tryCodecs(little, makeCodec('numcodecs.zlib', { level: 1 }), makeCodec('numcodecs.adler32', {})), 'opened')
  t.equal(tryCodecs(makeCodec('numcodecs.delta', { dtype: '<i2' }), little), 'opened')
  t.equal(tryCodecs(makeCodec('numcodecs.pcodec', {})), 'opened')
})

t.test('readers can have codecs that zarr-python does not have', async (t) => {
  for (const name of [
    'brotli',
    'gribberish',
    'numcodecs.grib',
    'imagecodecs_jpeg2k',
    'virtual_tiff.LZW',
    '__proto__',
    '',
  ])
    t.equal(tryCodecs(little, makeCodec(name, { anything: [1] })), 'opened', name)
  t.equal(tryCodecs({ name: 'gribberish', must_understand: false }), 'opened')
  t.equal(tryCodecs(little, makeCodec('brotli', [] as never)), 'refused')
  t.equal(tryCodecs(little, { name: 'brotli', configuration: null }), 'refused')
  t.equal(tryCodecs(makeCodec('endian', { endian: 'little' })), 'refused', 'zarr-python knows this name of bytes')
})

t.test('an unknown codec can be at any stage that the others leave', async (t) => {
  const unknown = makeCodec('unknown')
  const gzip = makeCodec('gzip', { level: 5 })
  const transpose = makeCodec('transpose', { order: [0] })
  for (const codecs of [
    [unknown],
    [unknown, little],
    [little, unknown, gzip],
    [transpose, unknown, gzip],
    [unknown, unknown, unknown],
  ])
    t.equal(tryCodecs(...codecs), 'opened', JSON.stringify(codecs))
  for (const codecs of [
    [unknown, transpose, gzip],
    [gzip, unknown],
    [unknown, gzip, little],
    [little, unknown, transpose],
    [little, unknown, little],
    [unknown, transpose],
  ])
    t.equal(tryCodecs(...codecs), 'refused', JSON.stringify(codecs))
})

t.test('what follows an unknown codec may have another type', async (t) => {
  const unknown = makeCodec('unknown')
  t.equal(tryCodecs(unknown, makeCodec('bytes')), 'opened')
  t.equal(tryCodecs(makeCodec('bytes'), unknown), 'refused')
  t.equal(tryCodecs(unknown, makeCodec('transpose', { order: [1, 0] }), little), 'opened')
  t.equal(tryCodecs(unknown, little, makeCodec('gzip', { level: 10 })), 'refused')
})

t.test('strings need their codec whatever else is installed', async (t) => {
  const tryString = (...names: readonly string[]) =>
    tryOpening({ type: 'string', members: { codecs: names.map((name) => makeCodec(name)) } })
  t.equal(tryString('unknown', 'vlen-utf8', 'unknown'), 'opened')
  t.equal(tryString('unknown'), 'refused')
})

t.test('values are cast to numbers', async (t) => {
  const tryCast = (configuration: object, type = 'int16', serializer: object = little) =>
    tryOpening({ type, members: { codecs: [makeCodec('cast_value', configuration), serializer] } })
  t.equal(tryCast({ data_type: 'int8', rounding: 'towards-zero', out_of_range: 'wrap' }), 'opened')
  t.equal(tryCast({ data_type: 'int8' }, 'int16', makeCodec('bytes')), 'opened', 'one byte has no order')
  t.equal(tryCast({ data_type: 'int16' }, 'int8', makeCodec('bytes')), 'refused')
  t.equal(tryCast({ data_type: 'float32', out_of_range: 'wrap' }), 'refused')
  t.equal(tryCast({ data_type: 'bool' }), 'refused')
  t.equal(tryCast({ data_type: { name: 'int8', configuration: {} } }), 'refused')
  t.equal(tryCast({ data_type: 'int8' }, 'bool'), 'refused')
  t.equal(tryCast({ data_type: 'int8', rounding: 'up' }), 'refused')
  t.equal(tryCast({}), 'refused')
})

t.test('the configuration of a codec is checked', async (t) => {
  const accepted = [
    makeCodec('gzip', {}),
    makeCodec('zstd', { level: -5, checksum: true }),
    makeCodec('blosc', { cname: 'lz4', clevel: 5, shuffle: 'shuffle', blocksize: 0, typesize: 4 }),
    makeCodec('blosc', { shuffle: null, typesize: null }),
    makeCodec('crc32c', { anything: 1 }),
  ]
  for (const item of accepted) t.equal(tryCodecs(little, item), 'opened', JSON.stringify(item))
  const refused = [
    makeCodec('gzip'),
    makeCodec('gzip', { level: 10 }),
    makeCodec('gzip', { level: '5' }),
    makeCodec('gzip', { levels: 5 }),
    makeCodec('gzip', { toString: 5 }),
    makeCodec('zstd', { level: 23 }),
    makeCodec('zstd', { checksum: 1 }),
    makeCodec('blosc', { cname: 'gzip' }),
    makeCodec('blosc', { typesize: 0 }),
    makeCodec('crc32c', [] as never),
    makeCodec('numcodecs.zlib'),
  ]
  for (const item of refused) t.equal(tryCodecs(little, item), 'refused', JSON.stringify(item))
})

t.test('values of several bytes need a byte order', async (t) => {
  const endless = { members: { codecs: [{ name: 'bytes' }] } }
  for (const type of [
    'int8',
    'uint8',
    'bool',
    makeSizedType('raw_bytes'),
    makeSizedType('null_terminated_bytes'),
    struct,
  ]) {
    t.equal(tryOpening({ ...endless, type }), 'opened', JSON.stringify(type))
  }
  for (const type of [
    'int16',
    'float64',
    'complex64',
    makeSizedType('fixed_length_utf32'),
    makeTimeType('datetime64'),
  ]) {
    t.equal(tryOpening({ ...endless, type }), 'refused', JSON.stringify(type))
  }
  t.equal(tryCodecs(makeCodec('bytes', { endian: 'middle' })), 'refused')
  t.equal(tryCodecs(makeCodec('bytes', { endian: 'big' })), 'opened')
})

t.test('strings need their codec, bytes of any length do not', async (t) => {
  const tryCodec = (type: string, name: string) => tryOpening({ type, members: { codecs: [{ name }] } })
  t.equal(tryCodec('string', 'vlen-utf8'), 'opened')
  t.equal(tryCodec('string', 'bytes'), 'refused')
  t.equal(tryCodec('string', 'vlen-bytes'), 'refused')
  t.equal(tryCodec('bytes', 'bytes'), 'opened')
  t.equal(tryCodec('int8', 'vlen-bytes'), 'opened')
})

t.test('a transposition names every dimension once', async (t) => {
  const tryOrder = (...axes: readonly unknown[]) =>
    tryOpening({ dimensions: ['y', 'x'], members: { codecs: [makeCodec('transpose', { order: axes }), little] } })
  t.equal(tryOrder(1, 0), 'opened')
  for (const axes of [[0], [0, 0], [0, 2], [0, -1], ['1', '0'], []]) t.equal(tryOrder(...axes), 'refused', axes.join())
})

t.test('shards contain a whole number of chunks, and their codecs fit', async (t) => {
  const tryShards = (configuration: object, type: unknown = 'int16') =>
    tryOpening({
      type,
      shape: [4],
      members: { codecs: [makeCodec('sharding_indexed', { chunk_shape: [2], codecs: [little], ...configuration })] },
    })
  t.equal(tryShards({}), 'opened')
  t.equal(tryShards({ index_codecs: [little, makeCodec('crc32c')], index_location: 'start' }), 'opened')
  t.equal(tryShards({ chunk_shape: [3] }), 'refused')
  t.equal(tryShards({ chunk_shape: [2, 2] }), 'refused')
  t.equal(tryShards({ chunk_shape: [0] }), 'refused')
  t.equal(tryShards({ codecs: [makeCodec('brotli')] }), 'opened')
  t.equal(tryShards({ codecs: [little, makeCodec('brotli')], index_codecs: [makeCodec('brotli')] }), 'opened')
  t.equal(tryShards({ codecs: [makeCodec('brotli'), makeCodec('gzip', { level: 10 })] }), 'refused')
  t.equal(tryShards({ codecs: [makeCodec('brotli')] }, 'string'), 'refused')
  t.equal(tryShards({ codecs: [makeCodec('bytes')] }), 'refused')
  t.equal(tryShards({ index_codecs: [little, makeCodec('gzip', { level: 1 })] }), 'refused')
  t.equal(tryShards({ index_location: 'middle' }), 'refused')
  t.equal(tryShards({ codecs: [makeCodec('vlen-utf8')] }, 'string'), 'opened')
  t.equal(tryShards({}, 'string'), 'refused')
})

t.test('scaling by a codec needs factors of the type', async (t) => {
  const tryScaling = (configuration: object, type = 'int16') =>
    tryOpening({ type, members: { codecs: [makeCodec('scale_offset', configuration), little] } })
  t.equal(tryScaling({ offset: 1, scale: 2 }), 'opened')
  t.equal(tryScaling({ offset: 1.5 }), 'refused')
  t.equal(tryScaling({ offset: 1.5 }, 'float32'), 'opened')
  t.equal(tryScaling({ scale: 0 }), 'refused')
  t.equal(tryScaling({ offset: 1 }, 'bool'), 'refused')
})

t.test('only booleans can be packed into bits', async (t) => {
  const codecs = [makeCodec('numcodecs.packbits', {}), little]
  t.equal(tryOpening({ type: 'bool', members: { codecs } }), 'opened')
  t.equal(tryOpening({ type: 'int16', members: { codecs } }), 'refused')
})
