// Whether each step has enough chunks, beside a rule that goes step by step.
import { maxListedArrays, maxListedGaps } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import type { JudgedCompleteness } from '../../../../server/reading/completeness/judged-arrays.ts'
import { judgeGaps } from '../../../../server/reading/gaps/judge-gaps.ts'
import { SnapshotManifests } from '../../../../server/reading/manifests/snapshot-manifests.ts'
import { checkProperty } from '../../../check-property.ts'
import { buildArrays, type Positions, type SampleArray } from './build-arrays.ts'
import { listPositions } from './naive-gaps.ts'

type Expected = Parameters<typeof judgeGaps>[1]

const wholeSteps: Expected = { path: null, along: 'time', share: 1, exceptLast: 0, ignore: [], accepted: [] }

function read(answer: ReturnType<typeof judgeGaps>): JudgedCompleteness {
  return JSON.parse(Buffer.from(answer).toString())
}

async function judge(arrays: readonly SampleArray[], expected: Partial<Expected> = {}): Promise<JudgedCompleteness> {
  const { open } = await buildArrays(arrays)
  return read(judgeGaps(open(), { ...wholeSteps, ...expected }))
}

/** An array with one manifest. */
function sample(path: string, grid: readonly number[], positions: Positions, id = 1): SampleArray {
  return { path, grid, names: ['time', 'lead', 'level'].slice(0, grid.length), manifests: [{ id, positions }] }
}

/** The steps that lack chunks, with their numbers, by the rules. */
function findNaively(grid: readonly number[], written: Positions, expected: Expected): readonly string[] {
  const isIgnored = (chunk: readonly number[]) =>
    expected.ignore.some(({ dimension, first, last }) => {
      const at = chunk[['time', 'lead', 'level'].indexOf(dimension)] ?? -1
      return first <= at && at <= last
    })
  const counted = written.filter((chunk) => !isIgnored(chunk))
  const others = grid.slice(1).map((_, axis) => new Set(counted.map((chunk) => chunk[axis + 1])).size)
  const total = others.reduce((product, count) => product * count, 1)
  const end = Math.max(-1, ...counted.map(([step = 0]) => step)) - expected.exceptLast
  const steps = Array.from({ length: end + 1 }, (_, step) => step)
  return steps
    .filter((step) => !expected.accepted.some(({ first, last }) => first <= step && step <= last))
    .map((step) => ({ step, found: counted.filter(([at]) => at === step).length }))
    .filter(({ found }) => found / total < expected.share)
    .map(({ step, found }) => `${step}: ${found} of ${total}`)
}

const range = fc
  .tuple(fc.nat({ max: 8 }), fc.nat({ max: 3 }))
  .map(([first, length]) => ({ first, last: first + length }))

/** A grid, what is written of it, and what is expected. */
const anyCase = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }).chain((grid) =>
  fc.record({
    grid: fc.constant(grid),
    written: fc.subarray([...listPositions(grid)]),
    expected: fc.record({
      path: fc.constant(null),
      along: fc.constant('time'),
      share: fc.constantFrom(0.3, 0.5, 1),
      exceptLast: fc.nat({ max: 3 }),
      ignore: fc.array(
        fc
          .tuple(fc.constantFrom('lead', 'level', 'nowhere'), range)
          .map(([dimension, slices]) => ({ dimension, ...slices })),
        { maxLength: 2 },
      ),
      accepted: fc.array(
        range.map((steps) => ({ ...steps, note: 'known' })),
        { maxLength: 3 },
      ),
    }),
  }),
)

