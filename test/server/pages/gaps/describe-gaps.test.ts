import { maxGapRanges } from '@floe/contract/constants'
import { t } from 'tap'
import { describeGaps } from '../../../../server/pages/gaps/describe-gaps.ts'
import { alongTime, forecastGaps, unknownGaps } from './sample-gaps.ts'

t.test('a sentence names the gaps, what is always empty, and how much is not yet written', async (t) => {
  t.equal(
    describeGaps(forecastGaps),
    '2 gaps along init_time: 7 (0 of 10 chunks), 12 (8 of 10); lead_time 0 is always empty; ' +
      '9 of 40 positions not yet written',
  )
  const range = [{ first: 1_000, last: 1_009, written: 0, total: 1 }]
  t.equal(
    describeGaps(alongTime(2_000, { last_written: 1_999, gaps: range })),
    '1 gap along time: 1,000 to 1,009 (0 of 1 chunk each)',
  )
})

t.test('arrays without gaps', async (t) => {
  t.equal(describeGaps(alongTime(3, { last_written: 2 })), 'no gaps along time')
  t.equal(describeGaps(alongTime(3, { last_written: 1 })), 'no gaps along time; 1 of 3 positions not yet written')
  t.equal(describeGaps(alongTime(3, { last_written: null })), 'nothing written yet')
  t.equal(describeGaps(alongTime(0, { last_written: null })), 'no chunks')
  t.equal(
    describeGaps(alongTime(3, { last_written: 2, outside: 2 })),
    'no gaps along time; 2 references outside of the grid',
  )
})

t.test('arrays without the dimension', async (t) => {
  const scalar = { ...alongTime(1, { last_written: null }), along: null, dimensions: [] }
  t.equal(describeGaps({ ...scalar, chunks: { written: 1, total: 1 } }), 'written')
  t.equal(describeGaps(scalar), 'not written')
  t.equal(describeGaps({ ...alongTime(3, { last_written: null }), along: null }), 'no such dimension')
  t.equal(describeGaps(unknownGaps), 'unknown: a manifest is missing')
})

t.test('a sentence names five gaps and five patterns, and counts the others', async (t) => {
  const gaps = Array.from({ length: maxGapRanges }, (_, index) => ({
    first: 2 * index,
    last: 2 * index,
    written: 0,
    total: 1,
  }))
  const patterns = Array.from({ length: 7 }, (_, index) => ({ dimension: 'x', first: 2 * index, last: 2 * index }))
  t.equal(
    describeGaps(alongTime(3_000, { last_written: 2_999, gaps: gaps.slice(0, 8), patterns })),
    '8 gaps along time: 0 (0 of 1 chunk), 2 (0 of 1), 4 (0 of 1), 6 (0 of 1), 8 (0 of 1) and 3 more; ' +
      'x 0 is always empty; x 2 is always empty; x 4 is always empty; x 6 is always empty; x 8 is always empty; ' +
      '2 more such ranges',
  )
  t.match(
    describeGaps(alongTime(3_000, { last_written: 2_999, gaps })),
    /^1,000 or more gaps along time: .* and 995 more; not listed from 1,999 on$/,
  )
})
