import { t } from 'tap'
import { type ArrayText, decodeArrays, decodeOne, refusal } from '../zarr-group.ts'

t.test('a duration needs a unit and a dtype', async (t) => {
  const resolutions: Record<string, string> = {
    '[s]': '[s]',
    '[ms]': '[ms]',
    '[us]': '[us]',
    '[ns]': '[ns]',
    '[m]': '[s]',
    '[h]': '[s]',
    '[D]': '[s]',
    '[W]': '[s]',
    '[ps]': '[ns]',
    '[fs]': '[ns]',
    '[25s]': '[s]',
    '[ +25s]': '[s]',
    '[s/2]': '[ms]',
    '[2s/4]': '[ms]',
    '[ms/1000]': '[us]',
    '[h/60]': '[s]',
    '[M/2]': '[s]',
    '[ns/2]': '[ns]',
    '[s/1]': '[s]',
    '[generic]': '',
    '': '',
  }
  for (const [given, shown] of Object.entries(resolutions)) {
    const decoded = decodeOne({ attributes: `{"units":"days","dtype":"timedelta64${given}","long_name":"age"}` })
    t.equal(decoded.shown, `timedelta64${shown}`, given)
    t.strictSame(decoded.attributeNames, ['long_name'])
  }
  for (const given of [
    '[Y]',
    '[M]',
    '[as]',
    '[x]',
    '[]',
    'ns',
    '[s] ',
    '[-1s]',
    '[s/3]',
    '[Y/2]',
    '[s/0]',
    '[generic/2]',
    '[2147483648s]',
    '[٣s]',
  ]) {
    const attributes = `{"units":"days","dtype":"timedelta64${given}"}`
    t.throws(() => decodeOne({ attributes }), refusal(/is not a resolution of pandas/), given)
  }
})

t.test('with a unit or a dtype alone, nothing is decoded', async (t) => {
  t.strictSame(decodeOne({ attributes: '{"units":"days"}' }).attributeNames, ['units'])
  t.strictSame(decodeOne({ attributes: '{"units":"day","dtype":"timedelta64[s]"}' }).attributeNames, ['units', 'dtype'])
  t.strictSame(decodeOne({ attributes: '{"units":"days","dtype":"int64"}' }).attributeNames, ['units', 'dtype'])
  t.strictSame(decodeOne({ attributes: '{"units":"m","dtype":"timedelta64[x]"}' }).attributeNames, ['units', 'dtype'])
})

t.test('in an index, a duration has at least the resolution of its unit', async (t) => {
  const showIndexed = (units: string, dtype: string, array: ArrayText = {}) => {
    const attributes = JSON.stringify({ units, dtype })
    return decodeArrays({ x: { ...array, attributes } }).variables[0]?.type.name
  }
  t.equal(showIndexed('days', 'timedelta64[ms]'), 'timedelta64[ms]')
  t.equal(showIndexed('milliseconds', 'timedelta64[s]'), 'timedelta64[ms]')
  t.equal(showIndexed('nanoseconds', 'timedelta64[h]'), 'timedelta64[ns]')
  t.equal(showIndexed('days', 'timedelta64[ns]', { shape: [0] }), 'timedelta64[s]')
  t.equal(showIndexed('microseconds', 'timedelta64', { shape: [0] }), 'timedelta64[us]')
  t.throws(() => showIndexed('days', 'timedelta64'), refusal(/pandas cannot make an index of timedelta64/, 'x'))
  t.throws(() => showIndexed('days', 'timedelta64[s]', { type: 'bool' }), refusal('bool cannot count durations', 'x'))
})
