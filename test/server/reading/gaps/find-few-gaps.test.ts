import { t } from 'tap'
import { findFewGaps } from '../../../../server/reading/gaps/find-few-gaps.ts'
import { buildArrays, type SampleArray } from './build-arrays.ts'

/** An array along `time` with some manifests, each of which lacks its second position. */
function sample(path: string, from: number, count: number, grid = 3 * count): SampleArray {
  return {
    path,
    grid: [grid],
    names: ['time'],
    manifests: Array.from({ length: count }, (_, index) => ({
      id: from + index,
      positions: [[3 * index], [3 * index + 2]],
    })),
  }
}

t.test('arrays are left out that need more manifests than are left, and later ones are not', async (t) => {
  const { open } = await buildArrays([sample('a', 1, 10), sample('b', 20, 7), sample('c', 30, 6), sample('d', 40, 1)])
  const paths = ['a', 'b', 'c', 'd']
  const planned = open(() => false)
  findFewGaps(planned, paths, undefined)
  t.equal(planned.missing.size, 16)
  const source = open()
  const found = findFewGaps(source, paths, undefined)
  t.strictSame([...found.keys()], ['a', 'c'])
  t.equal(found.get('c')?.gaps.length, 6)
  t.equal(source.missing.size, 0)
})

t.test('arrays with very many positions are left out', async (t) => {
  const { open } = await buildArrays([sample('large', 1, 1, 2 ** 22 + 1), sample('small', 2, 1)])
  t.strictSame([...findFewGaps(open(), ['large', 'small'], undefined).keys()], ['small'])
})

t.test('of very many arrays, the first hundred are tried', async (t) => {
  const arrays = Array.from({ length: 102 }, (_, index) => ({
    path: `a${String(index).padStart(3, '0')}`,
    grid: [2],
    names: ['time'],
    manifests: [{ id: index + 1, positions: [[0]] }],
  }))
  const { open } = await buildArrays(arrays)
  const found = findFewGaps(
    open(() => false),
    arrays.map(({ path }) => path),
    undefined,
  )
  t.equal(found.size, 100, 'none needs a manifest, because each is full')
})
