import { t } from 'tap'
import { decodeOne, refusal } from '../zarr-group.ts'

const nan = '"AAAAAAAA+H8="'
const minus999 = '"AAAAAAA4j8A="'

const showType = (type: unknown, attributes: string) => decodeOne({ type, attributes }).shown

t.test('without a usable fill value the type stays', async (t) => {
  t.equal(showType('int16', '{}'), 'int16')
  t.equal(decodeOne({ members: { fill_value: 7 } }).shown, 'int16', "the array's own fill_value is no mask")
  for (const value of ['null', '[]', '[null]', '[[],[]]'])
    t.equal(showType('int16', `{"missing_value":${value}}`), 'int16', value)
})

t.test('a usable fill value makes room for NaN', async (t) => {
  const masked: Record<string, string> = {
    int8: 'float32',
    int16: 'float32',
    uint16: 'float32',
    int32: 'float64',
    uint64: 'float64',
    float16: 'float16',
    float32: 'float32',
    complex64: 'complex64',
    bool: 'object',
    string: 'object',
    bytes: 'object',
  }
  for (const [type, expected] of Object.entries(masked)) {
    const { shown, attributeNames } = decodeOne({ type, attributes: '{"missing_value":100,"long_name":"v"}' })
    t.equal(shown, expected, type)
    t.strictSame(attributeNames, ['long_name'])
  }
})

t.test('any value that is not null can be usable', async (t) => {
  for (const value of ['"NaN"', '0', 'false', '""', '1E400', '[null,1]', '[[1,2],[3,4]]', '[1,"x"]']) {
    t.equal(showType('int16', `{"missing_value":${value}}`), 'float32', value)
  }
})

t.test('a missing_value that is no array of values is an error', async (t) => {
  for (const value of ['{}', '[{}]', '[1,{"a":1}]']) {
    t.throws(() => showType('int16', `{"missing_value":${value}}`), refusal(/is or holds an object/), value)
  }
  const deep = '['.repeat(65) + ']'.repeat(65)
  for (const value of ['[1,[2]]', '[[1],[2,3]]', '["ab",[1]]', deep]) {
    t.throws(() => showType('int16', `{"missing_value":${value}}`), refusal(/uneven lists/), value)
  }
})

t.test("_FillValue has to be in xarray's Zarr form", async (t) => {
  const accepted: readonly (readonly [string, string])[] = [
    ['int16', '-1'],
    ['int16', '1.5'],
    ['int16', 'true'],
    ['int16', '340282366920938463463374607431768211456'],
    ['float16', nan],
    ['float64', minus999],
    ['float32', '"AAAA AAA4j8A= and more"'],
    ['complex64', `[${nan},${minus999}]`],
    ['bool', 'null'],
    ['bool', '{}'],
  ]
  for (const [type, value] of accepted)
    t.doesNotThrow(() => showType(type, `{"_FillValue":${value}}`), `${type} ${value}`)
  const refused: readonly (readonly [string, string])[] = [
    ['int16', 'null'],
    ['int16', '"-1"'],
    ['int16', '[-1]'],
    ['int16', '1E400'],
    ['float32', '-999.0'],
    ['float32', 'null'],
    ['float64', '"NaN"'],
    ['float64', '"AAAA"'],
    ['float64', '"AAAAAAAAAAAAAAAA"'],
    ['complex64', nan],
    ['complex64', `[${nan}]`],
    ['complex128', `[${nan},0]`],
  ]
  for (const [type, value] of refused) {
    const error = refusal(/^its "_FillValue" is not/)
    t.throws(() => showType(type, `{"_FillValue":${value}}`), error, `${type} ${value}`)
  }
  for (const type of ['string', 'bytes', { name: 'raw_bytes', configuration: { length_bytes: 1 } }]) {
    t.throws(() => showType(type, '{"_FillValue":"x"}'), refusal(/xarray supports no "_FillValue" for the data type/))
  }
})

t.test('a boolean _FillValue always masks', async (t) => {
  for (const value of ['false', 'null', '[]']) t.equal(showType('bool', `{"_FillValue":${value}}`), 'object', value)
})

t.test('a NaN _FillValue is present and masks nothing', async (t) => {
  t.equal(showType('float16', `{"_FillValue":${nan}}`), 'float16')
  t.equal(
    showType('float32', `{"_FillValue":${nan},"scale_factor":0.5}`),
    'float32',
    'present: packing does not promote',
  )
  t.equal(showType('float32', `{"_FillValue":${minus999},"scale_factor":0.5}`), 'float64')
  t.equal(showType('float16', `{"_FillValue":${nan},"scale_factor":2}`), 'float16')
  t.equal(showType('complex64', `{"_FillValue":[${nan},${minus999}],"add_offset":1}`), 'complex64')
})

t.test('on integers an unusable fill attribute is dropped, elsewhere it counts as present', async (t) => {
  t.equal(showType('int32', '{"missing_value":[],"scale_factor":0.5}'), 'float64')
  t.equal(showType('float32', '{"missing_value":[],"scale_factor":0.5}'), 'float32')
  t.equal(showType('bool', '{"missing_value":[null],"scale_factor":0.5}'), 'bool')
})

t.test('integers that count times stay integers', async (t) => {
  t.equal(showType('int16', '{"_FillValue":-1,"units":"days"}'), 'int64')
  t.equal(showType('uint8', '{"missing_value":0,"units":"nanoseconds"}'), 'int64')
  t.equal(showType('int16', '{"_FillValue":-1,"units":"day"}'), 'float32')
  t.equal(showType('int16', '{"_FillValue":-1,"units":null}'), 'float32')
  t.equal(
    showType('int16', '{"_FillValue":-1,"units":["days since 2000-01-01"]}'),
    'int64',
    'the text of a list counts',
  )
  t.equal(showType('float32', `{"_FillValue":${minus999},"units":"days"}`), 'float32')
})

t.test('_Unsigned changes the sign of whole numbers', async (t) => {
  t.equal(showType('int8', '{"_Unsigned":"true"}'), 'uint8')
  t.equal(showType('uint32', '{"_Unsigned":"false"}'), 'int32')
  for (const value of ['true', '"True"', '"false"', 'null', '1']) {
    const { shown, attributeNames } = decodeOne({ type: 'int8', attributes: `{"_Unsigned":${value}}` })
    t.equal(shown, 'int8', value)
    t.strictSame(attributeNames, [])
  }
  t.equal(showType('float32', '{"_Unsigned":"true"}'), 'float32')
})

t.test('with _Unsigned the fill value has to fit the signed type', async (t) => {
  t.equal(showType('int8', '{"_Unsigned":"true","_FillValue":-1}'), 'float32')
  t.equal(showType('int32', '{"_Unsigned":"true","_FillValue":-1}'), 'float64')
  t.equal(showType('uint8', '{"_Unsigned":"false","_FillValue":-1}'), 'float32')
  const error = refusal(/does not fit a signed integer/)
  t.throws(() => showType('int8', '{"_Unsigned":"true","_FillValue":255}'), error)
  t.throws(() => showType('uint8', '{"_Unsigned":"false","_FillValue":255}'), error)
  t.equal(showType('int8', '{"_Unsigned":"True","_FillValue":255}'), 'float32')
})
