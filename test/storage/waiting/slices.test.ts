import fc from 'fast-check'
import { t } from 'tap'
import { Slices, sortInSlices } from '../../../storage/waiting/slices.ts'
import { propertyRuns } from '../../property-runs.ts'

const { signal } = new AbortController()

t.test('a slice is over after 5 ms, and the next one begins when others have worked', async (t) => {
  let now = 100
  const slices = new Slices(signal, () => now)
  now = 104.9
  t.equal(slices.isOver, false)
  now = 105
  t.equal(slices.isOver, true)
  let hasWorked = false
  setImmediate(() => (hasWorked = true))
  await slices.next()
  t.equal(hasWorked, true)
  t.equal(slices.isOver, false)
  now = 110
  t.equal(slices.isOver, true)
})

t.test('no slice begins after the signal has aborted', async (t) => {
  const reason = new Error('the caller left')
  await t.rejects(new Slices(AbortSignal.abort(reason)).next(), reason)
})

t.test('sorting in slices gives what sorting at once gives, and keeps the order of equals', async (t) => {
  let now = 0
  const item = fc.record({ key: fc.nat(50), mark: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 1_200, size: 'max' }), async (items) => {
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key
      const sorted = await sortInSlices(items, compare, new Slices(signal, () => (now += 0.01)))
      return items.toSorted(compare).every((expected, index) => expected === sorted[index])
    }),
    { numRuns: propertyRuns(30) },
  )
  t.pass()
})
