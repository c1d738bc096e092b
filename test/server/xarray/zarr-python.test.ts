import t from 'tap'
import { decodeGroup } from '../../../server/xarray/decode-group.ts'
import { type ArrayText, arrayMember, decodeArrays, decodeOne, groupMember } from './zarr-group.ts'

const little = { name: 'bytes', configuration: { endian: 'little' } }
const grid = (...chunk_shape: readonly number[]) => ({ name: 'regular', configuration: { chunk_shape } })
const codec = (name: string, configuration?: object) =>
  configuration === undefined ? { name } : { name, configuration }
const struct = { name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'int8' }] } }
const sized = (name: string) => ({ name, configuration: { length_bytes: 4 } })
const second = (name: string) => ({ name: `numpy.${name}`, configuration: { unit: 's', scale_factor: 1 } })

function outcome(array: ArrayText): string {
  try {
    return decodeArrays({ v: array }).variables.length === 1 ? 'opened' : 'left out'
  } catch (error) {
    return error instanceof Error && error.name === 'CannotDecodeError' ? 'refused' : String(error)
  }
}

const withMembers = (members: Record<string, unknown>) => outcome({ members })
const withCodecs = (...codecs: readonly unknown[]) => withMembers({ codecs })

t.test('an array whose document lacks a member is left out', async (t) => {
  for (const member of ['fill_value', 'codecs', 'chunk_key_encoding'])
    t.equal(withMembers({ [member]: undefined }), 'left out', member)
  t.equal(withMembers({ dimension_names: undefined }), 'refused')
})

t.test('what is read before the missing member is refused as ever, what comes after it does not count', async (t) => {
  t.equal(withMembers({ fill_value: undefined, data_type: 'decimal' }), 'refused')
  t.equal(withMembers({ fill_value: undefined, extra: 1 }), 'left out')
  t.equal(withMembers({ codecs: undefined, fill_value: 'x' }), 'refused')
  t.equal(withMembers({ codecs: undefined, extra: 1 }), 'refused')
  t.equal(withMembers({ codecs: undefined, chunk_key_encoding: { name: 'zorder' } }), 'left out')
  t.equal(withMembers({ chunk_key_encoding: undefined, codecs: [] }), 'left out')
})

t.test('an unknown member has to say that it need not be understood', async (t) => {
  t.equal(withMembers({ extra: { must_understand: false, note: 1 } }), 'opened')
  for (const extra of [{ must_understand: true }, { must_understand: 0 }, {}, null, false])
    t.equal(withMembers({ extra }), 'refused')
  t.throws(() => decodeOne({ members: { extra: 1 } }), { name: 'CannotDecodeError', variable: 'v', rule: /"extra"/ })
})

t.test('a group or child group with such a member takes the group down, a grandchild does not', async (t) => {
  const group = groupMember('g').group
  const refused = groupMember('child', { extra: 1 })
  t.throws(() => decodeGroup(refused.group, []), { name: 'CannotDecodeError', variable: null, rule: /"extra"/ })
  t.throws(() => decodeGroup(group, [arrayMember('v'), refused]), {
    name: 'CannotDecodeError',
    variable: 'child',
    rule: /"extra"/,
  })
  const allowed = groupMember('child', { extra: { must_understand: false }, consolidated_metadata: { kind: 'inline' } })
  t.equal(decodeGroup(group, [arrayMember('v'), allowed]).variables.length, 1)
})

t.test('chunks have to be regular and of the rank of the array', async (t) => {
  t.equal(withMembers({ chunk_grid: grid(0) }), 'opened', '0 is repaired')
  t.equal(withMembers({ chunk_grid: grid(3, 3) }), 'refused')
  t.equal(
    withMembers({ chunk_grid: { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[1, 2]] } } }),
    'refused',
  )
  t.equal(withMembers({ chunk_grid: { name: 'regular' } }), 'refused')
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
    t.equal(withMembers({ chunk_key_encoding: encoding }), expected, JSON.stringify(encoding))
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
    withCodecs(codec('transpose', { order: [0] }), little, codec('gzip', { level: 5 }), codec('crc32c')),
    'opened',
  )
  t.equal(withCodecs(), 'refused')
  t.equal(withCodecs(little, little), 'refused')
  t.equal(withCodecs(codec('gzip', { level: 1 }), little), 'refused')
  t.equal(withCodecs(little, codec('transpose', { order: [0] })), 'refused')
  t.equal(withCodecs(codec('transpose', { order: [0] })), 'refused')
})

