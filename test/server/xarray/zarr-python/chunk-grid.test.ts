// What zarr-python reads of rectilinear chunk grids when its setting `array.rectilinear_chunks` is on.
import { DocumentAllowance } from '@floe/storage/json'
import { ArrayParser } from '@floe/storage/zarr'
import { t } from 'tap'
import { countAlongDimensions } from '../../../../server/xarray/zarr-python/chunk-grid.ts'
import { little, makeCodec, makeGrid, tryOpening } from './try-opening.ts'

const rectilinear = (...chunk_shapes: readonly unknown[]) => ({
  name: 'rectilinear',
  configuration: { kind: 'inline', chunk_shapes },
})
const tryGrid = (chunk_grid: unknown, members: object = {}) =>
  tryOpening({ dimensions: ['x', 'y'], shape: [3, 4], members: { chunk_grid, ...members } })

t.test('sizes that cover the array are read', async (t) => {
  const accepted = [
    rectilinear([1, 2], [4]),
    rectilinear(2, [4]),
    rectilinear([[1, 3]], [[2, 2]]),
    rectilinear([1, [1, 2]], [4]),
    rectilinear([1, 5], [4]),
    rectilinear([true, 2], [[4, true]]),
    rectilinear([[2 ** 40, 2 ** 40]], [4]),
    { ...rectilinear([1, 2], [4]), must_understand: false },
  ]
  for (const grid of accepted) t.equal(tryGrid(grid), 'opened', JSON.stringify(grid))
  const empty = { dimensions: ['x'], shape: [0], members: { chunk_grid: rectilinear([1]) } }
  t.equal(tryOpening(empty), 'opened')
  t.equal(tryOpening({ dimensions: [], members: { chunk_grid: rectilinear() } }), 'opened')
})

t.test('other sizes are refused', async (t) => {
  const refused = [
    rectilinear([1, 1], [4]),
    rectilinear([1, 2]),
    rectilinear([1, 2], [4], [1]),
    rectilinear([0, 3], [4]),
    rectilinear(0, [4]),
    rectilinear([], [4]),
    rectilinear([-1, 4], [4]),
    rectilinear([1.5, 2], [4]),
    rectilinear([[1, 0], 3], [4]),
    rectilinear([[1, 3, 1]], [4]),
    rectilinear([[3]], [4]),
    rectilinear([['1', 3]], [4]),
    rectilinear(null, [4]),
    { name: 'rectilinear', configuration: { chunk_shapes: [[1, 2], [4]] } },
    { name: 'rectilinear', configuration: { kind: 'external', chunk_shapes: [[1, 2], [4]] } },
    { name: 'rectilinear' },
    'rectilinear',
  ]
  for (const grid of refused) t.equal(tryGrid(grid), 'refused', JSON.stringify(grid))
})

t.test('shards of different sizes contain whole numbers of chunks', async (t) => {
  const tryShards = (chunk_grid: unknown) =>
    tryOpening({
      shape: [6],
      members: { chunk_grid, codecs: [makeCodec('sharding_indexed', { chunk_shape: [2], codecs: [little] })] },
    })
  t.equal(tryShards(rectilinear([2, 4])), 'opened')
  t.equal(tryShards(rectilinear([[2, 3]])), 'opened')
  t.equal(tryShards(rectilinear([3, 3])), 'refused')
  t.equal(tryShards(makeGrid(3)), 'refused')
})

t.test('a grid that zarr-python does not have is not judged', async (t) => {
  for (const grid of [{ name: 'hexagonal', configuration: { chunk_shape: 1 } }, { name: 'hexagonal' }, 'hexagonal']) {
    t.equal(tryGrid(grid), 'opened', JSON.stringify(grid))
    const transpose = makeCodec('transpose', { order: [0] })
    t.equal(tryGrid(grid, { codecs: [transpose, little] }), 'refused', 'codecs still have to fit the array')
  }
})

t.test('chunks are counted that lie in the shape, wholly or in part', async (t) => {
  const count = (shape: readonly number[], chunk_grid: unknown, codecs: readonly unknown[] = [little]) => {
    const document = { zarr_format: 3, node_type: 'array', data_type: 'int32', shape, chunk_grid, codecs }
    return countAlongDimensions(new ArrayParser(new DocumentAllowance()).parse(Buffer.from(JSON.stringify(document))))
  }
  const sharding = makeCodec('sharding_indexed', { chunk_shape: [2], codecs: [little] })
  t.strictSame(count([10, 0], makeGrid(4, 4)), [3, 0])
  t.strictSame(count([], makeGrid()), [])
  t.strictSame(count([10], makeGrid(4), [sharding]), [3], 'shards are counted')
  t.strictSame(count([6, 6, 6], rectilinear([1, 5], [[2, 3]], 4)), [2, 3, 2])
  t.strictSame(count([3, 0], rectilinear([1, 2, [1, 5]], [4])), [2, 0], 'the shape shrank')
  t.equal(count([6], rectilinear([1, 2])), null)
  t.equal(count([6], makeGrid(0)), null)
  t.equal(count([6], makeGrid(1, 1)), null)
  t.equal(count([6], { name: 'hexagonal' }), null)
})
