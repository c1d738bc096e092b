import { join } from 'node:path'
import { openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { openServiceDatabase } from '../../../server/main/open-service-database.ts'

/** A database that another process keeps locked, and a start that waits for it by a stopwatch. */
async function startLocked(t: Test) {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const other = await openDatabase(url)
  const lock = await other.startTransaction().execute()
  t.teardown(() => other.destroy())
  const told: unknown[][] = []
  const { promise: waits, resolve } = Promise.withResolvers<void>()
  const log = {
    warn: (...line: unknown[]) => {
      told.push(line)
      resolve()
    },
  }
  let time = 0
  const elapsed = () => (time += 1_000)
  const openSoon = () => openDatabase(url, { busyMs: 50, statementMs: null, answerMs: null })
  const open = (stop?: AbortSignal) => openServiceDatabase(openSoon, { elapsed, log, stop })
  return { open, told, waits, unlock: () => lock.rollback().execute() }
}

t.test('a start waits for a database that another process keeps locked, and says so', async (t) => {
  const { open, told, waits, unlock } = await startLocked(t)
  const opened = open()
  await waits
  await unlock()
  await (await opened).destroy()
  t.match(told, [[{ reason: /another process/ }, 'the start waits, because the database is locked']])
  t.equal(told.length, 1)
})

t.test('it gives up after a minute, or when it must stop', async (t) => {
  const { open, told, unlock } = await startLocked(t)
  await t.rejects(open(), { name: 'DatabaseLockedError', message: /end that process if it hangs/ })
  await t.rejects(open(AbortSignal.abort()), { name: 'DatabaseLockedError' })
  t.equal(told.length, 1)
  await unlock()
})
