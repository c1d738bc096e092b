import t from 'tap'
import { decodeGroup } from '../../../server/xarray/decode-group.ts'
import { type ArrayText, makeArrayMember, decodeArrays, decodeOne, makeGroupMember } from './zarr-group.ts'

const little = { name: 'bytes', configuration: { endian: 'little' } }
const makeGrid = (...chunk_shape: readonly number[]) => ({ name: 'regular', configuration: { chunk_shape } })
const makeCodec = (name: string, configuration?: object) =>
  configuration === undefined ? { name } : { name, configuration }
const struct = { name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'int8' }] } }
const makeSizedType = (name: string) => ({ name, configuration: { length_bytes: 4 } })
const makeTimeType = (name: string) => ({ name: `numpy.${name}`, configuration: { unit: 's', scale_factor: 1 } })

function tryOpening(array: ArrayText): string {
  try {
    return decodeArrays({ v: array }).variables.length === 1 ? 'opened' : 'left out'
  } catch (error) {
    return error instanceof Error && error.name === 'CannotDecodeError' ? 'refused' : String(error)
  }
}

const tryMembers = (members: Record<string, unknown>) => tryOpening({ members })
const tryCodecs = (...codecs: readonly unknown[]) => tryMembers({ codecs })

t.test('an array whose document lacks a member is left out', async (t) => {
  for (const member of ['fill_value', 'codecs', 'chunk_key_encoding'])
    t.equal(tryMembers({ [member]: undefined }), 'left out', member)
  t.equal(tryMembers({ dimension_names: undefined }), 'refused')
})

t.test('what is read before the missing member is refused as ever, what comes after it does not count', async (t) => {
  t.equal(tryMembers({ fill_value: undefined, data_type: 'decimal' }), 'refused')
  t.equal(tryMembers({ fill_value: undefined, extra: 1 }), 'left out')
  t.equal(tryMembers({ codecs: undefined, fill_value: 'x' }), 'refused')
  t.equal(tryMembers({ codecs: undefined, extra: 1 }), 'refused')
  t.equal(tryMembers({ codecs: undefined, chunk_key_encoding: { name: 'zorder' } }), 'left out')
  t.equal(tryMembers({ chunk_key_encoding: undefined, codecs: [] }), 'left out')
})

t.test('an unknown member has to say that it need not be understood', async (t) => {
  t.equal(tryMembers({ extra: { must_understand: false, note: 1 } }), 'opened')
  for (const extra of [{ must_understand: true }, { must_understand: 0 }, {}, null, false])
    t.equal(tryMembers({ extra }), 'refused')
  t.throws(() => decodeOne({ members: { extra: 1 } }), { name: 'CannotDecodeError', variable: 'v', rule: /"extra"/ })
})

t.test('a group or child group with such a member takes the group down, a grandchild does not', async (t) => {
  const group = makeGroupMember('g').group
  const refused = makeGroupMember('child', { extra: 1 })
  t.throws(() => decodeGroup(refused.group, []), { name: 'CannotDecodeError', variable: null, rule: /"extra"/ })
  t.throws(() => decodeGroup(group, [makeArrayMember('v'), refused]), {
    name: 'CannotDecodeError',
    variable: 'child',
    rule: /"extra"/,
  })
  const allowed = makeGroupMember('child', {
    extra: { must_understand: false },
    consolidated_metadata: { kind: 'inline' },
  })
  t.equal(decodeGroup(group, [makeArrayMember('v'), allowed]).variables.length, 1)
})

t.test('chunks have to be regular and of the rank of the array', async (t) => {
  t.equal(tryMembers({ chunk_grid: makeGrid(0) }), 'opened', '0 is repaired')
  t.equal(tryMembers({ chunk_grid: makeGrid(3, 3) }), 'refused')
  t.equal(
    tryMembers({ chunk_grid: { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[1, 2]] } } }),
    'refused',
  )
  t.equal(tryMembers({ chunk_grid: { name: 'regular' } }), 'refused')
})

t.test('only two key encodings exist', async (t) => {
  const encodings: readonly (readonly [unknown, string])[] = [
    [{ name: 'default' }, 'opened'],
    [{ name: 'v2', configuration: { separator: '/' } }, 'opened'],
    [{ name: 'default', separator: '.' }, 'opened'],
    [{ name: 'default', separator: '-' }, 'refused'],
    [{ name: 'default', configuration: { separator: '-' } }, 'refused'],
    [{ name: 'default', configuration: { separator: '/', x: 1 } }, 'refused'],
    [{ name: 'default', configuration: 1 }, 'refused'],
    [{ name: 'zorder' }, 'refused'],
    ['default', 'refused'],
  ]
  for (const [encoding, expected] of encodings)
    t.equal(tryMembers({ chunk_key_encoding: encoding }), expected, JSON.stringify(encoding))
})

