import { t } from 'tap'
import { decodeArrays, type ArrayText, decodeOne, refusal } from '../zarr-group.ts'

const since = 'since 2000-01-01'
const showDate = (units: string, calendar?: unknown, array: ArrayText = {}) =>
  decodeOne({ ...array, attributes: JSON.stringify(calendar === undefined ? { units } : { units, calendar }) })
const refused = refusal(/cannot be read in the calendar/)

t.test('dates of the standard calendars become nanoseconds, all others objects', async (t) => {
  for (const calendar of [undefined, null, 'standard', 'gregorian', 'GREGORIAN', 'proleptic_gregorian']) {
    const { shown, attributeNames } = showDate(`hours ${since}`, calendar)
    t.equal(shown, 'datetime64[ns]', String(calendar))
    t.strictSame(attributeNames, [])
  }
  for (const calendar of ['noleap', '365_day', 'all_leap', '366_Day', '360_day', 'julian']) {
    t.equal(showDate(`hours ${since}`, calendar).shown, 'object', calendar)
  }
})

t.test('an unknown calendar is an error', async (t) => {
  for (const calendar of ['none', '', 'bogus', 'tai', ' standard'])
    t.throws(() => showDate(`days ${since}`, calendar), refused, calendar)
  for (const calendar of [1, ['noleap'], true]) {
    t.throws(() => showDate(`days ${since}`, calendar), refusal('its "calendar" is not text'))
  }
})

t.test('units are full words or the short forms of cftime, in any case', async (t) => {
  const words =
    'day days d DAYS hour hours hr hrs h minute minutes min mins second seconds sec secs s millisecond milliseconds ' +
    'millisec millisecs msec msecs ms microsecond microseconds microsec microsecs nanosecond nanoseconds'
  for (const word of words.split(' ')) t.equal(showDate(`${word} ${since}`).shown, 'datetime64[ns]', word)
  for (const word of ['years', 'weeks', 'm', 'us', 'ns', 'usec', 'months', 'common_years', 'days accumulated']) {
    t.throws(() => showDate(`${word} ${since}`), refused, word)
  }
})

t.test('some units belong to some calendars only', async (t) => {
  t.equal(showDate(`months ${since}`, '360_day').shown, 'object')
  t.equal(showDate(`common_years ${since}`, 'noleap').shown, 'object')
  t.equal(showDate(`common_year ${since}`, '365_day').shown, 'object')
  t.throws(() => showDate(`months ${since}`, 'noleap'), refused)
  t.throws(() => showDate(`common_years ${since}`, 'all_leap'), refused)
  t.throws(() => showDate(`nanoseconds ${since}`, 'noleap'), refused)
})

t.test('reference dates are read as pandas and cftime read them', async (t) => {
  const dates = (
    '2000-01-01 00:00:00; 2000-1-1; 1970-01-01T00:00:00Z; 1970-01-01T00:00:00+00:00; ' +
    '1858-11-17 00:00:00.0 -6:00; 0001-01-01; 1-1-1 00:00:0.0; 12000-01-01; 2000-01-01 anything; 2000; ' +
    '2000-06; 2000-06 12:30; 20000101; 20000101T000000; 2000/01/01; 01/02/2000; 13/02/2000; 1 Jan 2000; ' +
    '01-JAN-1900 00:00:00; January 1, 2000 00:00; Monday 2000-01-03; 1st of January 2000; 2000-Jan-01; ' +
    '-0001-01-01'
  ).split('; ')
  for (const text of dates) t.equal(showDate(`days since ${text}`).shown, 'datetime64[ns]', text)
})

t.test('a reference date can have an offset from UTC', async (t) => {
  for (const zone of 'Z, UTC,GMT,+1, -05,+0530, +5:30,+1:5, UTC+1, GMT-01:00, 0:00, 1:30'.split(',')) {
    // Without a value, only pandas reads the date.
    const units = `days since 1970-01-01 00:00:00${zone}`
    t.equal(showDate(units, undefined, { shape: [0] }).shown, 'datetime64[ns]', zone)
  }
})

