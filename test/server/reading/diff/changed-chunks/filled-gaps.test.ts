import fc from 'fast-check'
import { t } from 'tap'
import { type FilledGaps, FilledGapFinder } from '../../../../../server/reading/diff/changed-chunks/filled-gaps.ts'
import { checkProperty } from '../../../../check-property.ts'
import { buildArrays, type Positions, type SampleArray } from '../../gaps/build-arrays.ts'
import { findNaively, listPositions } from '../../gaps/naive-gaps.ts'

/** Finds the filled gaps of the array `a`. */
async function find(before: Partial<SampleArray>, after: Partial<SampleArray>): Promise<FilledGaps> {
  const build = async (array: Partial<SampleArray>) => {
    const source = (await buildArrays([{ path: 'a', grid: [], manifests: [], ...array }])).open()
    return { source, index: source.snapshot.nodes.findIndex('a') ?? null }
  }
  const [one, other] = [await build(before), await build(after)]
  return new FilledGapFinder(one.source, other.source, undefined).find({ before: one.index, after: other.index })
}

function name(id: number, positions: Positions): SampleArray['manifests'] {
  return positions.length === 0 ? [] : [{ id, positions }]
}

const anyGrid = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 })

const anyChange = anyGrid.chain((grid) => {
  const positions = listPositions(grid)
  const anyPositions = fc.oneof(
    fc.subarray(positions),
    // Steps that are lost, and slices that are empty.
    fc.array(fc.nat({ max: 6 })).map((lost) => positions.filter((chunk) => !lost.includes(chunk[0] ?? 0))),
    fc.nat({ max: 6 }).map((empty) => positions.filter((chunk) => chunk.at(-1) !== empty)),
    fc.nat({ max: 6 }).map((end) => positions.filter((chunk) => (chunk[0] ?? 0) < end)),
  )
  return fc.record({ grid: fc.constant(grid), before: anyPositions, after: anyPositions })
})

t.test('filled gaps agree with rules that go position by position', async () => {
  await checkProperty(
    1_000,
    fc.asyncProperty(anyChange, async ({ grid, before, after }) => {
      const names = ['time', 'y', 'x'].slice(0, grid.length)
      const got = await find({ grid, names, manifests: name(1, before) }, { grid, names, manifests: name(2, after) })
      const [earlier, later] = [findNaively(grid, names, 0, before), findNaively(grid, names, 0, after)]
      const lacks = ({ gaps }: typeof earlier, at: number) => gaps.some(({ first, last }) => first <= at && at <= last)
      const count = (written: Positions, at: number) => written.filter(([first]) => first === at).length
      const expected = Array.from({ length: grid[0] ?? 0 }, (_, at) => at).filter(
        (at) =>
          lacks(earlier, at) &&
          at <= (later.last_written ?? -1) &&
          !lacks(later, at) &&
          count(after, at) > count(before, at),
      )
      const listed = got.filled?.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, step) => first + step),
      )
      if (JSON.stringify(listed) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(got)} is not ${JSON.stringify(expected)}`)
    }),
  )
})

const runs = { grid: [6, 2], names: ['init_time', 'lead_time'] }
const writeRuns = (...written: number[]) => written.flatMap((run) => [0, 1].map((lead) => [run, lead]))

t.test('neighbours are one range, also if they lacked different numbers of chunks', async (t) => {
  const before = { ...runs, manifests: name(1, [...writeRuns(0, 4), [1, 0]]) }
  const after = { ...runs, manifests: name(2, writeRuns(0, 1, 2, 4, 5)) }
  t.strictSame(await find(before, after), { along: 'init_time', filled: [{ first: 1, last: 2 }], isCut: false })
})

t.test('the dimension is that of the later snapshot', async (t) => {
  const grown = await find(
    {
      grid: [1, 3],
      names: ['y', 'x'],
      manifests: name(1, [
        [0, 0],
        [0, 2],
      ]),
    },
    { grid: [2, 3], names: ['y', 'x'], manifests: name(2, listPositions([2, 3])) },
  )
  t.strictSame(
    grown,
    { along: 'y', filled: [], isCut: false },
    'the only position of y lacks no more than a slice of x',
  )
})

t.test('it is unknown what was filled if positions mean something else', async (t) => {
  const before = { ...runs, manifests: name(1, writeRuns(0, 4)) }
  const after = { ...runs, manifests: name(2, writeRuns(0, 1, 2, 3, 4)) }
  const chunkGrid = { name: 'regular', configuration: { chunk_shape: [1, 2] } }
  for (const [one, other] of [
    [before, { ...after, names: ['time', 'lead_time'] }],
    [before, { ...after, document: { chunk_grid: { ...chunkGrid, name: 'unknown' } } }],
    [{ ...before, grid: [6, 2], document: { shape: [6, 4], chunk_grid: chunkGrid } }, after],
  ] as const) {
    t.match(await find(one, other), { filled: null, isCut: false })
  }
  t.match(await find(before, after), { filled: [{ first: 1, last: 3 }] })
})

t.test('an array without dimensions has no gaps', async (t) => {
  t.strictSame(await find({ manifests: [] }, { manifests: name(1, [[]]) }), { along: null, filled: [], isCut: false })
})

t.test('after a thousand ranges, the list is cut', async (t) => {
  const grid = [2_400]
  const all = listPositions(grid)
  const before = {
    grid,
    names: ['time'],
    manifests: name(
      1,
      all.filter(([at = 0]) => at % 2 === 1),
    ),
  }
  const { filled, isCut } = await find(before, { grid, names: ['time'], manifests: name(2, all) })
  t.equal(filled?.length, 1_000)
  t.strictSame([filled?.at(-1), isCut], [{ first: 1_998, last: 1_998 }, true])
})
