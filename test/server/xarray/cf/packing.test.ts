import { t } from 'tap'
import { decodeArrays, decodeOne, refusal } from '../zarr-group.ts'

const showType = (type: unknown, attributes: string) => decodeOne({ type, attributes }).shown

t.test('the spelling of scale_factor decides the type', async (t) => {
  const types: Record<string, string> = {
    '0.5': 'float64',
    '2.0': 'float64',
    '2e0': 'float64',
    '1E400': 'float64',
    '2': 'int64',
    '-0': 'int64',
    true: 'bool',
    '"0.5"': 'str',
    '[0.5]': 'object',
    '[[2]]': 'object',
    '{}': 'object',
    null: 'float32',
  }
  for (const [factor, expected] of Object.entries(types)) {
    t.equal(showType('int16', `{"scale_factor":${factor}}`), expected, factor)
  }
  t.equal(decodeOne({ attributes: '{"scale_factor":"0.5"}' }).type.text, '<U0')
})

t.test('any add_offset makes 64-bit floats', async (t) => {
  for (const offset of ['2', '0.5', '"2"', '[1]', 'true'])
    t.equal(showType('int8', `{"add_offset":${offset}}`), 'float64', offset)
  t.equal(showType('int16', '{"scale_factor":2,"add_offset":1}'), 'float64')
  t.equal(showType('int16', '{"scale_factor":2,"add_offset":null}'), 'int64')
})

t.test('two nulls still unpack', async (t) => {
  const types: Record<string, string> = {
    float16: 'float32',
    float32: 'float32',
    int8: 'float32',
    uint16: 'float32',
    int32: 'float64',
    float64: 'float64',
    complex64: 'float64',
    bool: 'float64',
    string: 'float64',
  }
  for (const [type, expected] of Object.entries(types)) {
    t.equal(showType(type, '{"scale_factor":null,"add_offset":null}'), expected, type)
  }
})

t.test('the stored type does not matter once there is a factor', async (t) => {
  for (const type of ['bool', 'float16', 'complex128', 'string', 'bytes'])
    t.equal(showType(type, '{"scale_factor":0.5}'), 'float64', type)
})

t.test('masked values keep the type that masking gave them', async (t) => {
  t.equal(showType('int16', '{"scale_factor":0.5,"_FillValue":-1}'), 'float64')
  t.equal(showType('int16', '{"scale_factor":null,"_FillValue":-1}'), 'float32')
  t.equal(showType('int32', '{"scale_factor":2,"missing_value":1}'), 'int64')
  t.equal(showType('int16', '{"_Unsigned":"true","scale_factor":0.1,"add_offset":3}'), 'float64')
})

t.test('a factor that is a list has to hold exactly one value', async (t) => {
  for (const attribute of ['scale_factor', 'add_offset']) {
    for (const value of ['[]', '[1,2]', '[[1,2]]', '[1,[2]]']) {
      const rule = `its "${attribute}" is a list that does not have exactly one value`
      t.throws(() => showType('int16', `{"${attribute}":${value}}`), refusal(rule), value)
    }
  }
})

t.test('both attributes disappear, whatever they are', async (t) => {
  t.strictSame(
    decodeOne({ attributes: '{"scale_factor":null,"valid_range":[0,1],"add_offset":null}' }).attributeNames,
    ['valid_range'],
  )
})

t.test('values that cannot be computed matter only where xarray reads some', async (t) => {
  const factors = ['"scale_factor":2,"_FillValue":0', '"scale_factor":"2"', '"add_offset":"2"', '"add_offset":{}']
  for (const factor of factors) {
    const rule = /"scale_factor"|cannot be scaled or offset/
    t.doesNotThrow(() => decodeArrays({ v: { attributes: `{${factor}}` } }), factor)
    t.throws(() => decodeArrays({ x: { attributes: `{${factor}}` } }), refusal(rule, 'x'), `${factor} in an index`)
    const dated = `{${factor},"units":"days since 2000-01-01"}`
    t.throws(() => decodeArrays({ v: { attributes: dated } }), refusal(rule), `${factor} in a date`)
  }
})

