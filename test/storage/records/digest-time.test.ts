import { t } from 'tap'
import { findDigestTime } from '../../../storage/records/digest-time.ts'

/** A Saturday. */
const at = (time: string, day = '21') => new Date(`2026-11-${day}T${time}:00.000Z`)
const quiet = { from: '20:00', to: '07:00' }

t.test('quiet hours last from their beginning until before their end, also over midnight', async (t) => {
  const find = (time: string, hours = quiet) => findDigestTime({ quiet: hours, digest: null }, at(time))
  t.strictSame(find('20:00'), at('07:00', '22'))
  t.strictSame(find('23:59'), at('07:00', '22'))
  t.strictSame(find('00:00'), at('07:00'))
  t.strictSame(find('06:59'), at('07:00'))
  for (const time of ['07:00', '12:00', '19:59']) t.equal(find(time), null, time)
  const noon = { from: '12:00', to: '13:30' }
  t.strictSame(find('13:29', noon), at('13:30'))
  for (const time of ['11:59', '13:30', '23:00']) t.equal(find(time, noon), null, time)
})

t.test('a digest comes at its next time, of a week on Monday, whatever the quiet hours', async (t) => {
  const find = (every: 'day' | 'week', now: Date) => findDigestTime({ quiet, digest: { at: '07:30', every } }, now)
  t.strictSame(find('day', at('07:29')), at('07:30'))
  t.strictSame(find('day', at('07:30')), at('07:30', '22'))
  t.strictSame(find('week', at('07:29')), at('07:30', '23'))
  t.strictSame(find('week', at('07:29', '23')), at('07:30', '23'))
  t.strictSame(find('week', at('07:30', '23')), at('07:30', '30'))
})