t.test('the hour of a reference date can be followed by `h`', async (t) => {
  // Without a value, only pandas reads the date.
  const show = (text: string) => showDate(`days since ${text}`, undefined, { shape: [0] }).shown
  const dates = '2000-01-01 12h; 2000-01-01 5H; 2000-01-01T12h; 20000101 12h; 1 Jan 2000 12h pm; 2000-01-01 12h-03:00'
  for (const text of dates.split('; ')) t.equal(show(text), 'datetime64[ns]', text)
  for (const text of ['2000-01-01 12 h', '2000-01-01 12hZ', '2000-01-01 05hpm', '2000-01-01 12hr', '2000-01-01 24h'])
    t.throws(() => show(text), refused, text)
})

t.test('a reference that is no date is an error', async (t) => {
  const dates = (
    'dawn; now; 2000-13-01; 2000-02-30; 2001-02-29; 2000-00-01; 2000-01-01 24:00:00; 2000-01-01 00:60:00; ' +
    '0000-01-01; 1582-10-05; 1582-10-14; 2000.01.01 garbage; 31/31/2000; 99/01/2000'
  ).split('; ')
  for (const text of dates) t.throws(() => showDate(`days since ${text}`), refused, text)
  for (const units of ['foo since bar', 'since', 'dayssince2000', 'days since ', 'days since']) {
    t.throws(() => showDate(units), refused, units)
  }
})

t.test('a date has to exist in its calendar', async (t) => {
  const days: readonly (readonly [string, string, boolean])[] = [
    ['2000-02-29', 'noleap', false],
    ['2001-02-29', 'all_leap', true],
    ['2000-02-30', '360_day', true],
    ['2000-01-31', '360_day', false],
    ['1900-02-29', 'julian', true],
    ['1900-02-29', 'standard', false],
    ['1500-02-29', 'standard', true],
    ['1500-02-29', 'proleptic_gregorian', false],
    ['1582-10-10', 'proleptic_gregorian', true],
    ['0000-01-01', 'proleptic_gregorian', true],
    ['0000-01-01', 'julian', false],
    ['0000-01-01', 'noleap', true],
    ['-0001-02-29', 'julian', true],
    ['2000', 'noleap', false],
  ]
  for (const [text, calendar, exists] of days) {
    if (exists) t.doesNotThrow(() => showDate(`days since ${text}`, calendar), `${text} ${calendar}`)
    else t.throws(() => showDate(`days since ${text}`, calendar), refused, `${text} ${calendar}`)
  }
})

t.test('nanoseconds need a reference date that numpy can count from', async (t) => {
  t.doesNotThrow(() => showDate('nanoseconds since 1677-09-22'))
  t.doesNotThrow(() => showDate('nanoseconds since 2262-04-11'))
  t.throws(() => showDate('nanoseconds since 1677-09-21'), refused)
  t.throws(() => showDate('nanoseconds since 2262-04-12'), refused)
})

t.test('pandas counts with whole numbers and floats', async (t) => {
  const attributes = `{"units":"days ${since}"}`
  for (const type of ['int8', 'uint64', 'float16', 'float64'])
    t.equal(decodeOne({ type, attributes }).shown, 'datetime64[ns]', type)
  for (const type of [
    'bool',
    'complex64',
    'string',
    'bytes',
    { name: 'raw_bytes', configuration: { length_bytes: 1 } },
  ]) {
    t.throws(() => decodeOne({ type, attributes }), { ...refused, rule: /^values of type .* cannot be read/ })
  }
  t.equal(decodeOne({ type: 'bool', shape: [0], attributes }).shown, 'datetime64[ns]')
})