t.test('Icechunk finds chunks by keys of the default encoding only, which shows where xarray reads some', async (t) => {
  const v2 = { members: { chunk_key_encoding: { name: 'v2' } } }
  const dots = { members: { chunk_key_encoding: { name: 'default', separator: '.' } } }
  for (const array of [v2, dots]) {
    t.doesNotThrow(() => decodeArrays({ v: array }))
    t.doesNotThrow(() => decodeArrays({ x: { ...array, shape: [0] } }))
    t.throws(() => decodeArrays({ x: array }), {
      name: 'CannotDecodeError',
      variable: 'x',
      rule: /Icechunk cannot find its chunks/,
    })
    t.throws(() => decodeOne({ ...array, attributes: '{"units":"days since 2000-01-01"}' }), {
      name: 'CannotDecodeError',
      rule: /Icechunk cannot find/,
    })
    t.throws(
      () => decodeOne({ ...array, type: 'bytes' }),
      { name: 'CannotDecodeError', rule: /Icechunk cannot find/ },
      'the first object is read',
    )
  }
  t.doesNotThrow(() => decodeOne({ ...dots, type: 'bytes', dimensions: [] }))
})

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

t.test('a codec has to be known, and to be an object', async (t) => {
  for (const name of ['brotli', 'endian', 'numcodecs.foo', 'cast_value', '__proto__'])
    t.equal(tryCodecs(little, makeCodec(name, {})), 'refused', name)
  t.equal(tryCodecs('bytes'), 'refused')
  t.equal(tryCodecs(little, makeCodec('numcodecs.zlib', { level: 1 }), makeCodec('numcodecs.adler32', {})), 'opened')
  t.equal(tryCodecs(makeCodec('numcodecs.delta', { dtype: '<i2' }), little), 'opened')
  t.equal(tryCodecs(makeCodec('numcodecs.pcodec', {})), 'opened')
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

t.test('shards hold a whole number of chunks, in codecs that fit', async (t) => {
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
  t.equal(tryShards({ codecs: [makeCodec('brotli')] }), 'refused')
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

t.test('the fill value has to be one of the data type', async (t) => {
  const accepts = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(tryOpening({ type, members: { fill_value: value } }), 'opened', JSON.stringify([type, value]))
  }
  const refuses = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(tryOpening({ type, members: { fill_value: value } }), 'refused', JSON.stringify([type, value]))
  }
  accepts('bool', null, {}, [1, 2], 'x')
  accepts('int16', 0, -32768, '7', ' +7_0 ', true)
  refuses('int16', null, 40000, '40000', 1.5, '7.0', '0x7', '', [], {})
  accepts('uint8', 255)
  refuses('uint8', -1)
  accepts('float32', 1, 1.5, true, 'NaN', '-Infinity', '0x7fc00000', '1.5', ' 1e5 ', '1_0', '.5', 'nan')
  refuses('float32', null, [], '0x7f', '0xzzzz', 'abc', '1e', '')
  accepts('complex64', [1, 'NaN'], ['0x7fc00000', 0])
  refuses('complex64', 1, [1], ['1', 2], [1, null], 'ab')
  accepts('string', '', 1, 1.5, true)
  refuses('string', null, [], {})
  accepts('bytes', '', 'AAA=')
  refuses('bytes', 0, 'AAAAA', 'é')
  accepts(makeSizedType('fixed_length_utf32'), '', 'longer')
  refuses(makeSizedType('fixed_length_utf32'), 0, null)
  accepts(makeSizedType('null_terminated_bytes'), 'AAAAAAAA')
  refuses(makeSizedType('null_terminated_bytes'), 0, 'A')
  accepts(makeSizedType('raw_bytes'), '', 'AAAA')
  accepts(makeTimeType('datetime64'), 0, -5, true, 'NaT')
  refuses(makeTimeType('datetime64'), 2 ** 64, 1.5, '2000-01-01', null)
  accepts(makeTimeType('timedelta64'), 'NaT')
  accepts(struct, {}, { a: 1 }, { z: 'x' }, 'AA==', 'AAAA')
  refuses(struct, { a: 'x' }, { a: 300 }, '', 0, null)
})

t.test('no dimension is larger than numpy can address', async (t) => {
  const tryLarge = (size: number) =>
    tryOpening({ type: 'int8', shape: [size], members: { chunk_grid: makeGrid(1000) } })
  t.equal(tryLarge(2 ** 62), 'opened')
  t.equal(tryLarge(2 ** 63), 'refused')
})
