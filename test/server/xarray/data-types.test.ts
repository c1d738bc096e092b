import { t } from 'tap'
import { decodeArrays, decodeOne, refusal } from './zarr-group.ts'

const makeSizedType = (name: string, length: unknown) => ({ name, configuration: { length_bytes: length } })
const makeTimeType = (name: string, unit: string, scale: unknown = 1) => ({
  name: `numpy.${name}`,
  configuration: { unit, scale_factor: scale },
})
const makeStruct = (...fields: readonly unknown[]) => ({ name: 'struct', configuration: { fields } })
const makeField = (name: string, type: unknown) => ({ name, data_type: type })

/** Zarr's `data_type`, then numpy's name, text and size. */
const types: readonly (readonly [unknown, string, string, number])[] = [
  ['bool', 'bool', 'bool', 1],
  ['int8', 'int8', 'int8', 1],
  ['int16', 'int16', 'int16', 2],
  ['int32', 'int32', 'int32', 4],
  ['int64', 'int64', 'int64', 8],
  ['uint8', 'uint8', 'uint8', 1],
  ['uint16', 'uint16', 'uint16', 2],
  ['uint32', 'uint32', 'uint32', 4],
  ['uint64', 'uint64', 'uint64', 8],
  ['float16', 'float16', 'float16', 2],
  ['float32', 'float32', 'float32', 4],
  ['float64', 'float64', 'float64', 8],
  ['complex64', 'complex64', 'complex64', 8],
  ['complex128', 'complex128', 'complex128', 16],
  ['string', 'StringDType128', 'StringDType()', 16],
  ['variable_length_bytes', 'object', 'object', 8],
  ['bytes', 'object', 'object', 8],
  [makeSizedType('fixed_length_utf32', 20), 'str160', '<U5', 20],
  [makeSizedType('fixed_length_utf32', 22), 'str160', '<U5', 20],
  [makeSizedType('null_terminated_bytes', 5), 'bytes40', '|S5', 5],
  [makeSizedType('raw_bytes', 3), 'void24', '|V3', 3],
  ...['ns', 'us', 'ms', 's', 'm', 'h', 'D', 'W', 'M', 'Y'].flatMap((unit) =>
    ['datetime64', 'timedelta64'].map(
      (name) => [makeTimeType(name, unit), `${name}[${unit}]`, `${name}[${unit}]`, 8] as const,
    ),
  ),
  [makeTimeType('datetime64', 'us', 10), 'datetime64[10us]', 'datetime64[10us]', 8],
  [makeTimeType('datetime64', 'μs'), 'datetime64[us]', 'datetime64[us]', 8],
  [makeTimeType('datetime64', 'generic'), 'datetime64', 'datetime64', 8],
  [makeTimeType('timedelta64', 'generic', 10), 'timedelta64', 'timedelta64', 8],
  [makeStruct(makeField('a', 'int32'), makeField('b', 'float64')), 'void96', "[('a', '<i4'), ('b', '<f8')]", 12],
  [{ name: 'structured', configuration: { fields: [['a', 'bool']] } }, 'void8', "[('a', '?')]", 1],
]

t.test('every data type of Zarr becomes one of numpy', async (t) => {
  for (const [type, name, text, itemBytes] of types) {
    t.match(decodeOne({ type }).type, { name, text, itemBytes }, JSON.stringify(type))
  }
})

t.test('what the codec of strings stores are objects, unless the type is a string of any length', async (t) => {
  const strings = { name: 'vlen-utf8' }
  const shards = { name: 'sharding_indexed', configuration: { chunk_shape: [3], codecs: [strings] } }
  for (const codecs of [[strings], [shards], [strings, { name: 'crc32c' }]]) {
    const members = { codecs }
    t.equal(decodeOne({ type: makeSizedType('fixed_length_utf32', 20), members }).shown, 'object')
    t.equal(decodeOne({ type: makeTimeType('datetime64', 's'), members, attributes: '{"dtype":"bool"}' }).shown, 'bool')
    t.equal(decodeOne({ type: 'string', members }).shown, 'StringDType128')
  }
  const attributes = '{"_FillValue":5}'
  t.equal(decodeOne({ type: 'int16', members: { codecs: [strings] }, attributes }).shown, 'object')
})

