import { t } from 'tap'
import { Slices } from '../../../storage/waiting/slices.ts'

const { signal } = new AbortController()

t.test('a slice is over after 5 ms, and the next one begins after other work', async (t) => {
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
