import { sql } from 'kysely'
import { t } from 'tap'
import { rowsOf } from '../../../../../storage/records/database/engine/rows-of.ts'
import { testOnEngines } from '../engines.ts'

const test = await testOnEngines(t)

test('records become rows with the types of their columns', async (t, { db }) => {
  const columns = { name: 'text', small: 'integer', large: 'bigint', real: 'double precision' } as const
  const records = [
    { name: '7\'s {} \\ "\n😀', small: -1, large: 2 ** 53 - 1, real: 0.1 },
    { name: '7', small: null, large: undefined, real: 3, other: 'is no column' },
    { name: null, small: 0, large: -(2 ** 52), real: -1e300 },
  ]
  const { rows } = await sql`
    select rows.name, rows.small, rows.large, rows.real, rows.large + 0 as sum, rows.name || '' as joined
    from ${rowsOf(db, records, columns)}`.execute(db)
  t.strictSame(
    rows,
    records.map(({ name, small, large = null, real }) => ({ name, small, large, real, sum: large, joined: name })),
  )
})

test('no records are no rows', async (t, { db }) => {
  const { rows } = await sql`select rows.id from ${rowsOf(db, [], { id: 'text' })}`.execute(db)
  t.strictSame(rows, [])
})
