import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, openDatabase, recordAudit } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { makeCleanUp } from '../../../server/notifications/clean-up.ts'
import { auditEntry, by } from '../../storage/records/database/recorded.ts'
import { ManualTiming } from './manual-timing.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

/** Entries of the audit that are to be deleted so long after the start of a test. */
async function record(db: Database, count: number, expireAfterMs: number): Promise<void> {
  const at = new Date(new ManualTiming().now() - yearMs + expireAfterMs)
  for (let index = 0; index < count; index++) await recordAudit(db, auditEntry('repo'), { by, now: at })
}

async function start(t: Test, db: Database) {
  const timing = new ManualTiming()
  t.teardown(() => db.destroy())
  const cleanUp = makeCleanUp(db, timing, (error) => t.error(error))
  void cleanUp.start()
  const countLeft = async () => (await db.selectFrom('audit').select('id').execute()).length
  return { timing, stop: () => cleanUp.stop(), left: countLeft }
}

t.test('what has expired is deleted at the start, and then every hour', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  await record(db, 250, -1)
  await record(db, 3, 1)
  const { timing, stop, left } = await start(t, db)
  await timing.pass(1)
  t.equal(await left(), 3)
  await timing.pass(hourMs, hourMs)
  t.equal(await left(), 0)
  await stop()
})

t.test('a clean-up lets others go on between its steps, and a stop does not wait for its end', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  await record(db, 1_000, -1)
  const { stop, left } = await start(t, db)
  await nextTurn()
  await stop()
  const count = await left()
  t.ok(count > 0 && count < 1_000, `${count} are left`)
})