t.test('the fields of a record print as numpy prints them', async (t) => {
  const fields = [
    makeField("a'b", 'int8'),
    makeField('', 'uint16'),
    makeField('c', 'complex64'),
    makeField('t', makeTimeType('datetime64', 'us', 10)),
    makeField('s', makeSizedType('null_terminated_bytes', 5)),
    makeField('u', makeSizedType('fixed_length_utf32', 12)),
    makeField('r', makeSizedType('raw_bytes', 4)),
    makeField('o', 'bytes'),
    makeField('é', makeStruct(makeField('x', 'float16'))),
  ]
  t.equal(
    decodeOne({ type: makeStruct(...fields) }).type.text,
    `[("a'b", 'i1'), ('f1', '<u2'), ('c', '<c8'), ('t', '<M8[10us]'), ('s', 'S5'), ('u', '<U3'), ('r', 'V4'), ('o', 'O'), ('é', [('x', '<f2')])]`,
  )
})

t.test('a group with a data type that zarr-python does not know cannot be opened', async (t) => {
  const unknown = [
    'r24',
    'float8_e5m2',
    'decimal',
    'raw_bytes',
    { name: 'int8', configuration: {} },
    { name: 'int8' },
    makeSizedType('fixed_length_utf32', 3),
    makeSizedType('null_terminated_bytes', 0),
    makeSizedType('raw_bytes', 2.5),
    makeSizedType('raw_bytes', 2 ** 31),
    { name: 'raw_bytes', configuration: { length_bytes: 3, more: 1 } },
    makeTimeType('datetime64', 'B'),
    makeTimeType('datetime64', 's', 0),
    makeTimeType('timedelta64', 's', 2 ** 31),
    { name: 'numpy.datetime64', configuration: { unit: 's' } },
    makeStruct(),
    makeStruct(makeField('a', 'int8'), makeField('a', 'int8')),
    makeStruct(makeField('a', 'string')),
    makeStruct(makeField('a', 'decimal')),
    makeStruct('ab'),
    { name: 'unheard-of', configuration: {} },
  ]
  for (const type of unknown) {
    t.throws(
      () => decodeArrays({ good: {}, v: { type } }),
      refusal(/^zarr-python has (?:no|a) data type/),
      JSON.stringify(type),
    )
  }
})

t.test('an error tells an unknown data type from a configuration that zarr-python refuses', async (t) => {
  const explanations: readonly (readonly [unknown, string])[] = [
    ['float8_e5m2', 'zarr-python has no data type float8_e5m2'],
    [{ name: 'bfloat16', configuration: {} }, 'zarr-python has no data type bfloat16'],
    [{ name: '__proto__', configuration: {} }, 'zarr-python has no data type __proto__'],
    [
      { name: 'numpy.datetime64', configuration: { unit: 's' } },
      'zarr-python has a data type numpy.datetime64, but not with the configuration in ' +
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 's'}}",
    ],
    [
      { name: 'string', configuration: {} },
      "zarr-python has a data type string, but not with the configuration in {'name': 'string', 'configuration': {}}",
    ],
    [
      { name: 'float32', endian: 'little' },
      "zarr-python has a data type float32, but not with the configuration in {'name': 'float32', 'endian': 'little'}",
    ],
    ['raw_bytes', 'zarr-python has a data type raw_bytes, but not with the configuration in raw_bytes'],
  ]
  for (const [type, rule] of explanations)
    t.throws(() => decodeOne({ type, members: { fill_value: 0 } }), refusal(rule), JSON.stringify(type))
})

t.test("arrays stored as numpy's times skip all decoding but keep their attributes", async (t) => {
  const attributes =
    '{"units":"days since 2000-01-01","dtype":"bool","scale_factor":2,"coordinates":"v","missing_value":0}'
  const { shown, attributeNames } = decodeOne({ type: makeTimeType('datetime64', 'D'), attributes })
  t.equal(shown, 'datetime64[D]')
  t.strictSame(attributeNames, ['units', 'dtype', 'scale_factor', 'missing_value'])
})

t.test('a dimension coordinate needs a time that pandas can index', async (t) => {
  for (const type of [makeTimeType('datetime64', 'M'), makeTimeType('timedelta64', 'ns'), 'float16', 'string']) {
    t.equal(decodeArrays({ x: { type } }).variables[0]?.isIndexed, true)
  }
  for (const type of [makeTimeType('datetime64', 'generic'), makeTimeType('timedelta64', 's', 10)]) {
    t.throws(() => decodeArrays({ x: { type } }), refusal(/pandas cannot make an index/, 'x'))
    t.equal(decodeArrays({ v: { type } }).variables.length, 1)
  }
})
