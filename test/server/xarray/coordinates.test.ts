import t from 'tap'
import { type ArrayText, decodeArrays, decodeOne } from './zarr-group.ts'

const on = (...dimensions: readonly string[]): ArrayText => ({ type: 'float32', dimensions })
const listing = (names: string, ...dimensions: readonly string[]): ArrayText => ({
  ...on(...dimensions),
  attributes: JSON.stringify({ coordinates: names }),
})
const scalar: ArrayText = { type: 'int8', dimensions: [] }

function order(arrays: Readonly<Record<string, ArrayText>>, attributes?: string) {
  const { variables } = decodeArrays(arrays, attributes)
  const named = (choose: (variable: (typeof variables)[number]) => boolean) =>
    variables.filter(choose).map(({ name }) => name)
  return {
    keys: named(() => true),
    coordinates: named(({ isCoordinate }) => isCoordinate),
    indexed: named(({ isIndexed }) => isIndexed),
  }
}

t.test('a variable on itself is an indexed coordinate, and comes last', async (t) => {
  t.strictSame(order({ x: on('x'), v: on('x'), w: on('x') }), {
    keys: ['v', 'w', 'x'],
    coordinates: ['x'],
    indexed: ['x'],
  })
})

t.test('variables listed by another become coordinates', async (t) => {
  const arrays = { lat: on('y', 'x'), lon: on('y', 'x'), v: listing('lat  lon\tmissing x', 'y', 'x'), x: on('x') }
  t.strictSame(order(arrays), { keys: ['v', 'lat', 'lon', 'x'], coordinates: ['lat', 'lon', 'x'], indexed: ['x'] })
  t.strictSame(decodeArrays(arrays).variables[0]?.attributes, new Map())
})

t.test('a variable may list itself, and the group may list variables', async (t) => {
  t.strictSame(order({ v: listing('v', 'x') }).coordinates, ['v'])
  t.strictSame(order({ u: on('x'), v: on('x') }, '{"coordinates":"u nowhere"}').coordinates, ['u'])
  t.strictSame(decodeArrays({ u: on('x') }, '{"coordinates":"u","a":true}').attributes, new Map([['a', true]]))
})

t.test('names in a list stand apart as in Python', async (t) => {
  t.strictSame(order({ a: on('x'), b: on('x'), c: on('x'), v: listing('a\u0085b\u001fc', 'x') }).coordinates, [
    'a',
    'b',
    'c',
  ])
  t.strictSame(order({ 'a\ufeffb': on('x'), a: on('x'), v: listing('a\ufeffb', 'x') }).coordinates, ['a\ufeffb'])
})

t.test('a variable called like a dimension is a coordinate without an index, before the others', async (t) => {
  t.strictSame(order({ depth: on('station', 'profile'), v: on('depth') }), {
    keys: ['v', 'depth'],
    coordinates: ['depth'],
    indexed: [],
  })
  t.strictSame(order({ x: on('y'), v: on('x') }), { keys: ['v', 'x'], coordinates: ['x'], indexed: [] })
  t.strictSame(order({ a: on('a', 'y'), b: on('y'), v: on('a') }).keys, ['b', 'v', 'a'])
  const all = { a: on('a'), b: on('b', 'c'), c: on('a'), s: scalar, v: listing('s', 'b', 'c'), z: on('a') }
  t.strictSame(order(all, '{"coordinates":"z"}').keys, ['v', 'b', 'c', 'a', 's', 'z'])
})

t.test('related variables are no coordinates', async (t) => {
  const attributes = '{"grid_mapping":"crs","bounds":"b","cell_measures":"area: a","ancillary_variables":"a"}'
  const { variables } = decodeArrays({ v: { ...on('x'), attributes }, crs: scalar, a: on('x'), b: on('x') })
  t.notOk(variables.some(({ isCoordinate }) => isCoordinate))
  t.equal(variables[0]?.attributes.size, 4)
})