t.test('values that masking has left as they are may not take part in arithmetic', async (t) => {
  const showSettledType = (type: string, factor: string) =>
    decodeArrays({ x: { type, attributes: `{"missing_value":[],${factor}}` } })
  const error = refusal(/cannot be scaled or offset/, 'x')
  t.throws(() => showSettledType('bool', '"add_offset":2.0'), error)
  t.throws(() => showSettledType('bool', '"scale_factor":2'), error)
  t.throws(() => showSettledType('string', '"scale_factor":0.5'), error)
  t.doesNotThrow(() => showSettledType('bool', '"scale_factor":true'))
  t.doesNotThrow(() => showSettledType('float16', '"scale_factor":2'))
  t.doesNotThrow(() => showSettledType('string', '"scale_factor":null'))
})

t.test('text that masking has left as it is can be repeated', async (t) => {
  const characters = { name: 'null_terminated_bytes', configuration: { length_bytes: 1 } }
  const attributes = '{"missing_value":[null],"scale_factor":2}'
  for (const type of ['string', characters])
    t.doesNotThrow(() => decodeArrays({ x: { type, attributes } }), JSON.stringify(type))
})

t.test('whole factors fit the type that they are used with', async (t) => {
  const huge = `1${'0'.repeat(30)}`
  const error = refusal(/cannot be scaled or offset/, 'x')
  const decode = (attributes: string) => () => decodeArrays({ x: { attributes } })
  for (const factor of [huge, String(2n ** 63n)]) t.throws(decode(`{"scale_factor":${factor}}`), error, factor)
  t.doesNotThrow(decode(`{"scale_factor":${2n ** 63n - 1n}}`))
  t.doesNotThrow(decode(`{"scale_factor":${huge},"add_offset":1}`))
  t.doesNotThrow(decode(`{"add_offset":${huge}}`))
  t.throws(decode(`{"add_offset":1${'0'.repeat(400)}}`), error)
})

t.test('raw bytes and records are not packed numbers', async (t) => {
  const raw = { name: 'raw_bytes', configuration: { length_bytes: 3 } }
  const record = { name: 'struct', configuration: { fields: ['a', 'b'].map((name) => ({ name, data_type: 'int8' })) } }
  const error = refusal(/cannot be scaled or offset/, 'x')
  for (const factor of ['"scale_factor":2', '"scale_factor":0.5', '"add_offset":1', '"scale_factor":null']) {
    for (const type of [raw, record])
      t.throws(() => decodeArrays({ x: { type, attributes: `{${factor}}` } }), error, factor)
    t.doesNotThrow(() => decodeArrays({ x: { type: raw, shape: [0], attributes: `{${factor}}` } }), factor)
  }
})

t.test('dtype "bool" decides the type, whatever else is decoded', async (t) => {
  for (const attributes of [
    '{"dtype":"bool"}',
    '{"dtype":"bool","_FillValue":-1}',
    '{"dtype":"bool","units":"days since 2000-01-01"}',
  ]) {
    const { shown, attributeNames } = decodeOne({ type: 'int8', attributes })
    t.equal(shown, 'bool')
    t.strictSame(attributeNames, [])
  }
  t.strictSame(decodeOne({ type: 'int8', attributes: '{"dtype":"boolean"}' }).attributeNames, ['dtype'])
})

t.test('records have no truth value to make an index of', async (t) => {
  const makeRecord = (...names: readonly string[]) => ({
    type: { name: 'struct', configuration: { fields: names.map((name) => ({ name, data_type: 'int8' })) } },
    attributes: '{"dtype":"bool"}',
  })
  t.equal(decodeOne(makeRecord('a', 'b')).shown, 'bool')
  t.equal(decodeArrays({ x: makeRecord('a') }).variables[0]?.type.name, 'bool')
  const error = refusal(/records have no truth value/, 'x')
  t.throws(() => decodeArrays({ x: makeRecord('a', 'b') }), error)
})
