import { sql } from 'kysely'
import { type Database, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { DatabaseClock } from '../../../server/notifications/database-clock.ts'
import { systemTiming, type Timing } from '../../../server/timing.ts'
import { reachableEngines } from '../../storage/records/database/engines.ts'
import { ManualTiming } from './manual-timing.ts'

async function openClock(db: Database, timing: Timing): Promise<DatabaseClock> {
  const clock = new DatabaseClock(db, timing)
  await clock.refresh()
  return clock
}

const hourMs = 3_600_000

t.test('on SQLite it is the clock of the process', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const timing = new ManualTiming()
  const clock = await openClock(db, timing)
  timing.setClock(hourMs)
  await clock.refresh()
  t.equal(clock.timing.now(), timing.now())
})

for (const { name, fresh } of (await reachableEngines(t)).filter((engine) => engine.name !== 'SQLite')) {
  t.test(name, async (t) => {
    const readNow = async () => {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
      return rows[0]?.now.getTime() ?? Number.NaN
    }
    const { db } = await fresh(t)
    const isBetween = async (clock: DatabaseClock) => {
      const before = await readNow()
      // The clock of the database is read twice, and ours in between.
      const now = clock.timing.now()
      const after = await readNow()
      return { now, before, after }
    }

    t.test('processes whose clocks differ agree', async (t) => {
      for (const aheadMs of [-hourMs, 5_000]) {
        const timing = { ...systemTiming, now: () => Date.now() + aheadMs }
        const start = performance.now()
        const clock = await openClock(db, timing)
        const roundTripMs = performance.now() - start
        const { now, before, after } = await isBetween(clock)
        t.ok(now >= before - roundTripMs - 1 && now <= after + roundTripMs + 1, `${before} ${now} ${after}`)
      }
    })

    t.test('the stopwatch counts on, and the database is asked again with each heartbeat', async (t) => {
      const timing = new ManualTiming()
      const clock = await openClock(db, timing)
      const start = clock.timing.now()
      await timing.pass(900)
      t.equal(clock.timing.now(), start + 900, 'time of the database goes on meanwhile, but nobody asks')
      await timing.pass(hourMs, hourMs)
      t.equal(clock.timing.now(), start + 900 + hourMs)
      await clock.refresh()
      const now = clock.timing.now()
      t.ok(now <= (await readNow()) + 1, 'it was ahead of the database')
    })
  })
}