t.test("what is not text in an array's list is an error, in a group's it stays", async (t) => {
  for (const value of ['["lat"]', 'null', '5']) {
    t.throws(() => decodeOne({ attributes: `{"coordinates":${value}}` }), {
      name: 'CannotDecodeError',
      variable: 'v',
      rule: 'its "coordinates" is not text',
    })
    t.ok(decodeArrays({ v: on('x') }, `{"coordinates":${value}}`).attributes.has('coordinates'))
  }
  t.strictSame(decodeOne({ attributes: '{"coordinates":""}' }).attributeNames, [])
})

t.test('dimensions come in the order of the final variables', async (t) => {
  const arrays = { a: on('z', 'y'), aa: on('m'), b: on('q', 'z'), c: on('z2'), q: on('q'), y: on('y') }
  t.strictSame([...decodeArrays(arrays).dimensions.keys()], ['z', 'y', 'm', 'q', 'z2'])
})

t.test('dimensions need not have a name, and may repeat', async (t) => {
  t.strictSame(decodeArrays({ v: { dimensions: [null] } }).dimensions, new Map([[null, 3n]]))
  t.strictSame(decodeArrays({ v: { dimensions: [''] } }).dimensions, new Map([['', 3n]]))
  t.strictSame(decodeArrays({ v: { dimensions: ['x', 'x'] } }).dimensions, new Map([['x', 3n]]))
  t.strictSame(decodeArrays({ v: scalar }).dimensions, new Map())
})

t.test('a dimension has one size', async (t) => {
  const error = { name: 'CannotDecodeError', variable: 'b', rule: 'dimension "x" has 4 elements here and 3 elsewhere' }
  t.throws(() => decodeArrays({ a: on('x'), b: { ...on('x'), shape: [4] } }), error)
  t.throws(() => decodeArrays({ v: { dimensions: ['x', 'x'], shape: [3, 4] } }), {
    name: 'CannotDecodeError',
    variable: 'v',
    rule: /dimension "x"/,
  })
  t.throws(() => decodeArrays({ x: scalar, v: on('x') }), {
    name: 'CannotDecodeError',
    variable: 'x',
    rule: 'it is a scalar called like a dimension',
  })
})

t.test('every array of one or more dimensions has to name them', async (t) => {
  const unnamed = { dimension_names: undefined }
  t.throws(() => decodeOne({ members: unnamed }), {
    name: 'CannotDecodeError',
    variable: 'v',
    rule: 'it does not name its dimensions',
  })
  t.throws(() => decodeOne({ members: { dimension_names: null } }), {
    name: 'CannotDecodeError',
    rule: 'it does not name its dimensions',
  })
  t.throws(() => decodeOne({ members: unnamed, attributes: '{"_ARRAY_DIMENSIONS":["x"]}' }), {
    name: 'CannotDecodeError',
    rule: /does not name/,
  })
  t.strictSame(decodeOne({ dimensions: [], members: unnamed }).dimensions, [])
  t.strictSame(decodeOne({ attributes: '{"_ARRAY_DIMENSIONS":["y"]}' }).attributeNames, ['_ARRAY_DIMENSIONS'])
})

t.test("NetCDF's own group attributes do not show", async (t) => {
  const { attributes } = decodeArrays({ v: on('x') }, '{"_NCProperties":"v","_nc":1,"_Nc_x":2,"nc":3}')
  t.strictSame([...attributes.keys()], ['nc'])
  t.strictSame(decodeOne({ attributes: '{"_NCProperties":"v"}' }).attributeNames, ['_NCProperties'])
})

t.test('a group without arrays is an empty dataset with attributes', async (t) => {
  const { variables, dimensions, attributes } = decodeArrays({}, '{"title":"x"}')
  t.strictSame(
    { variables, dimensions, attributes },
    { variables: [], dimensions: new Map(), attributes: new Map([['title', 'x']]) },
  )
})