t.test('a codec has to be known, and to be an object', async (t) => {
  for (const name of ['brotli', 'endian', 'numcodecs.foo', 'cast_value', '__proto__'])
    t.equal(withCodecs(little, codec(name, {})), 'refused', name)
  t.equal(withCodecs('bytes'), 'refused')
  t.equal(withCodecs(little, codec('numcodecs.zlib', { level: 1 }), codec('numcodecs.adler32', {})), 'opened')
  t.equal(withCodecs(codec('numcodecs.delta', { dtype: '<i2' }), little), 'opened')
  t.equal(withCodecs(codec('numcodecs.pcodec', {})), 'opened')
})

t.test('the configuration of a codec is checked', async (t) => {
  const accepted = [
    codec('gzip', {}),
    codec('zstd', { level: -5, checksum: true }),
    codec('blosc', { cname: 'lz4', clevel: 5, shuffle: 'shuffle', blocksize: 0, typesize: 4 }),
    codec('blosc', { shuffle: null, typesize: null }),
    codec('crc32c', { anything: 1 }),
  ]
  for (const item of accepted) t.equal(withCodecs(little, item), 'opened', JSON.stringify(item))
  const refused = [
    codec('gzip'),
    codec('gzip', { level: 10 }),
    codec('gzip', { level: '5' }),
    codec('gzip', { levels: 5 }),
    codec('gzip', { toString: 5 }),
    codec('zstd', { level: 23 }),
    codec('zstd', { checksum: 1 }),
    codec('blosc', { cname: 'gzip' }),
    codec('blosc', { typesize: 0 }),
    codec('crc32c', [] as never),
    codec('numcodecs.zlib'),
  ]
  for (const item of refused) t.equal(withCodecs(little, item), 'refused', JSON.stringify(item))
})

t.test('values of several bytes need a byte order', async (t) => {
  const endless = { members: { codecs: [{ name: 'bytes' }] } }
  for (const type of ['int8', 'uint8', 'bool', sized('raw_bytes'), sized('null_terminated_bytes'), struct]) {
    t.equal(outcome({ ...endless, type }), 'opened', JSON.stringify(type))
  }
  for (const type of ['int16', 'float64', 'complex64', sized('fixed_length_utf32'), second('datetime64')]) {
    t.equal(outcome({ ...endless, type }), 'refused', JSON.stringify(type))
  }
  t.equal(withCodecs(codec('bytes', { endian: 'middle' })), 'refused')
  t.equal(withCodecs(codec('bytes', { endian: 'big' })), 'opened')
})

t.test('strings need their codec, bytes of any length do not', async (t) => {
  const codecs = (type: string, name: string) => outcome({ type, members: { codecs: [{ name }] } })
  t.equal(codecs('string', 'vlen-utf8'), 'opened')
  t.equal(codecs('string', 'bytes'), 'refused')
  t.equal(codecs('string', 'vlen-bytes'), 'refused')
  t.equal(codecs('bytes', 'bytes'), 'opened')
  t.equal(codecs('int8', 'vlen-bytes'), 'opened')
})

t.test('a transposition names every dimension once', async (t) => {
  const order = (...axes: readonly unknown[]) =>
    outcome({ dimensions: ['y', 'x'], members: { codecs: [codec('transpose', { order: axes }), little] } })
  t.equal(order(1, 0), 'opened')
  for (const axes of [[0], [0, 0], [0, 2], [0, -1], ['1', '0'], []]) t.equal(order(...axes), 'refused', axes.join())
})

t.test('shards hold a whole number of chunks, in codecs that fit', async (t) => {
  const shards = (configuration: object, type: unknown = 'int16') =>
    outcome({
      type,
      shape: [4],
      members: { codecs: [codec('sharding_indexed', { chunk_shape: [2], codecs: [little], ...configuration })] },
    })
  t.equal(shards({}), 'opened')
  t.equal(shards({ index_codecs: [little, codec('crc32c')], index_location: 'start' }), 'opened')
  t.equal(shards({ chunk_shape: [3] }), 'refused')
  t.equal(shards({ chunk_shape: [2, 2] }), 'refused')
  t.equal(shards({ chunk_shape: [0] }), 'refused')
  t.equal(shards({ codecs: [codec('brotli')] }), 'refused')
  t.equal(shards({ codecs: [codec('bytes')] }), 'refused')
  t.equal(shards({ index_codecs: [little, codec('gzip', { level: 1 })] }), 'refused')
  t.equal(shards({ index_location: 'middle' }), 'refused')
  t.equal(shards({ codecs: [codec('vlen-utf8')] }, 'string'), 'opened')
  t.equal(shards({}, 'string'), 'refused')
})

