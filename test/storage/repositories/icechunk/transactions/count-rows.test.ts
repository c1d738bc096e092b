import fc from 'fast-check'
import { t } from 'tap'
import { countDistinctRows } from '../../../../../storage/repositories/icechunk/transactions/count-rows.ts'
import { checkProperty } from '../../../../check-property.ts'

t.test('distinct rows are counted, sorted or not, also if no exact number can represent a row', async (t) => {
  const largest = 2 ** 32 - 1
  const row = (...columns: number[]) => columns
  const count = (...rows: number[][]) => countDistinctRows(Uint32Array.from(rows.flat()), rows[0]?.length ?? 1)
  t.equal(count(), 0)
  t.equal(count(row(0)), 1)
  t.equal(count(row(3), row(1), row(3)), 2)
  t.equal(count(row(0, 1), row(1, 0)), 2)
  t.equal(count(row(1, 0), row(0, 1), row(1, 0)), 2)
  t.equal(count(row(largest, largest, largest), row(largest, largest, largest - 1)), 2)
  t.equal(count(row(largest, 0, largest, 1), row(largest, 0, largest, 0), row(largest, 0, largest, 1)), 2)
})

t.test('the count is that of a set, whatever the rows are', async () => {
  const number = fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1), fc.constant(2 ** 32 - 1))
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((columns) => fc.array(fc.array(number, { minLength: columns, maxLength: columns }), { minLength: 1 }))
  await checkProperty(
    5_000,
    fc.property(table, (rows) => {
      const distinct = new Set(rows.map((row) => row.join(' '))).size
      const columns = rows[0]?.length ?? 1
      return countDistinctRows(Uint32Array.from(rows.flat()), columns) === distinct
    }),
  )
})
