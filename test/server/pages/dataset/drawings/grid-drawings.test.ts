import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { GridDrawings } from '../../../../../server/pages/dataset/drawings/grid-drawings.ts'
import { measureGrid } from '../../../../../server/pages/dataset/drawings/grid-shape.ts'
import { checkProperty } from '../../../../check-property.ts'
import { visibleText } from '../../markup.ts'
import { arrayMetadata, reanalysisContent } from '../../sample-dataset.ts'

function array(shape: readonly number[], chunks: readonly number[] = shape, shards?: readonly number[]) {
  const dimensions = shape.map((_, axis) => `d${axis}`)
  return arrayMetadata({ dimensions, shape, chunks, dataType: 'float32', ...(shards && { shards }) })
}

function define(...arrays: Parameters<GridDrawings['show']>[0][]): string {
  const drawings = new GridDrawings()
  for (const array of arrays) drawings.show(array)
  return drawings.definitions?.toString() ?? ''
}

t.test('a drawing shows the sizes of up to nine dimensions', async (t) => {
  t.strictSame(visibleText(define(array([31_416]))).split('\n'), ['31,416'])
  t.strictSame(visibleText(define(array([721, 1_440]))).split('\n'), ['1,440', '721'])
  t.strictSame(visibleText(define(array([10, 721, 1_440]))).split('\n'), ['1,440', '721', '10'])
  t.strictSame(visibleText(define(array([50, 10, 721, 1_440]))).split('\n'), ['50', '×', '1,440', '721', '10'])
  t.match(visibleText(define(array(Array.from({ length: 64 }, () => 2)))), /^… ×\n2/)
})

t.test('lines are where chunks meet', async (t) => {
  const [[axis] = []] = measureGrid(array([100], [30])) ?? []
  t.strictSame(axis?.chunkLines, [36, 72, 108])
  t.equal(axis?.length, 120)
  t.equal(axis?.chunk, 36)
})

t.test('shards have lines of their own', async (t) => {
  const [[axis] = []] = measureGrid(array([100], [10], [50])) ?? []
  t.equal(axis?.chunkLines.length, 9)
  t.strictSame(axis?.shardLines, [60])
  t.match(define(array([100], [10], [50])), 'class="grid-shards"')
  t.notMatch(define(array([100], [10])), 'class="grid-shards"')
})

t.test('arrays with the same grid share a drawing', async (t) => {
  const { arrays } = reanalysisContent
  const drawings = new GridDrawings()
  const [u10, v10, t2m] = ['u10', 'v10', 't2m'].map((name) => arrays.get(name))
  t.ok(u10 && v10 && t2m)
  if (!u10 || !v10 || !t2m) return
  t.equal(drawings.show(u10), drawings.show(v10))
  t.not(drawings.show(u10), drawings.show(t2m))
  t.equal(drawings.definitions?.toString().split('<symbol').length, 3)
})

t.test('what has no chunks is not drawn', async (t) => {
  const drawings = new GridDrawings()
  t.equal(drawings.show(array([])), undefined)
  t.equal(drawings.show(array([0, 10], [1, 10])), undefined)
  t.equal(drawings.show({ ...array([10]), chunkShape: null }), undefined)
  t.equal(drawings.show({ ...array([10]), shape: [10n ** 400n] }), undefined)
  t.equal(drawings.definitions, undefined)
})

t.test('however large an array is, its drawing is small and its numbers are numbers', async () => {
  const size = fc.bigInt({ min: 1n, max: 10n ** 300n })
  const axis = fc.record({ size: fc.oneof(size, fc.bigInt({ min: 1n, max: 50n })), chunk: size, shard: size })
  await checkProperty(
    2_000,
    fc.property(fc.array(axis, { minLength: 1, maxLength: 70 }), (axes) => {
      const shape = axes.map(({ size }) => size)
      const chunkShape = axes.map(({ chunk }) => chunk)
      const shardShape = axes.map(({ shard }) => shard)
      const markup = define({ ...array([1]), shape, chunkShape, shardShape })
      assert.ok(markup.length < 12_000, `${markup.length} characters`)
      assert.doesNotMatch(markup, /NaN|Infinity|undefined/)
    }),
  )
})

t.test('the drawings of a page are limited', async (t) => {
  const drawings = new GridDrawings()
  let shown = 0
  for (let size = 1; size <= 5_000; size += 1) if (drawings.show(array([size, size, 9], [1, 1, 1]))) shown += 1
  t.ok(shown > 20 && shown < 500, `${shown} drawings`)
  t.ok((drawings.definitions?.toString().length ?? 0) < 51_000)
})
