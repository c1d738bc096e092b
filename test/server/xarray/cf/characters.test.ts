import { t } from 'tap'
import { decodeArrays, decodeOne, refusal } from '../zarr-group.ts'

const makeBytesType = (length: number) => ({ name: 'null_terminated_bytes', configuration: { length_bytes: length } })
const word = { type: makeBytesType(1), dimensions: ['x', 'len'], shape: [3, 4] }

const describe = (arrays: Parameters<typeof decodeArrays>[0]) =>
  decodeArrays(arrays).variables.map(({ name, type, dimensions }) => [name, type.text, dimensions])

t.test('single characters are stacked along their last dimension', async (t) => {
  t.strictSame(describe({ v: word }), [['v', '|S4', ['x']]])
  t.strictSame(describe({ v: { type: makeBytesType(1) } }), [['v', '|S3', []]])
  t.strictSame(describe({ v: { ...word, shape: [3, 0] } }), [['v', '|S1', ['x']]])
  t.strictSame(describe({ v: { ...word, dimensions: ['x', null] } }), [['v', '|S4', ['x']]])
  t.strictSame(describe({ v: { ...word, dimensions: ['x', 'x'], shape: [3, 3] } }), [['v', '|S3', ['x']]])
})

t.test('several arrays may share the dimension that counts characters', async (t) => {
  const wide = { type: makeBytesType(5), dimensions: ['len'], shape: [4] }
  t.strictSame(describe({ u: { ...word, dimensions: ['y', 'len'] }, v: word, w: wide }), [
    ['u', '|S4', ['y']],
    ['v', '|S4', ['x']],
    ['w', '|S5', ['len']],
  ])
})

t.test('a dimension that does more than count characters is not stacked', async (t) => {
  const kept = ['v', '|S1', ['x', 'len']]
  t.strictSame(describe({ v: word, w: { type: 'float32', dimensions: ['len'], shape: [4] } })[0], kept)
  t.strictSame(describe({ v: word, w: { type: makeBytesType(1), dimensions: ['len', 'x'], shape: [4, 3] } })[0], kept)
  t.strictSame(
    describe({ len: { dimensions: [], shape: [], type: 'int8' }, v: { ...word, dimensions: ['x', 'len2'] } }),
    [
      ['len', 'int8', []],
      ['v', '|S4', ['x']],
    ],
  )
  t.strictSame(describe({ len: { dimensions: ['x'] }, v: word }), [
    ['v', '|S1', ['x', 'len']],
    ['len', 'int16', ['x']],
  ])
})

t.test('only bytes of width one are characters', async (t) => {
  t.strictSame(describe({ v: { ...word, type: makeBytesType(2) } }), [['v', '|S2', ['x', 'len']]])
  t.strictSame(describe({ v: { type: makeBytesType(1), dimensions: [], shape: [] } }), [['v', '|S1', []]])
  t.strictSame(
    describe({ v: { ...word, type: { name: 'raw_bytes', configuration: { length_bytes: 1 } } } })[0]?.[1],
    '|V1',
  )
})

t.test('what is left after stacking can be a dimension coordinate', async (t) => {
  const dataset = decodeArrays({ x: word })
  t.match(dataset.variables, [{ name: 'x', isCoordinate: true, isIndexed: true, shape: [3n] }])
  t.strictSame(dataset.dimensions, new Map([['x', 3n]]))
})

t.test('a variable with _Encoding becomes objects, whatever its type', async (t) => {
  for (const type of ['int16', 'string', 'bytes', makeBytesType(5)]) {
    const { shown, attributeNames } = decodeOne({ type, attributes: '{"_Encoding":"utf-8"}' })
    t.equal(shown, 'object')
    t.strictSame(attributeNames, [])
  }
  t.equal(describe({ v: { ...word, attributes: '{"_Encoding":"utf-8"}' } })[0]?.[1], 'object')
})

t.test('only encoded bytes can be read into an index', async (t) => {
  t.doesNotThrow(() => decodeArrays({ x: { type: makeBytesType(5), attributes: '{"_Encoding":"utf-8"}' } }))
  t.doesNotThrow(() => decodeArrays({ x: { type: 'bytes', attributes: '{"_Encoding":"utf-8"}' } }))
  t.doesNotThrow(() => decodeArrays({ x: { attributes: '{"_Encoding":"utf-8"}', shape: [0] } }))
  const error = refusal(/is not encoded text/, 'x')
  t.throws(() => decodeArrays({ x: { attributes: '{"_Encoding":"utf-8"}' } }), error)
  t.throws(() => decodeArrays({ x: { type: makeBytesType(5), attributes: '{"_Encoding":null}' } }), error)
})