t.test('each step that is judged needs its share', async () => {
  await checkProperty(
    1_000,
    fc.asyncProperty(anyCase, async ({ grid, written, expected }) => {
      const { verdict, gaps, ...judged } = await judge([sample('a', grid, written)], expected)
      const found = gaps.flatMap(({ first, last, written: count, total }) =>
        Array.from({ length: last - first + 1 }, (_, index) => `${first + index}: ${count} of ${total}`),
      )
      const wanted = findNaively(grid, written, expected)
      if (found.join() !== wanted.join()) throw new Error(`${found.join()} is not ${wanted.join()}`)
      const isIncomplete = verdict === 'incomplete' && judged.incompleteArrays === 1 && judged.arrays.length === 1
      if (isIncomplete !== wanted.length > 0) throw new Error(verdict)
      if (judged.incompleteRanges !== gaps.length || judged.reason !== null) throw new Error(JSON.stringify(judged))
    }),
  )
})

t.test('an array whose manifest cannot be read is unknown, unless another lacks chunks', async (t) => {
  const whole = listPositions([3, 2])
  const arrays = (positions: Positions) => [sample('a', [3, 2], whole.slice(1)), sample('b', [3, 2], positions, 2)]
  const judgeDamaged = async (positions: Positions, path: string | null = null) => {
    const { open, manifests } = await buildArrays(arrays(positions))
    const [first] = manifests.keys()
    const damaged = new Map(
      [...manifests].map(([id, chunks]) => [id, id === first ? 'manifest_damaged' : chunks] as const),
    )
    return read(judgeGaps(new SnapshotManifests(open().snapshot, damaged), { ...wholeSteps, path }))
  }
  t.match(await judgeDamaged(whole), { verdict: 'unknown', reason: 'a: a manifest is damaged', gaps: [] })
  t.match(await judgeDamaged(whole, 'b'), { verdict: 'complete', reason: null })
  const partial = whole.filter(([step, lead]) => step !== 1 || lead !== 0)
  t.match(await judgeDamaged(partial), { verdict: 'incomplete', reason: null, gaps: [{ path: 'b', first: 1 }] })
})

t.test('arrays without the dimension do not count, and that there is no other is a mistake', async (t) => {
  const arrays = [sample('a', [3], [[0], [2]]), { ...sample('b', [3], [[0]]), names: ['x'] }]
  t.match(await judge(arrays, { path: 'b' }), {
    verdict: 'incomplete',
    arrays: [],
    reason: 'No array that matches b has the dimension time',
  })
  t.match(await judge(arrays, { path: 'c' }), { verdict: 'incomplete', reason: 'No array has a path that matches c' })
  t.match(await judge(arrays, { along: 'y' }), { verdict: 'incomplete', reason: 'No array has the dimension y' })
  t.match(await judge(arrays), { verdict: 'incomplete', arrays: [{ path: 'a' }], gaps: [{ first: 1, of: 3 }] })
})

t.test('an array of which nothing is written lacks nothing', async (t) => {
  t.match(await judge([sample('a', [3, 2], [])]), { verdict: 'complete', reason: null })
})

t.test('the lists are short, whatever the snapshot', async (t) => {
  const everySecond = listPositions([200]).filter(([step = 0]) => step % 2 === 1)
  const many = Array.from({ length: 30 }, (_, index) => sample(`a${index + 10}`, [200], everySecond, index + 1))
  const judged = await judge(many)
  t.match(judged, { incompleteArrays: 30, incompleteRanges: 3_000 })
  t.equal(judged.arrays.length, maxListedArrays)
  t.equal(judged.gaps.length, maxListedGaps)
  const long = await judge(
    ['a', 'b', 'c'].map((name, index) => sample(name.repeat(15_000), [200], everySecond, index + 1)),
  )
  t.match(long, { incompleteArrays: 3, arrays: { length: 2 }, gaps: { length: 2 } })
})

t.test('an array with more ranges than are looked at is not called whole', async (t) => {
  const twoOfThree = listPositions([2_500, 3]).filter(([step = 0, lead]) => step % 2 === 0 || lead !== 1)
  t.match(await judge([sample('a', [2_500, 3], twoOfThree)], { share: 0.5 }), {
    verdict: 'unknown',
    reason: 'a: there are too many gaps',
  })
})
