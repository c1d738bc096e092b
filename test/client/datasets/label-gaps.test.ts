// Positions of chunks become values of the caller's coordinates.
import { type ArrayGaps, CoordinatesError, labelGaps } from '@floe/client'
import { t } from 'tap'

const hours = Array.from({ length: 22 }, (_, hour) => `2026-11-18T${hour}`)
const lost = { first: 1, last: 2, written: 0, total: 4 }
const last = { first: 5, last: 5, written: 3, total: 4 }

const lead = { name: 'lead', positions: 4, size: 1, profile: null }
const time = { name: 'time', positions: 6, size: 4, profile: null }

/** Gaps along a time of 22 elements in chunks of four, of which the last has two. */
const array = { along: 'time', gaps: [lost, last], dimensions: [lead, time] }

t.test('a gap has the coordinates of its first and of its last element', async (t) => {
  const expected = [
    { ...lost, values: ['2026-11-18T4', '2026-11-18T11'] },
    // The last chunk is not full.
    { ...last, values: ['2026-11-18T20', '2026-11-18T21'] },
  ]
  t.strictSame(labelGaps(array, { time: hours, lead: ['other'] }), expected)
  const seconds = BigInt64Array.from(hours, (_, hour) => BigInt(hour) * 3_600n)
  t.strictSame(
    labelGaps(array, { time: seconds }).map(({ values }) => values),
    [
      [14_400n, 39_600n],
      [72_000n, 75_600n],
    ],
  )
})

t.test('an array without gaps needs no coordinates', async (t) => {
  t.strictSame(labelGaps({ ...array, gaps: [] }, {}), [])
  t.strictSame(labelGaps({ along: null, gaps: [], dimensions: [] }, {}), [])
})

t.test('coordinates that do not fit are refused', async (t) => {
  const refused = (message: RegExp, coordinates: Record<string, string[]>, changed: Partial<ArrayGaps> = {}) => {
    const label = () => labelGaps({ ...array, ...changed }, coordinates)
    t.throws(label, { name: 'CoordinatesError', message })
    t.throws(label, CoordinatesError)
  }
  refused(/no coordinates of time/, { lead: hours })
  refused(/no coordinates of constructor/, {}, { along: 'constructor', dimensions: [{ ...time, name: 'constructor' }] })
  for (const length of [0, 20, 25])
    refused(new RegExp(`time has ${length} coordinates`), { time: Array.from({ length }, String) })
  refused(
    /the chunks along time have different sizes/,
    { time: hours },
    { dimensions: [lead, { ...time, size: null }] },
  )
})
