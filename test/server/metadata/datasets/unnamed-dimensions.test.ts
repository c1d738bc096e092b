// Groups with arrays that do not name all of their dimensions. xarray opens none of them, except when null stands for
// the missing names and all dimensions without a name have the same size.
import { t, type Test } from 'tap'
import { startServer } from '../../start-server.ts'
import { type Arrays, serveArrays } from './serve-arrays.ts'

/** Asks a server whose repository `sample` has these arrays in its root. */
async function serve(t: Test, arrays: Arrays) {
  const server = await serveArrays(t, arrays)
  return async (path: string) => {
    const response = await server.get(path)
    const body = await response.json()
    return response.ok ? body : { status: response.status, type: body.type, detail: body.detail }
  }
}

const advice = 'write them as "dimension_names" in its zarr.json, or pass dimension_names= when you create it'

const refuse = (detail: string) => ({ status: 422, type: '/problems/not-a-dataset', detail: `${detail}; ${advice}` })

t.test('keys answers for arrays that Icechunk wrote without names, info and dict say what to write', async (t) => {
  const server = await startServer(t)
  const read = async (path: string) => (await server.get(`datasets/types/main/dimensions/${path}`)).json()
  const groups = ['missing', 'array-dimensions-attribute', 'too-few']
  const listed: string[] = await (await server.get('discovery/types/main?group=dimensions')).json()
  for (const group of groups) {
    t.ok(listed.includes(`dimensions/${group}`))
    t.strictSame(await read(`${group}/keys`), ['v'])
    for (const view of ['info', 'dict']) {
      t.match(await read(`${group}/${view}`), { type: '/problems/not-a-dataset', detail: advice })
      t.match(await read(`${group}/${view}`), { detail: 'array "v": it ' })
    }
  }
})

t.test('keys has the order of xarray as far as it follows from the names', async (t) => {
  const ask = await serve(t, {
    a: { shape: [3], names: ['x'] },
    depth: { shape: [4, 5] },
    lat: { shape: [4, 5] },
    t: { shape: [3, 4], names: ['x', 'depth'], attributes: { coordinates: 'lat' } },
    u: { shape: [7] },
    x: { shape: [3], names: ['x'] },
  })
  // Data variables; then `depth`, the name of a dimension; then what `coordinates` lists and what has an index.
  t.strictSame(await ask('datasets/sample/main/keys'), ['a', 't', 'u', 'depth', 'lat', 'x'])
  t.strictSame(await ask('datasets/sample/main/info'), refuse('array "depth": it does not name its dimensions'))
})

t.test('dimensions that are null are one to xarray, and keys lets them differ', async (t) => {
  const ask = await serve(t, { v: { shape: [3, 4], names: ['x', null] }, w: { shape: [5], names: [null] } })
  t.strictSame(await ask('datasets/sample/main/keys'), ['v', 'w'])
  const refusal = refuse(
    'array "w": its unnamed dimension has 5 elements and another one 4, and xarray treats both as one dimension',
  )
  t.strictSame(await ask('datasets/sample/main/info'), refusal)
  t.strictSame(await ask('datasets/sample/main/dict'), refusal)
})

t.test('a null name of one size is served as xarray has it', async (t) => {
  const ask = await serve(t, { v: { shape: [3, 4], names: ['x', null] }, w: { shape: [4], names: [null] } })
  t.match(await ask('datasets/sample/main/info'), {
    dimensions: { x: 3, null: 4 },
    variables: { v: { dimensions: ['x', null] }, w: { dimensions: [null] } },
  })
})

t.test('keys refuses everything else that xarray refuses', async (t) => {
  const conflicting = { v: { shape: [3], names: ['x'] }, w: { shape: [4], names: ['x'] }, u: { shape: [2] } }
  const scalar = { v: { shape: [3], names: ['x'] }, x: { shape: [], names: [] }, u: { shape: [2] } }
  const tooMany = { v: { shape: [3], names: ['x', 'y'] } }
  const undecodable = { v: { shape: [3], attributes: { units: 'years since 2000-01-01' } } }
  for (const [arrays, detail] of [
    [conflicting, /dimension "x"/],
    [scalar, /scalar/],
    [tooMany, /it names more dimensions than it has/],
    [undecodable, /years/],
  ] as const) {
    const ask = await serve(t, arrays)
    t.match(await ask('datasets/sample/main/keys'), { status: 422, type: '/problems/not-a-dataset', detail })
  }
})