t.test('cftime counts with everything that becomes a float', async (t) => {
  for (const type of ['bool', 'complex64', 'int8', 'float16']) {
    t.equal(showDate(`d ${since}`, undefined, { type }).shown, 'datetime64[ns]', type)
    t.equal(showDate(`days ${since}`, 'noleap', { type }).shown, 'object', type)
    t.throws(() => showDate(`d ${since}`, undefined, { type, shape: [0] }), refused, type)
  }
  for (const type of ['string', 'bytes', { name: 'null_terminated_bytes', configuration: { length_bytes: 5 } }]) {
    t.throws(() => showDate(`days ${since}`, 'noleap', { type }), refused)
  }
  const noleap = `"units":"days ${since}","calendar":"noleap"`
  t.equal(decodeOne({ attributes: `{${noleap},"scale_factor":[2]}` }).shown, 'object')
  t.equal(decodeOne({ type: 'bool', attributes: `{${noleap},"_FillValue":true}` }).shown, 'object')
})

t.test('packed and masked numbers count times too', async (t) => {
  for (const more of [
    '"_FillValue":-1',
    '"scale_factor":0.5',
    '"scale_factor":0.5,"_FillValue":-1',
    '"scale_factor":2',
  ]) {
    t.equal(decodeOne({ attributes: `{"units":"days ${since}",${more}}` }).shown, 'datetime64[ns]', more)
  }
  t.throws(
    () => decodeOne({ attributes: `{"units":"days ${since}","scale_factor":true}` }),
    refusal(/^values of type bool/),
  )
})

t.test('for an array without values, only pandas decodes', async (t) => {
  const empty = { shape: [0] }
  t.equal(showDate(`days ${since}`, 'standard', empty).shown, 'datetime64[ns]')
  t.throws(() => showDate(`msec ${since}`, undefined, empty), refused)
  t.throws(() => showDate(`days ${since}`, 'noleap', empty), refused)
  t.throws(() => showDate('days since 0001-01-01', undefined, empty), refused)
})

t.test('reference dates have all forms that pandas reads', async (t) => {
  const empty = { shape: [0] }
  const accepted = [
    '2000-01-01 01:02:03,5',
    'Jan 1 2000 01:02:03,5',
    '2000-01-01T01:02:03,5+01:00',
    '2000-01-01 01:02,5',
    '2000-01-01T010203,5',
    '2000-01-01-00-00-00',
    '20000101-05',
    '2000-01-01-05:06',
    '2000-01-01T',
    '2000T',
    '2000-01-01 T 01:02',
    '2000-01-01T00:00:00+23:59',
    '٢٠٠٠-٠١-٠١',
    '𝟐𝟎𝟎𝟎-01-01',
  ]
  for (const text of accepted) t.equal(showDate(`days since ${text}`, undefined, empty).shown, 'datetime64[ns]', text)
  const others = [
    '2000-01-01 1:2:3,5',
    '2000-01-01-25-00-00',
    '2000-01-01-05-06-60',
    '2000-01-01-1',
    'Jan 1 2000-05',
    '2000-01-01TZ',
    '2000-01-01T00:00:00+24:00',
    '2000-01-01T00:00:00+25:00',
    '2000-01-01T00:00:00+2360',
    '2000-01-01 00:00:00 GMT+25',
    '2000-01-01 00:00:00 25:00',
  ]
  for (const text of others) t.throws(() => showDate(`days since ${text}`, undefined, empty), refused, text)
})

t.test('booleans count no times in an index, also without values', async (t) => {
  const attributes = '{"units":"milliseconds since 1990-1-1"}'
  t.throws(
    () => decodeArrays({ x: { type: 'bool', shape: [0], attributes } }),
    refusal('booleans cannot count times', 'x'),
  )
})

t.test('units of another form are left alone', async (t) => {
  for (const units of ['days', 'days after 2000', 'm', '']) {
    const { shown, attributeNames } = showDate(units, 'noleap')
    t.equal(shown, 'int16')
    t.strictSame(attributeNames, ['units', 'calendar'])
  }
  t.equal(decodeOne({ attributes: '{"units":5}' }).shown, 'int16')
})