t.test('scaling by a codec needs factors of the type', async (t) => {
  const scaled = (configuration: object, type = 'int16') =>
    outcome({ type, members: { codecs: [codec('scale_offset', configuration), little] } })
  t.equal(scaled({ offset: 1, scale: 2 }), 'opened')
  t.equal(scaled({ offset: 1.5 }), 'refused')
  t.equal(scaled({ offset: 1.5 }, 'float32'), 'opened')
  t.equal(scaled({ scale: 0 }), 'refused')
  t.equal(scaled({ offset: 1 }, 'bool'), 'refused')
})

t.test('the fill value has to be one of the data type', async (t) => {
  const accepts = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(outcome({ type, members: { fill_value: value } }), 'opened', JSON.stringify([type, value]))
  }
  const refuses = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(outcome({ type, members: { fill_value: value } }), 'refused', JSON.stringify([type, value]))
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
  accepts(sized('fixed_length_utf32'), '', 'longer')
  refuses(sized('fixed_length_utf32'), 0, null)
  accepts(sized('null_terminated_bytes'), 'AAAAAAAA')
  refuses(sized('null_terminated_bytes'), 0, 'A')
  accepts(sized('raw_bytes'), '', 'AAAA')
  accepts(second('datetime64'), 0, -5, true, 'NaT')
  refuses(second('datetime64'), 2 ** 64, 1.5, '2000-01-01', null)
  accepts(second('timedelta64'), 'NaT')
  accepts(struct, {}, { a: 1 }, { z: 'x' }, 'AA==', 'AAAA')
  refuses(struct, { a: 'x' }, { a: 300 }, '', 0, null)
})

t.test('no dimension is larger than numpy can address', async (t) => {
  const large = (size: number) => outcome({ type: 'int8', shape: [size], members: { chunk_grid: grid(1000) } })
  t.equal(large(2 ** 62), 'opened')
  t.equal(large(2 ** 63), 'refused')
})

t.test('texts of numbers are read as Python reads them, at any length', async (t) => {
  const fill = (type: string, value: string) => outcome({ type, members: { fill_value: value } })
  for (const text of ['1.', '.5', '1_0.0_1e1_0', '1e5_0', '+NaN', '-iNfInItY', ' 1.5 ', '1e400', '9'.repeat(5000)])
    t.equal(fill('float64', text), 'opened', text.slice(0, 20))
  for (const text of ['.', '1__0', '1_.', '_1', '1_', '.5e', 'inf_', '', `${'9'.repeat(60_000)}x`])
    t.equal(fill('float64', text), 'refused', text.slice(0, 20))
  t.equal(fill('int16', `${'0'.repeat(4299)}1`), 'opened')
  t.equal(fill('int16', `${'0_'.repeat(4299)}1`), 'opened', 'underscores are no digits')
  t.equal(fill('int16', `-${'0'.repeat(4299)}1`), 'opened', 'nor is the sign')
  t.equal(fill('int16', `${'0'.repeat(4300)}1`), 'refused')
})

t.test('an array may have more dimensions than numpy has, but no size of more than 63 bits', async (t) => {
  const dimensions = Array.from({ length: 200 }, (_, axis) => `d${axis}`)
  t.equal(outcome({ dimensions }), 'opened')
  const sized = (size: string) => {
    const grid = { name: 'regular', configuration: { chunk_shape: [1] } }
    const text = JSON.stringify({ shape: ['size'], chunk_grid: grid }).replace('"size"', size)
    return withText(text)
  }
  t.equal(sized('9223372036854775807'), 'opened')
  for (const size of ['9223372036854775808', '18446744073709551616', '9'.repeat(400)])
    t.equal(sized(size), 'refused', size.slice(0, 20))
})
