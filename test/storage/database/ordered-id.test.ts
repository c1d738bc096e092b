import { t } from 'tap'
import { newOrderedId } from '../../../storage/database/ordered-id.ts'

t.test('ids are UUIDs of version 7 that are in the order of their times', async (t) => {
  const times = [0, 1, 1_000, Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 22) + 1]
  const ids = times.map((time) => newOrderedId(new Date(time)))
  for (const id of ids) t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.strictSame(ids.toSorted(), ids)
  t.equal(Number.parseInt((ids.at(-1) ?? '').slice(0, 13).replace('-', ''), 16), times.at(-1))
})

t.test('ids of one moment differ', async (t) => {
  const ids = Array.from({ length: 1_000 }, () => newOrderedId(new Date(0)))
  t.equal(new Set(ids).size, 1_000)
})
