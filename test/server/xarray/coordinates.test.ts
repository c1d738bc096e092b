import { t } from 'tap'
import { type ArrayText, decodeArrays, decodeOne, refusal } from './zarr-group.ts'

const makeArray = (...dimensions: readonly string[]): ArrayText => ({ type: 'float32', dimensions })
const makeListing = (names: string, ...dimensions: readonly string[]): ArrayText => ({
  ...makeArray(...dimensions),
  attributes: JSON.stringify({ coordinates: names }),
})
const scalar: ArrayText = { type: 'int8', dimensions: [] }

function order(arrays: Readonly<Record<string, ArrayText>>, attributes?: string) {
  const { variables } = decodeArrays(arrays, attributes)
  const listNames = (choose: (variable: (typeof variables)[number]) => boolean) =>
    variables.filter(choose).map(({ name }) => name)
  return {
    keys: listNames(() => true),
    coordinates: listNames(({ isCoordinate }) => isCoordinate),
    indexed: listNames(({ isIndexed }) => isIndexed),
  }
}

t.test('a variable whose dimension has its own name is an indexed coordinate, and comes last', async (t) => {
  t.strictSame(order({ x: makeArray('x'), v: makeArray('x'), w: makeArray('x') }), {
    keys: ['v', 'w', 'x'],
    coordinates: ['x'],
    indexed: ['x'],
  })
})

t.test('variables listed by another become coordinates', async (t) => {
  const arrays = {
    lat: makeArray('y', 'x'),
    lon: makeArray('y', 'x'),
    v: makeListing('lat  lon\tmissing x', 'y', 'x'),
    x: makeArray('x'),
  }
  t.strictSame(order(arrays), { keys: ['v', 'lat', 'lon', 'x'], coordinates: ['lat', 'lon', 'x'], indexed: ['x'] })
  t.equal(decodeArrays(arrays).variables[0]?.attributes.size, 0)
})

t.test('a variable may list itself, and the group may list variables', async (t) => {
  t.strictSame(order({ v: makeListing('v', 'x') }).coordinates, ['v'])
  t.strictSame(order({ u: makeArray('x'), v: makeArray('x') }, '{"coordinates":"u nowhere"}').coordinates, ['u'])
  t.strictSame(decodeArrays({ u: makeArray('x') }, '{"coordinates":"u","a":true}').attributes, new Map([['a', true]]))
})

t.test('the names in a list are split at the spaces of Python', async (t) => {
  t.strictSame(
    order({ a: makeArray('x'), b: makeArray('x'), c: makeArray('x'), v: makeListing('a\u0085b\u001fc', 'x') })
      .coordinates,
    ['a', 'b', 'c'],
  )
  t.strictSame(order({ 'a\ufeffb': makeArray('x'), a: makeArray('x'), v: makeListing('a\ufeffb', 'x') }).coordinates, [
    'a\ufeffb',
  ])
})

t.test('a variable called like a dimension is a coordinate without an index, before the others', async (t) => {
  t.strictSame(order({ depth: makeArray('station', 'profile'), v: makeArray('depth') }), {
    keys: ['v', 'depth'],
    coordinates: ['depth'],
    indexed: [],
  })
  t.strictSame(order({ x: makeArray('y'), v: makeArray('x') }), { keys: ['v', 'x'], coordinates: ['x'], indexed: [] })
  t.strictSame(order({ a: makeArray('a', 'y'), b: makeArray('y'), v: makeArray('a') }).keys, ['b', 'v', 'a'])
  const all = {
    a: makeArray('a'),
    b: makeArray('b', 'c'),
    c: makeArray('a'),
    s: scalar,
    v: makeListing('s', 'b', 'c'),
    z: makeArray('a'),
  }
  t.strictSame(order(all, '{"coordinates":"z"}').keys, ['v', 'b', 'c', 'a', 's', 'z'])
})

t.test('related variables are no coordinates', async (t) => {
  const attributes = '{"grid_mapping":"crs","bounds":"b","cell_measures":"area: a","ancillary_variables":"a"}'
  const { variables } = decodeArrays({
    v: { ...makeArray('x'), attributes },
    crs: scalar,
    a: makeArray('x'),
    b: makeArray('x'),
  })
  t.notOk(variables.some(({ isCoordinate }) => isCoordinate))
  t.equal(variables[0]?.attributes.size, 4)
})

t.test('a "coordinates" that is not text is an error in an array, and stays as it is in a group', async (t) => {
  for (const value of ['["lat"]', 'null', '5']) {
    t.throws(() => decodeOne({ attributes: `{"coordinates":${value}}` }), refusal('its "coordinates" is not text'))
    t.ok(decodeArrays({ v: makeArray('x') }, `{"coordinates":${value}}`).attributes.has('coordinates'))
  }
  t.strictSame(decodeOne({ attributes: '{"coordinates":""}' }).attributeNames, [])
})

t.test('dimensions come in the order of the final variables', async (t) => {
  const arrays = {
    a: makeArray('z', 'y'),
    aa: makeArray('m'),
    b: makeArray('q', 'z'),
    c: makeArray('z2'),
    q: makeArray('q'),
    y: makeArray('y'),
  }
  t.strictSame([...decodeArrays(arrays).dimensions.keys()], ['z', 'y', 'm', 'q', 'z2'])
})

t.test('dimensions need not have a name, and may repeat', async (t) => {
  t.strictSame(decodeArrays({ v: { dimensions: [null] } }).dimensions, new Map([[null, 3n]]))
  t.strictSame(decodeArrays({ v: { dimensions: [''] } }).dimensions, new Map([['', 3n]]))
  t.strictSame(decodeArrays({ v: { dimensions: ['x', 'x'] } }).dimensions, new Map([['x', 3n]]))
  t.strictSame(decodeArrays({ v: scalar }).dimensions, new Map())
})

t.test('a dimension has one size', async (t) => {
  const error = refusal('dimension "x" has 4 elements here and 3 elsewhere', 'b')
  t.throws(() => decodeArrays({ a: makeArray('x'), b: { ...makeArray('x'), shape: [4] } }), error)
  t.throws(() => decodeArrays({ v: { dimensions: ['x', 'x'], shape: [3, 4] } }), refusal(/dimension "x"/))
  t.throws(
    () => decodeArrays({ x: scalar, v: makeArray('x') }),
    refusal('it is a scalar with the name of a dimension', 'x'),
  )
})

t.test('every array of one or more dimensions has to name them', async (t) => {
  const unnamed = { dimension_names: undefined }
  t.throws(
    () => decodeOne({ members: unnamed }),
    refusal(/^it does not name its dimensions; write them as "dimension_names"/),
  )
  t.throws(() => decodeOne({ members: { dimension_names: null } }), refusal(/^it does not name its dimensions; /))
  t.throws(() => decodeOne({ members: unnamed, attributes: '{"_ARRAY_DIMENSIONS":["x"]}' }), refusal(/does not name/))
  t.strictSame(decodeOne({ dimensions: [], members: unnamed }).dimensions, [])
  t.strictSame(decodeOne({ attributes: '{"_ARRAY_DIMENSIONS":["y"]}' }).attributeNames, ['_ARRAY_DIMENSIONS'])
})

t.test("NetCDF's own group attributes do not show", async (t) => {
  const { attributes } = decodeArrays({ v: makeArray('x') }, '{"_NCProperties":"v","_nc":1,"_Nc_x":2,"nc":3}')
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
