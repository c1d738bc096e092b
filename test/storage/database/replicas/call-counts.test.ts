import { t } from 'tap'
import { addCalls, deleteCallCounts, listCallCounts } from '@floe/storage/database'
import { reachableEngines } from '../engines.ts'

for (const { name, fresh } of await reachableEngines(t)) {
  t.test(name, async (t) => {
    t.test('calls of all replicas add up until the first of them has ended', async (t) => {
      const { db } = await fresh(t)
      const list = (now: number, since = 0) => listCallCounts(db, { since, now, limit: 10 })
      await addCalls(db, [{ name: 'a', calls: 2, endsAt: 1_000 }], 0)
      await addCalls(
        db,
        [
          { name: 'b', calls: 1, endsAt: 1_500 },
          { name: 'a', calls: 3, endsAt: 1_400 },
        ],
        400,
      )
      t.strictSame(
        new Set(await list(400)),
        new Set([
          { name: 'a', calls: 5, endsAt: 1_000 },
          { name: 'b', calls: 1, endsAt: 1_500 },
        ]),
      )
      t.strictSame(await list(1_000), [{ name: 'b', calls: 1, endsAt: 1_500 }], 'one that has ended is not listed')
      await addCalls(db, [{ name: 'a', calls: 1, endsAt: 2_000 }], 1_000)
      t.strictSame((await list(1_000, 1_000))[0], { name: 'a', calls: 1, endsAt: 2_000 }, 'and begins anew')
      await deleteCallCounts(db, 1_000)
      t.strictSame(await list(1_000), [{ name: 'a', calls: 1, endsAt: 2_000 }])
    })

    t.test('many counts are added at once, and those that changed last are listed', async (t) => {
      const { db, connect } = await fresh(t)
      const calls = Array.from({ length: 2_500 }, (_, index) => ({ name: `n${index}`, calls: 1, endsAt: 10_000 }))
      const other = await connect()
      await Promise.all([addCalls(db, calls, 0), addCalls(other, [...calls].reverse(), 0)])
      const all = await listCallCounts(db, { since: 0, now: 0, limit: 10_000 })
      t.equal(all.length, 2_500)
      t.ok(all.every(({ calls }) => calls === 2))
      await addCalls(db, [{ name: 'n7', calls: 1, endsAt: 10_000 }], 5)
      t.strictSame(await listCallCounts(db, { since: 0, now: 0, limit: 1 }), [{ name: 'n7', calls: 3, endsAt: 10_000 }])
    })
  })
}
