import { maxGapRanges } from '@floe/contract/constants'
import { t } from 'tap'
import { listSteps } from '../../../../server/pages/gaps/gap-steps.ts'
import { alongTime, forecastGaps, unknownGaps } from './sample-gaps.ts'

t.test('each position of a short dimension is a step', async (t) => {
  t.strictSame(listSteps(forecastGaps, 400), {
    size: 1,
    count: 40,
    runs: [
      { state: 'written', first: 0, end: 7 },
      { state: 'missing', first: 7, end: 8 },
      { state: 'written', first: 8, end: 12 },
      { state: 'partly', first: 12, end: 13 },
      { state: 'written', first: 13, end: 31 },
      { state: 'ahead', first: 31, end: 40 },
    ],
  })
})

t.test('a step of several positions shows the worst of them, and the last step can be shorter', async (t) => {
  const gaps = [
    { first: 4, last: 4, written: 1, total: 2 },
    { first: 5, last: 5, written: 0, total: 2 },
    { first: 7, last: 13, written: 1, total: 2 },
  ]
  t.strictSame(listSteps(alongTime(101, { last_written: 61, gaps }), 34), {
    size: 3,
    count: 34,
    runs: [
      { state: 'written', first: 0, end: 1 },
      { state: 'missing', first: 1, end: 2 },
      { state: 'partly', first: 2, end: 5 },
      { state: 'written', first: 5, end: 21 },
      { state: 'ahead', first: 21, end: 34 },
    ],
  })
  for (const positions of [399, 400, 401, 12_000, 2 ** 27, Number.MAX_SAFE_INTEGER]) {
    const steps = listSteps(alongTime(positions, { last_written: positions - 1 }), 400)
    t.ok(steps && steps.count <= 400 && steps.count * steps.size >= positions, `${positions}`)
    t.strictSame(steps?.runs, [{ state: 'written', first: 0, end: steps?.count }])
  }
})

t.test('steps after a cut list of gaps are neither written nor missing', async (t) => {
  const gaps = Array.from({ length: maxGapRanges }, (_, index) => ({
    first: 2 * index,
    last: 2 * index,
    written: 0,
    total: 1,
  }))
  const steps = listSteps(alongTime(4 * maxGapRanges, { last_written: 3 * maxGapRanges - 1, gaps }), 4)
  t.strictSame(steps?.runs, [
    { state: 'missing', first: 0, end: 2 },
    { state: 'unlisted', first: 2, end: 3 },
    { state: 'ahead', first: 3, end: 4 },
  ])
})

t.test('there are no steps without a dimension, without positions, or if the gaps are unknown', async (t) => {
  t.equal(listSteps(unknownGaps, 400), undefined)
  t.equal(listSteps(alongTime(0, { last_written: null }), 400), undefined)
  t.equal(listSteps({ ...alongTime(1, { last_written: 0 }), along: null }, 400), undefined)
})
