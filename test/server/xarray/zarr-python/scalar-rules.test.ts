import { t } from 'tap'
import { makeSizedType, makeTimeType, struct, tryOpening } from './try-opening.ts'

t.test('the fill value has to be one of the data type', async (t) => {
  const accepts = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(tryOpening({ type, members: { fill_value: value } }), 'opened', JSON.stringify([type, value]))
  }
  const refuses = (type: unknown, ...values: readonly unknown[]) => {
    for (const value of values)
      t.equal(tryOpening({ type, members: { fill_value: value } }), 'refused', JSON.stringify([type, value]))
  }
  accepts('bool', null, {}, [1, 2], 'x')
  accepts('int16', 0, -32768, '7', ' +7_0 ', true)
  refuses('int16', null, 40000, '40000', 1.5, '7.0', '0x7', '', [], {})
  accepts('uint8', 255)
  refuses('uint8', -1)
  accepts('float32', 1, 1.5, true, 'NaN', '-Infinity', '0x7fc00000', '1.5', ' 1e5 ', '1_0', '.5', 'nan')
  refuses('float32', null, [], '0x7f', '0xzzzz', 'abc', '1e', '')
  accepts('complex64', [1, 'NaN'], ['0x7fc00000', 0])
  refuses('complex64', 1, [1], ['1', 2], [1, null], 'ab')
  accepts('string', '', 1, 1.5, true)
  refuses('string', null, [], {})
  accepts('bytes', '', 'AAA=')
  refuses('bytes', 0, 'AAAAA', 'é')
  accepts(makeSizedType('fixed_length_utf32'), '', 'longer')
  refuses(makeSizedType('fixed_length_utf32'), 0, null)
  accepts(makeSizedType('null_terminated_bytes'), 'AAAAAAAA')
  refuses(makeSizedType('null_terminated_bytes'), 0, 'A')
  accepts(makeSizedType('raw_bytes'), '', 'AAAA')
  accepts(makeTimeType('datetime64'), 0, -5, true, 'NaT')
  refuses(makeTimeType('datetime64'), 2 ** 64, 1.5, '2000-01-01', null)
  accepts(makeTimeType('timedelta64'), 'NaT')
  accepts(struct, {}, { a: 1 }, { z: 'x' }, 'AA==', 'AAAA')
  refuses(struct, { a: 'x' }, { a: 300 }, '', 0, null)
})

t.test('texts of numbers are read as Python reads them, at any length', async (t) => {
  const fill = (type: string, value: string) => tryOpening({ type, members: { fill_value: value } })
  for (const text of ['1.', '.5', '1_0.0_1e1_0', '1e5_0', '+NaN', '-iNfInItY', ' 1.5 ', '1e400', '9'.repeat(5000)])
    t.equal(fill('float64', text), 'opened', text.slice(0, 20))
  for (const text of ['.', '1__0', '1_.', '_1', '1_', '.5e', 'inf_', '', `${'9'.repeat(60_000)}x`])
    t.equal(fill('float64', text), 'refused', text.slice(0, 20))
  t.equal(fill('int16', `${'0'.repeat(4299)}1`), 'opened')
  t.equal(fill('int16', `${'0_'.repeat(4299)}1`), 'opened', 'underscores are no digits')
  t.equal(fill('int16', `-${'0'.repeat(4299)}1`), 'opened', 'nor is the sign')
  t.equal(fill('int16', `${'0'.repeat(4300)}1`), 'refused')
})
